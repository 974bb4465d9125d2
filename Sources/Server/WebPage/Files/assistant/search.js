// Search across all conversations, with filters, page by page, and in the messages of this device while offline.
import {h, View} from "../lib/dom.js"
import {announce} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {plainText} from "../lib/markdown.js"
import {link} from "../lib/router.js"
import {dateTime, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {button, call, duplicatesOf, failure, filePlace, filterBody, filterOf, filterPairs, filters, known, marked, nameOf, percent, placeOf, waiting} from "./common.js"
import {found as foundPart} from "./highlight.js"
import {signalBar, sumOf} from "./trace.js"

const FIRST = 20, NEXT = 50
const keyOf = ({conversationId, messageId}) => `${conversationId}/${messageId}`
// As the server tells kinds, for messages of this device.
const hasKind = ({text, attachments = []}, kind) => kind === "link" ? /https?:\/\/[^\s]/i.test(text)
  : attachments.some(({mediaType = ""}) => kind === "file" || (kind === "document" ? !/^(image|audio|video)\//.test(mediaType) : mediaType.startsWith(`${kind}/`)))

export const mount = (container, route) => {
  const state = {query: "", filter: {}, results: null, shown: "", reason: "none", notes: [], isLocal: false,
    isLoading: false, error: null, next: null}
  let controller = null
  let timer = 0
  const update = () => view.update()

  const search = async () => {
    clearTimeout(timer)
    controller?.abort()
    const query = state.query.trim()
    state.address = link("search", [...(query ? [["q", query]] : []), ...filterPairs(state.filter)])
    history.replaceState(history.state, "", state.address)
    Object.assign(state, {error: null, next: null, isLoading: Boolean(query), ...(!query && {results: null})})
    update()
    if (!query) return
    const {signal} = controller = new AbortController()
    const body = {query, topK: FIRST, explain: true, ...filterBody(state.filter)}
    try {
      const {results, noAnswerReason: reason, retrieval: {notes}, next} = await call("POST", "/v1/search", body, {signal})
      Object.assign(state, {results, reason, notes, isLocal: false, next, body})
    } catch (error) {
      if (signal.aborted) return
      if (error.status === 0) await searchLocal(query)
      else Object.assign(state, {error, results: null})
    }
    if (signal.aborted) return
    Object.assign(state, {isLoading: false, shown: query})
    if (state.results) announce(t("assistant.results", {count: state.results.length}))
    update()
  }
  // The next page, behind what is shown; its first result gets the focus.
  const more = async () => {
    const {signal} = controller = new AbortController()
    Object.assign(state, {error: null, isLoading: true})
    update()
    try {
      const {results, next} = await call("POST", "/v1/search", {...state.body, topK: NEXT, cursor: state.next}, {signal})
      Object.assign(state, {results: [...state.results, ...results], next, isLoading: false})
      announce(t("assistant.results", {count: state.results.length}))
      view.now()
      const first = results[0] ?? state.results.at(-1)
      first && container.querySelector(`[data-key="${CSS.escape(keyOf(first))}"] a`)?.focus()
    } catch (error) {
      if (signal.aborted) return
      Object.assign(state, {error, isLoading: false})
      update()
    }
  }
  const searchLocal = async query => {
    const {from, to} = filterBody(state.filter)
    const found = (await store.searchLocal(query)) ?? []
    const results = found.filter(one => (!state.filter.in.length || state.filter.in.includes(one.conversationId))
      && (!state.filter.by.length || state.filter.by.includes(one.senderId))
      && (!state.filter.has || hasKind(one, state.filter.has))
      && (!from || one.timestamp >= from) && (!to || one.timestamp < to))
    const shown = results.slice(0, 50)
      .map(one => ({...one, messageId: one.id, conversationName: nameOf(one.conversationId)}))
    Object.assign(state, {isLocal: true, reason: "none", notes: [], results: shown})
  }
  const read = ({query}) => {
    state.query = query?.get("q") ?? ""
    state.filter = filterOf(query)
    search()
  }
  const open = one => {
    one.isOpen = !one.isOpen
    update()
  }
  const result = (one, scale) => h("li", {key: keyOf(one), "data-key": keyOf(one)},
    h("a", {class: "source", href: placeOf(one)},
      h("span", {class: "source-head"},
        h("bdi", {class: "name"}, one.senderName), h("bdi", {class: "quiet"}, one.conversationName),
        h("time", {class: "quiet", datetime: one.timestamp}, dateTime(one.timestamp))),
      h("span", {class: "excerpt", dir: "auto"}, marked(plainText(foundPart(one, state.shown)), state.shown))),
    duplicatesOf(one),
    one.explanation && h("div", {class: "result-why"},
      button(t("assistant.whyHit"), () => open(one),
        {class: "plain small", "aria-expanded": String(Boolean(one.isOpen))}),
      one.isOpen && signalBar(one.explanation, scale)))
  const found = () => {
    const {results} = state
    const scale = Math.max(.001, ...results.map(one => sumOf(one.explanation ?? [])))
    return [
      state.isLocal && h("p", {class: "alert calm"}, t("assistant.offline")),
      state.reason !== "none" && h("p", {class: "alert calm"}, known("assistant.reason", state.reason)),
      state.notes.filter(note => note.endsWith("failed"))
        .map(note => h("p", {class: "alert calm", key: note}, known("assistant.note", note))),
      h("h2", {class: "quiet"}, t("assistant.results", {count: results.length})),
      h("ol", {class: "cards"}, results.map(one => result(one, scale))),
      state.next && button(t("assistant.more"), more, {disabled: state.isLoading}),
      h("p", null, h("a", {class: "button", href: link("assistant", {q: state.shown})},
        icon("spark"), t("assistant.askThis"))),
    ]
  }
  const render = () => h("section", {class: "page"}, h("div", {class: "column stack"},
    h("h1", null, t("assistant.search")),
    h("form", {class: "stack", role: "search", on: {submit: event => {
      event.preventDefault()
      search()
    }}},
      h("div", {class: "row"},
        h("input", {type: "search", dir: "auto", maxlength: 2000, value: state.query,
          "aria-label": t("assistant.searchFor"), placeholder: t("assistant.searchFor"),
          ref: element => matchMedia("(pointer: fine)").matches && element.focus(),
          on: {input: event => {
            state.query = event.target.value
            clearTimeout(timer)
            timer = setTimeout(search, 400)
          }}}),
        h("button", {type: "submit", class: "primary with-icon"}, icon("search"), t("assistant.searchNow"))),
      filters(state.filter, value => {
        state.filter = value
        search()
      }, update)),
    waiting(state.isLoading, t("assistant.searching")),
    failure(state.error),
    state.results && found()))
  const view = new View(container, render, ["conversations"], store)
  read(route)
  return {
    update: next => next.hash !== state.address && read(next),
    close() {
      clearTimeout(timer)
      controller?.abort()
      view.close()
    },
  }
}
