import {h, patch} from "./dom.js"
import {t} from "./text.js"

// Loads a style sheet that only some parts of the page need; the promise resolves when it is there, or cannot be had.
const sheets = new Map()
export const styled = address => {
  if (!sheets.has(address)) sheets.set(address, new Promise(resolve => {
    const link = document.createElement("link")
    link.rel = "stylesheet"
    link.href = address
    link.onload = link.onerror = resolve
    document.head.append(link)
  }))
  return sheets.get(address)
}

// A place that holds one part of the page at a time; the part's module is loaded when it is first shown.
export class Pane {
  constructor(container) {
    this.container = container
    this.key = null
    this.part = null
  }
  // load() imports the module, start(module, container) returns {close, update?(route)}.
  // The same key again only updates the part with the route.
  async show(key, load, start, route) {
    if (key === this.key) return this.part?.update?.(route)
    this.close()
    this.key = key
    try {
      const module = await load()
      if (this.key === key) this.part = start(module, this.container)
    } catch (error) {
      console.error(error)
      if (this.key !== key) return
      patch(this.container, h("div", {class: "notice", role: "alert"},
        h("p", null, t("shell.partMissing")),
        h("button", {type: "button", on: {click: () => location.reload()}}, t("shell.reload"))))
    }
  }
  close() {
    this.part?.close?.()
    this.part = null
    this.key = null
    patch(this.container, null)
  }
}
