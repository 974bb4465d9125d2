import {h} from "../lib/dom.js"

// Tabs with one panel: entries are [key, label]; arrow keys, Home and End choose another tab.
export const tabs = (name, entries, current, choose, label, content) => {
  const move = event => {
    const at = entries.findIndex(([key]) => key === current)
    const step = event.target.matches(":dir(rtl)") ? -1 : 1
    const to = {ArrowRight: at + step, ArrowLeft: at - step, Home: 0, End: entries.length - 1}[event.key]
    if (to === undefined) return
    event.preventDefault()
    const [key] = entries.at(to % entries.length)
    document.getElementById(`${name}-tab-${key}`).focus()
    choose(key)
  }
  const tab = ([key, text]) => {
    const isCurrent = key === current
    return h("button", {type: "button", role: "tab", key, id: `${name}-tab-${key}`, "aria-selected": String(isCurrent),
      "aria-controls": `${name}-panel`, tabindex: isCurrent ? 0 : -1, on: {click: () => choose(key)},
      ref: element => isCurrent && element.scrollIntoView({block: "nearest", inline: "center"})}, text)
  }
  const panel = {role: "tabpanel", id: `${name}-panel`, "aria-labelledby": `${name}-tab-${current}`, tabindex: 0}
  return [
    h("div", {class: "tabs", role: "tablist", "aria-label": label, on: {keydown: move}}, entries.map(tab)),
    h("div", {class: "panel", ...panel}, content),
  ]
}
