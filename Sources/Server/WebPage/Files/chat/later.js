// Times that the person sets: messages that are sent later, and reminders. Nobody else sees either.
import {h} from "../lib/dom.js"
import {laterTimes, momentAt, wallOf} from "../lib/days.js"
import {attempt, openDialog, toast} from "../lib/dialog.js"
import {addTexts, dateTime, t, timeZone} from "../lib/text.js"
import {button, field, newId} from "../lib/ui.js"
import {sentence} from "../data/errors.js"
import {store} from "../data/store.js"
import texts from "../text/later.js"
import {savedKey, savedPath} from "./saved.js"

addTexts(texts)
const MINUTE = 60_000

// Asks for a time → ISO 8601, null for none (`remove` is its label), undefined if the person gives up.
const pickTime = ({title, action, value, remove}) => {
  const now = Date.now(), zone = timeZone(), id = newId()
  let wall = wallOf(value ? Date.parse(value) : now + 60 * MINUTE, zone)
  return openDialog({title, class: "small", render: close => h("form", {class: "stack", on: {submit: event => {
    event.preventDefault()
    if (wall) close(momentAt(wall, zone).toISOString())
  }}},
  laterTimes(now, zone).map(([name, moment], i) => button([t(`later.${name}`), " ", h("span", {class: "quiet"}, dateTime(moment))],
    () => close(moment.toISOString()), "", {autofocus: i === 0})),
  field({id, label: t("later.other"), type: "datetime-local", required: true, min: wallOf(now, zone), value: wall, on: {input: event => {
    wall = event.target.value
  }}}),
  h("footer", {class: "actions"},
    button(t("shell.cancel"), () => close()),
    remove && button(remove, () => close(null)),
    button(action, null, "primary", {type: "submit"})))}).closed
}

// Sets, changes or ends the reminder of a message → whether something changed.
export const remindMe = message => attempt(async () => {
  const {remindAt: value} = message
  const remindAt = await pickTime({title: t("later.remind"), action: t("later.set"), value, remove: value && t("later.noReminder")})
  if (remindAt === undefined) return false
  await store.api.request("PUT", savedPath(message), {body: {remindAt}})
  store.saved.add(savedKey(message))
  toast(remindAt ? t("later.willRemind", {time: dateTime(remindAt)}) : t("later.notReminded"))
  return true
})

// Schedules {text, replyTo?, threadRoot?} for a conversation; then something else follows.
export const sendLater = (id, message, then) => attempt(async () => {
  const sendAt = await pickTime({title: t("later.send"), action: t("later.schedule")})
  if (!sendAt) return
  await store.api.request("POST", `/v1/conversations/${encodeURIComponent(id)}/scheduled`, {body: {...message, sendAt}})
  toast(t("later.willSend", {time: dateTime(sendAt)}))
  then()
})

const at = ({id}) => `/v1/scheduled/${encodeURIComponent(id)}`
export const scheduledMessages = async () => (await store.api.request("GET", "/v1/scheduled")).messages

const changeText = message => {
  const id = newId()
  let text = message.text, failure = null, isBusy = false
  const dialog = openDialog({title: t("later.changeText"), class: "small", render: close => h("form", {class: "stack", on: {submit: async event => {
    event.preventDefault()
    if (!text.trim() || isBusy) return
    isBusy = true
    try {
      await store.api.request("PATCH", at(message), {body: {text: text.trim()}})
      return close(true)
    } catch (error) {
      failure = sentence(error)
    }
    isBusy = false
    dialog.view.update()
  }}},
  field({id, label: t("later.text"), control: given => h("textarea", {...given, rows: 5, dir: "auto", required: true, autofocus: true, defaultValue: message.text,
    on: {input: event => {
      text = event.target.value
    }}})}),
  failure && h("p", {class: "alert", role: "alert"}, failure),
  h("footer", {class: "actions"},
    button(t("shell.cancel"), () => close()),
    button(t("later.change"), null, "primary", {type: "submit"})))})
  return dialog.closed
}
const changeTime = message => attempt(async () => {
  const isOver = new Date(message.sendAt) < Date.now()
  const sendAt = await pickTime({title: t("later.changeTime"), action: t("later.schedule"), value: isOver ? null : message.sendAt})
  if (sendAt) await store.api.request("PATCH", at(message), {body: {sendAt}})
  return sendAt
})
// The menu of a scheduled message; done() is called when it changed.
export const scheduledMenu = (message, done) => {
  const act = work => async () => {
    if (await attempt(work) !== undefined) done()
  }
  return [
    {label: t("later.sendNow"), icon: "send", act: act(async () => {
      await store.api.request("POST", `${at(message)}/send`)
      toast(t("later.sent"))
      return true
    })},
    {label: t("later.changeTime"), icon: "clock", act: act(() => changeTime(message))},
    {label: t("later.changeText"), icon: "edit", act: act(() => changeText(message))},
    {label: t("later.delete"), icon: "trash", isDangerous: true, act: act(async () => {
      await store.api.request("DELETE", at(message))
      return true
    })},
  ]
}
export const noteOf = ({sendAt, refusedReason}) => refusedReason
  ? h("span", {class: "danger-text"}, t(`later.refused.${refusedReason}`)) : t("later.sendAt", {time: dateTime(sendAt)})

// Tells once of messages that could not be sent at their times.
const told = new Set()
export const tellRefused = async () => {
  const fresh = (await scheduledMessages()).filter(({refusedReason}) => refusedReason).map(({id, sendAt}) => `${id} ${sendAt}`).filter(key => !told.has(key))
  for (const key of fresh) told.add(key)
  if (fresh.length) toast(t("later.notSent", {count: fresh.length}))
}
