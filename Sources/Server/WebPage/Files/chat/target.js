// A dialog that chooses the conversation to which something is sent.
import {h} from "../lib/dom.js"
import {attempt, openDialog, toast} from "../lib/dialog.js"
import {ranked} from "../lib/ranked.js"
import {addTexts, t} from "../lib/text.js"
import {button, field, newId} from "../lib/ui.js"
import {store} from "../data/store.js"
import texts from "../text/habits.js"
import {faceOf, titleOf} from "./conversations.js"

addTexts(texts)
const LIMIT = 8

// {title, label, hint, action, done(name) → text, make() → the message for store.send(), without}
export const sendTo = ({title, label, hint, action, done, make, without}) => {
  const id = newId()
  let filter = "", chosen = null, isBusy = false, dialog
  const update = () => dialog.view.update()
  const all = () => ranked(store.conversations.filter(one => one.id !== without).map(one => ({...one, name: titleOf(one)})), filter).slice(0, LIMIT)
  const submit = close => async event => {
    event.preventDefault()
    if (!chosen) return
    isBusy = true
    update()
    const sent = await attempt(async () => store.send(chosen.id, await make()))
    isBusy = false
    if (!sent) return update()
    close()
    toast(done(chosen.name))
  }
  dialog = openDialog({title, keys: ["conversations"], store, render: close => {
    const found = all()
    return h("form", {class: "stack", on: {submit: submit(close)}},
      field({id, label, type: "search", autocomplete: "off", autofocus: true, dir: "auto", value: filter, on: {input: event => {
        filter = event.target.value
        update()
      }}}),
      h("div", {class: "people", role: "radiogroup", "aria-label": label}, found.map(one =>
        h("label", {class: "person", key: one.id},
          h("input", {type: "radio", name: "conversation", checked: chosen?.id === one.id, on: {change: () => {
            chosen = one
            update()
          }}}),
          faceOf(one, "small"), h("bdi", {class: "cut grow"}, one.name)))),
      !found.length && h("p", {class: "hint"}, t("habits.noConversation")),
      h("p", {class: "quiet"}, hint),
      h("footer", {class: "actions"},
        button(t("shell.cancel"), () => close()),
        button(action, null, "primary", {type: "submit", disabled: !chosen || isBusy})))
  }})
}
