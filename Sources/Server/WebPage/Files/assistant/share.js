// Sending an answer to a conversation, with links to the messages that it is based on.
import {h} from "../lib/dom.js"
import {attempt, openDialog, toast} from "../lib/dialog.js"
import {link} from "../lib/router.js"
import {ranked} from "../lib/ranked.js"
import {t} from "../lib/text.js"
import {store} from "../data/store.js"
import {faceOf, titleOf} from "../chat/conversations.js"
import {marks} from "./citations.js"
import {button, field} from "./common.js"

const LIMIT = 8

// The answer as a message: the numbers of sources lead to their messages, for those who may read them.
export const sharedText = ({question, answer, citations}, origin) => {
  let text = "", end = 0
  for (const {start, end: next, citations: found} of marks(answer, citations)) {
    const links = found.map(({number, conversationId, messageId}) =>
      `[${number}](${origin}/${link("conversation", conversationId, "message", messageId)})`)
    text += answer.slice(end, start) + links.join(" ")
    end = next
  }
  const quoted = question.split("\n").map(line => `> ${line}`).join("\n")
  return `${quoted}\n\n${text}${answer.slice(end)}`
}

export const share = turn => {
  let filter = "", chosen = null, isBusy = false, dialog
  const update = () => dialog.view.update()
  const all = () => ranked(store.conversations.map(one => ({...one, name: titleOf(one)})), filter).slice(0, LIMIT)
  const submit = close => async event => {
    event.preventDefault()
    if (!chosen) return
    isBusy = true
    update()
    const sent = await attempt(() => store.send(chosen.id, {text: sharedText(turn, location.origin)}))
    isBusy = false
    if (!sent) return update()
    close()
    toast(t("assistant.shared", {name: chosen.name}))
  }
  dialog = openDialog({title: t("assistant.share"), keys: ["conversations"], store, render: close => h("form", {class: "stack", on: {submit: submit(close)}},
    field(t("assistant.shareWhere"), filter, text => {
      filter = text
      update()
    }, {type: "search", autocomplete: "off", autofocus: true}),
    h("div", {class: "people", role: "radiogroup", "aria-label": t("assistant.shareWhere")}, all().map(one =>
      h("label", {class: "person", key: one.id},
        h("input", {type: "radio", name: "conversation", checked: chosen?.id === one.id, on: {change: () => {
          chosen = one
          update()
        }}}),
        faceOf(one, "small"), h("bdi", {class: "cut grow"}, one.name)))),
    h("p", {class: "quiet"}, t("assistant.shareHint")),
    h("footer", {class: "actions"},
      button(t("shell.cancel"), () => close()),
      h("button", {class: "primary", disabled: !chosen || isBusy}, t("assistant.shareNow"))))})
}
