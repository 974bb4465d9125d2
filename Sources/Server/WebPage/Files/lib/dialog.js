// Dialogs, toasts and the quiet announcer, for all parts of the page.
import {h, patch, View} from "./dom.js"
import {t} from "./text.js"
import {icon} from "./icons.js"
import {sentence} from "../data/errors.js"

// openDialog({title, render: close => nodes, class, label}) shows a modal dialog and returns {view, close, closed}.
// The focus returns to where it was. `closed` resolves with the value given to close().
export const openDialog = ({title, render, class: name = "", keys, store}) => {
  const before = document.activeElement
  const dialog = document.createElement("dialog")
  const titleId = `dialog-${performance.now()}`
  let result, isOpen = true
  const close = value => {
    result = value
    dialog.close()
  }
  dialog.className = name
  dialog.setAttribute("aria-labelledby", titleId)
  document.body.append(dialog)
  const view = new View(dialog, () => [
    h("header", {class: "dialog-head"},
      h("h2", {id: titleId}, title),
      h("button", {class: "icon-button", type: "button", "aria-label": t("shell.close"), on: {click: () => close()}}, icon("close"))),
    h("div", {class: "dialog-body"}, render(close)),
  ], keys, store)
  const closed = new Promise(resolve => dialog.addEventListener("close", () => {
    if (!isOpen) return
    isOpen = false
    view.close()
    dialog.remove()
    if (before?.isConnected) before.focus()
    resolve(result)
  }))
  dialog.addEventListener("pointerdown", event => event.target === dialog && close())
  dialog.showModal()
  return {view, close, closed, dialog}
}

// confirm({title, text, action, isDangerous}) → promise of true or false.
export const confirm = ({title, text, action, isDangerous = false}) =>
  openDialog({title, class: "small", render: close => [
    h("p", null, text),
    h("footer", {class: "actions"},
      h("button", {type: "button", autofocus: true, on: {click: () => close(false)}}, t("shell.cancel")),
      h("button", {type: "button", class: isDangerous ? "danger" : "primary", on: {click: () => close(true)}}, action)),
  ]}).closed.then(Boolean)

let toasts = []
const showToasts = () => patch(document.getElementById("toasts"), toasts.map(({id, text, kind}) =>
  h("div", {key: id, class: `toast ${kind}`, role: kind === "error" ? "alert" : "status"},
    h("span", {dir: "auto"}, text),
    h("button", {class: "icon-button", type: "button", "aria-label": t("shell.close"), on: {click: () => dropToast(id)}}, icon("close")))))
const dropToast = id => {
  toasts = toasts.filter(toast => toast.id !== id)
  showToasts()
}
let lastToast = 0
// toast("Saved."), toast(error): an error stays longer and is read out at once.
export const toast = message => {
  const isError = message instanceof Error
  if (isError && message.name === "AbortError") return
  const text = isError ? sentence(message) : message
  const id = ++lastToast
  toasts = [...toasts.filter(other => other.text !== text), {id, text, kind: isError ? "error" : "done"}].slice(-3)
  showToasts()
  setTimeout(dropToast, isError ? 10_000 : 4_000, id)
}
// attempt(() => store.rename(…)) → its value; a failure is a toast and undefined.
export const attempt = async work => {
  try {
    return await work()
  } catch (error) {
    toast(error)
  }
}

// opened(() => import("./emoji.js"), ({pickEmoji}) => pickEmoji(…)): a part that is read when it is asked for.
// Keys that are pressed until it is there go to what it puts the focus on; Escape gives it up.
export const opened = (read, open) => attempt(async () => {
  const keys = []
  let isGivenUp = false
  const hold = event => {
    const {key} = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (key === "Escape") isGivenUp = true
    else if (key.length > 1 && !["Enter", "Backspace", "ArrowDown", "ArrowUp"].includes(key)) return
    else keys.push(key)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const release = () => removeEventListener("keydown", hold, true)
  addEventListener("keydown", hold, true)
  // Who waits longer wants their keys back.
  const late = setTimeout(release, 3_000)
  let part
  try {
    part = await read()
  } finally {
    clearTimeout(late)
    release()
  }
  if (isGivenUp) return
  await open(part)
  for (const key of keys) type(key)
})

const type = key => {
  const field = document.activeElement
  const isText = field.selectionStart != null && !field.readOnly
  if (!field.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true})) || !isText) return
  const {selectionStart: start, selectionEnd: end} = field
  if (key === "Backspace") field.setRangeText("", start === end ? Math.max(0, start - 1) : start, end, "end")
  else if (key.length === 1) field.setRangeText(key, start, end, "end")
  else return key === "Enter" && field.form?.requestSubmit()
  field.dispatchEvent(new InputEvent("input", {bubbles: true}))
}

// Copies a text and says `done`; without the right to (plain http) it shows the text to copy by hand.
export const copyText = async (text, done) => {
  try {
    await navigator.clipboard.writeText(text)
    toast(done)
  } catch {
    openDialog({title: t("shell.copyYourself"), class: "small", render: () => h("textarea", {readonly: true, rows: 6, dir: "auto",
      autofocus: true, "aria-label": t("shell.copyYourself"), defaultValue: text, on: {focus: event => event.target.select()}})})
  }
}

const waiting = []
let isAnnouncing = false
export const isQuiet = () => localStorage.getItem("nexus-quiet") === "1"
export const setQuiet = quiet => (quiet ? localStorage.setItem("nexus-quiet", "1") : localStorage.removeItem("nexus-quiet"))
// announce("Mara: hello") or announce("3 new messages", n): at most one sentence every 2 s, none in a hidden tab.
export const announce = text => {
  if (document.hidden || isQuiet()) return
  waiting.push(text)
  if (!isAnnouncing) speak()
}
const speak = () => {
  const log = document.getElementById("announcer")
  if (!waiting.length || document.hidden) {
    waiting.length = 0
    isAnnouncing = false
    return
  }
  isAnnouncing = true
  const text = waiting.length > 1 ? t("shell.newMessages", {count: waiting.length}) : waiting[0]
  waiting.length = 0
  const line = document.createElement("p")
  line.textContent = text
  log.append(line)
  while (log.childElementCount > 5) log.firstChild.remove()
  setTimeout(speak, 2_000)
}
