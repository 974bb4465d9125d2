// What the parts of the administration share.
import {h} from "../lib/dom.js"
import {copyText, toast} from "../lib/dialog.js"
import {addTexts, number, t} from "../lib/text.js"
import {fold} from "../lib/ranked.js"
import {newId} from "../lib/ui.js"
import {sentence} from "../data/errors.js"
import {store} from "../data/store.js"
import {button} from "../assistant/common.js"
import texts from "../text/administration.js"

addTexts(texts)
export const a = (key, values) => t(`administration.${key}`, values)
export const word = key => {
  const text = a(key)
  return text.startsWith("administration.") ? key.split(".").at(-1).replaceAll("_", " ") : text
}

class OperatorError extends Error {}
// What a form says itself.
export class Mismatch extends OperatorError {}

// Reads the lines of a command to its result.
export const outcome = async (lines, progress, rejected = () => {}) => {
  for await (const line of lines) {
    if (line.progress) progress(line.progress._0)
    else if (line.rejected) rejected(line.rejected._0)
    else if (line.failed) throw new OperatorError(line.failed._0.message)
    else if (line.done) {
      const [found] = Object.values(line.done._0)
      return Object.keys(found).join() === "_0" ? found._0 : found
    }
  }
  throw new OperatorError(a("ended"))
}

// A part's state of work: what runs, how far it is, and what went wrong.
export class Desk {
  constructor(update) {
    Object.assign(this, {update, isBusy: false, progress: null, error: null, controller: new AbortController()})
  }
  // Runs work; a failure stays on the page until the next one. `done` is a text, or tells it afterwards.
  run = async (work, done) => {
    Object.assign(this, {isBusy: true, error: null})
    this.update()
    try {
      const isDone = await work() !== false
      const text = typeof done === "function" ? done() : done
      if (isDone && text) toast(text)
    } catch (error) {
      if (!this.controller.signal.aborted) this.error = error
    }
    Object.assign(this, {isBusy: false, progress: null})
    this.update()
    return !this.error
  }
  report = progress => {
    this.progress = progress
    this.update()
  }
  operate = command =>
    outcome(store.api.lines("/v1/administration/operator", command, {signal: this.controller.signal}), this.report)
  // Again and again while the part is open.
  every(seconds, work) {
    const next = async () => {
      if (!document.hidden) await work().catch(error => (this.error = error))
      if (this.controller.signal.aborted) return
      this.update()
      this.timer = setTimeout(next, seconds * 1000)
    }
    next()
  }
  close() {
    clearTimeout(this.timer)
    this.controller.abort()
  }
  state() {
    const {stage, done, total} = this.progress ?? {}
    return [
      h("p", {class: "quiet", role: "status", key: "busy"},
        this.isBusy && (stage ? word(`stage.${stage}`) : a("busy"))),
      stage && h("progress", {key: "progress", value: done, max: total || 1, "aria-label": word(`stage.${stage}`)}),
      this.error && h("p", {class: "alert", role: "alert", key: "error", dir: "auto"},
        this.error instanceof OperatorError ? this.error.message : sentence(this.error)),
    ]
  }
}

// `heads` are keys of texts; a row's first cell is its header.
export const table = (caption, heads, rows) =>
  h("div", {class: "scroll", role: "region", "aria-label": a(caption), tabindex: 0},
    h("table", null,
      h("thead", null, h("tr", null, heads.map(head => h("th", {scope: "col", key: head}, a(head))))),
      h("tbody", null, rows.map(([first, ...cells], i) =>
        h("tr", {key: i}, h("th", {scope: "row"}, first), cells.map((cell, n) => h("td", {"data-head": a(heads[n + 1])}, cell)))))),
    !rows.length && h("p", {class: "quiet"}, a("none")))

const PAGE = 50
// A table of many entries: a page at a time, and those whose text has what is typed. `textOf` is what is searched.
export const pagedTable = (desk, caption, heads, {textOf, row}) => {
  let query = "", start = 0
  const id = newId()
  const go = place => {
    start = place
    desk.update()
  }
  return all => {
    const wanted = fold(query.trim())
    const found = wanted ? all.filter(one => fold(textOf(one)).includes(wanted)) : all
    const from = start < found.length ? start : 0
    const shown = found.slice(from, from + PAGE)
    const turn = (key, place, isThere) => button(a(key), () => go(place), {disabled: !isThere, "aria-label": `${a(key)}: ${a(caption)}`})
    return all.length > PAGE ? [
      h("div", {class: "row wrap pages"},
        h("label", {class: "field grow", for: id}, h("span", null, a("find")),
          h("input", {id, type: "search", value: query, autocomplete: "off", "aria-label": `${a("find")}: ${a(caption)}`, on: {input: event => {
            query = event.target.value
            go(0)
          }}})),
        h("span", {role: "status"}, found.length ? a("pageOf", {from: from + 1, to: from + shown.length, total: found.length}) : a("noMatch")),
        turn("previous", Math.max(0, from - PAGE), from > 0), turn("next", from + PAGE, from + PAGE < found.length)),
      table(caption, heads, shown.map(row)),
    ] : table(caption, heads, all.map(row))
  }
}

export const facts = pairs => h("dl", {class: "counts"},
  pairs.map(([label, value]) => h("div", {key: label}, h("dt", null, label), h("dd", null, value))))
export const counts = (area, object) => facts(Object.entries(object)
  .filter(([, value]) => value && typeof value === "number").sort((one, two) => two[1] - one[1])
  .map(([key, value]) => [word(`${area}.${key}`), number(value)]))

export const form = (submit, ...children) => h("form", {class: "line", on: {submit: event => {
  event.preventDefault()
  submit(event.target)
}}}, children)
export const submit = (label, isBusy) => h("button", {class: "primary", disabled: isBusy}, label)
export const choice = (label, value, area, keys, change, isDisabled = false) =>
  h("select", {value, "aria-label": label, disabled: isDisabled, on: {change: event => change(event.target.value)}},
    keys.map(key => h("option", {key, value: key}, a(`${area}.${key}`))))
export const idProps = {autocomplete: "off", autocapitalize: "off", spellcheck: "false"}

// A text that is shown once, with a button to copy it.
export const secret = (label, text, hint) => h("div", {class: "secret", role: "status"},
  h("p", null, h("strong", null, label), " ", hint),
  h("div", {class: "row"},
    h("input", {readonly: true, value: text, "aria-label": label, class: "grow",
      on: {focus: event => event.target.select()}}),
    button(a("copy"), () => copyText(text, a("copied")), {symbol: "copy"})))
