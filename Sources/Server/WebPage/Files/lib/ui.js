// Small pieces that all parts of the page use.
import {h, patch} from "./dom.js"
import {t} from "./text.js"
import {icon} from "./icons.js"

const hue = id => [...id].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 7, 0)
const initials = name => {
  const words = name.trim().split(/\s+/).filter(word => /\p{L}|\p{N}/u.test(word))
  const first = word => [...(word ?? "")].find(c => /\p{L}|\p{N}/u.test(c)) ?? ""
  return (first(words[0]) + (words.length > 1 ? first(words.at(-1)) : "")).toUpperCase()
}
// A circle with initials, over which chat/faces.js draws pictures. status ("online", "away", "offline") adds a dot; the name stands beside it, so it is hidden.
export const avatar = (id, name, {status, kind, size = ""} = {}) =>
  h("span", {class: `avatar hue-${hue(id)} ${kind ?? ""} ${size}`, "aria-hidden": "true", "data-id": id},
    initials(name || id) || (kind === "group" ? icon("group") : "?"),
    status && status !== "offline" && h("span", {class: `dot ${status}`}))

export const iconButton = (name, label, click, props = {}) =>
  h("button", {type: "button", title: label, "aria-label": label, ...props,
    class: `icon-button ${props.class ?? ""}`, on: {click, ...props.on}}, icon(name))

export const button = (label, click, name = "", props = {}) =>
  h("button", {type: "button", ...props, class: name, on: {click}}, label)

export const empty = (title, text, ...more) =>
  h("div", {class: "empty"}, h("h2", null, title), text && h("p", null, text), more)

let lastId = 0
export const newId = () => `n${++lastId}`

// field({label, hint, error, …attributes of the input}); `control` replaces the input and gets its attributes.
export const field = ({label, hint, error, id, control, ...props}) => {
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ")
  const given = {...props, id, "aria-describedby": notes || null, "aria-invalid": error ? "true" : null}
  return h("div", {class: "field"},
    h("label", {for: id}, label),
    control ? control(given) : h("input", given),
    hint && h("p", {id: `${id}-hint`, class: "hint"}, hint),
    error && h("p", {id: `${id}-error`, class: "field-error", role: "alert"}, error))
}
export const choice = (name, value, options, change, props = {}) =>
  h("select", {...props, name, value, on: {change: event => change(event.target.value)}},
    options.map(([key, label]) => h("option", {key, value: key}, label)))
export const toggle = (label, checked, change, {hint, ...props} = {}) =>
  h("label", {class: "toggle"},
    h("input", {type: "checkbox", role: "switch", checked, ...props, on: {change: event => change(event.target.checked)}}),
    h("span", null, label, hint && h("span", {class: "hint"}, hint)))

// openMenu(anchor, [{label, icon, act, isDangerous, isChecked}]): a menu beside a button, closed by Escape and outside clicks.
export const openMenu = (anchor, items) => {
  const menu = document.createElement("div")
  const list = items.filter(Boolean)
  menu.className = "menu"
  menu.popover = "auto"
  menu.setAttribute("role", "menu")
  menu.setAttribute("aria-label", anchor.getAttribute("aria-label") ?? anchor.textContent)
  patch(menu, list.map(item => h("button", {
    type: "button", class: item.isDangerous ? "danger-text" : "",
    role: item.isChecked === undefined ? "menuitem" : "menuitemcheckbox", tabindex: "-1",
    "aria-checked": item.isChecked === undefined ? null : String(item.isChecked),
    on: {click: () => {
      menu.hidePopover()
      item.act()
    }},
  }, item.isChecked === undefined ? item.icon && icon(item.icon) : item.isChecked ? icon("check") : h("i", {class: "icon"}), item.label)))
  const host = anchor.closest("dialog") ?? document.body
  host.append(menu)
  anchor.setAttribute("aria-expanded", "true")
  menu.addEventListener("keydown", event => {
    const buttons = [...menu.children], at = buttons.indexOf(document.activeElement)
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[event.key]
    if (event.key === "Tab") menu.hidePopover()
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    buttons.at(to % buttons.length).focus()
  })
  menu.addEventListener("toggle", event => {
    if (event.newState === "open") return
    const hadFocus = menu.contains(document.activeElement) || document.activeElement === document.body
    anchor.setAttribute("aria-expanded", "false")
    menu.remove()
    if (hadFocus) anchor.focus()
  })
  menu.showPopover()
  const at = anchor.getBoundingClientRect(), box = menu.getBoundingClientRect()
  const isRTL = getComputedStyle(anchor).direction === "rtl"
  const x = isRTL ? at.left : at.right - box.width
  const y = at.bottom + 4 + box.height > innerHeight && at.top > box.height ? at.top - box.height - 4 : at.bottom + 4
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - box.width - 4))}px`
  menu.style.top = `${Math.max(4, Math.min(y, innerHeight - box.height - 4))}px`
  menu.firstChild?.focus()
}
export const menuButton = (label, items, props = {}) =>
  iconButton(props.icon ?? "more", label, event => openMenu(event.currentTarget ?? event.target.closest("button"), items()),
    {"aria-haspopup": "menu", "aria-expanded": "false", ...props, icon: null})
