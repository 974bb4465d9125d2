// Going to a day of a conversation: its first message of that day, or the next one after it.
import {h} from "../lib/dom.js"
import {dayOf, startOf} from "../lib/days.js"
import {openDialog} from "../lib/dialog.js"
import {go, link} from "../lib/router.js"
import {addTexts, t, timeZone} from "../lib/text.js"
import {button, field, newId} from "../lib/ui.js"
import {sentence} from "../data/errors.js"
import {store} from "../data/store.js"
import texts from "../text/habits.js"

addTexts(texts)
// The first message of a day or after it; the newest one if all are earlier, null without messages.
export const firstOn = async (id, day) => {
  const {messages, firstId} = await store.api.request("GET", `/v1/conversations/${encodeURIComponent(id)}/messages`, {query: {limit: 1, at: startOf(day, timeZone()).toISOString()}})
  return messages.find(one => one.id === firstId) ?? messages[0] ?? null
}

export const goToDate = (id, moment = Date.now()) => {
  const dateId = newId()
  let day = dayOf(moment, timeZone()), failure = null, isBusy = false, isOpen = true
  const update = () => isOpen && dialog.view.update()
  const submit = close => async event => {
    event.preventDefault()
    if (!day || isBusy) return
    isBusy = true
    failure = null
    update()
    try {
      const found = await firstOn(id, day)
      if (!isOpen) return
      if (found) {
        close()
        // The focus goes back before the message takes it.
        return dialog.closed.then(() => go(link("conversation", id, "message", found.id)))
      }
      failure = t("chat.empty")
    } catch (error) {
      failure = sentence(error)
    }
    isBusy = false
    update()
  }
  const dialog = openDialog({title: t("chat.goToDate"), class: "small", render: close => h("form", {class: "stack", on: {submit: submit(close)}},
    field({id: dateId, label: t("habits.day"), type: "date", required: true, max: dayOf(Date.now(), timeZone()), value: day, autofocus: true, on: {input: event => {
      day = event.target.value
    }}}),
    h("p", {class: "hint", role: "status"}, isBusy ? t("chat.loading") : null),
    failure && h("p", {class: "alert", role: "alert"}, failure),
    h("footer", {class: "actions"},
      button(t("shell.cancel"), () => close()),
      button(t("habits.go"), null, "primary", {type: "submit", disabled: isBusy})))})
  dialog.closed.then(() => {
    isOpen = false
  })
}
