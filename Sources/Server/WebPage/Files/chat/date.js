// Going to a day of a conversation: its first message of that day, or the next one after it.
import {h} from "../lib/dom.js"
import {openDialog} from "../lib/dialog.js"
import {go, link} from "../lib/router.js"
import {addTexts, shortDate, t, timeZone} from "../lib/text.js"
import {button, field, newId} from "../lib/ui.js"
import {sentence} from "../data/errors.js"
import {store} from "../data/store.js"
import texts from "../text/habits.js"

addTexts(texts)
const PAGE = 200

// 2026-10-09, as the person sees it.
export const dayOf = moment => new Intl.DateTimeFormat("en-CA", {timeZone: timeZone(), year: "numeric", month: "2-digit", day: "2-digit"}).format(new Date(moment))

// Reads back from what is shown until an earlier day; `onPage` gets each day that was reached. Null without messages.
export const firstOn = async (id, day, onPage = () => {}, isStopped = () => false) => {
  const [shown] = store.messages(id).items.filter(({state}) => !state)
  const isBehind = shown && dayOf(shown.timestamp) >= day
  let best = isBehind ? shown : null, before = isBehind ? shown.id : undefined, newest = null
  for (;;) {
    const {messages, hasOlder} = await store.api.request("GET", `/v1/conversations/${encodeURIComponent(id)}/messages`, {query: {limit: PAGE, before}})
    if (isStopped()) return null
    newest ??= messages[0]
    best = messages.findLast(({timestamp}) => dayOf(timestamp) >= day) ?? best
    const last = messages.at(-1)
    if (!last || !hasOlder || dayOf(last.timestamp) < day) return best ?? newest ?? null
    before = last.id
    onPage(last.timestamp)
  }
}

export const goToDate = (id, moment = Date.now()) => {
  const dateId = newId()
  let day = dayOf(moment), reached = null, failure = null, isBusy = false, isOpen = true
  const update = () => isOpen && dialog.view.update()
  const submit = close => async event => {
    event.preventDefault()
    if (!day || isBusy) return
    isBusy = true
    failure = null
    update()
    try {
      const found = await firstOn(id, day, at => {
        reached = at
        update()
      }, () => !isOpen)
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
    field({id: dateId, label: t("habits.day"), type: "date", required: true, max: dayOf(Date.now()), value: day, autofocus: true, on: {input: event => {
      day = event.target.value
    }}}),
    h("p", {class: "hint", role: "status"}, isBusy ? (reached ? t("habits.reached", {date: shortDate(reached)}) : t("chat.loading")) : null),
    failure && h("p", {class: "alert", role: "alert"}, failure),
    h("footer", {class: "actions"},
      button(t("shell.cancel"), () => close()),
      button(t("habits.go"), null, "primary", {type: "submit", disabled: isBusy})))})
  dialog.closed.then(() => {
    isOpen = false
  })
}
