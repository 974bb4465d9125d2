// The timeline of a subject: what messages state about it, newest first.
import {h, View} from "../lib/dom.js"
import {announce, attempt, openDialog} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {plainText} from "../lib/markdown.js"
import {link} from "../lib/router.js"
import {dateTime, shortDate, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {button, call, failure, field, filePlace, known, placeOf, timeZone, waiting} from "./common.js"
import {struck} from "./highlight.js"
import {laterThan, undoBody, verdictBody} from "./verdict.js"

const keyOf = ({conversationId, messageId, start = ""}) => `${conversationId}/${messageId}/${start}`
// A day for people; a time and a number stay as they are written in the message.
const shown = ({kind, text, value}) => kind === "date" && /^\d{4}-\d\d-\d\d$/.test(value ?? "") ? shortDate(`${value}T12:00`) : text

// What a person said last, with a way back for that person.
const verdict = ({verdict: said}, undo) => said && h("p", {class: "row quiet"},
  h("span", null, known("assistant.verdict", said.verdict), " ", h("bdi", {class: "name"}, said.userName)),
  said.userId === store.session.user?.id && button(t("assistant.verdictUndo"), undo, {class: "plain"}))

const head = one => one.states.filter(({kind}) => kind !== "decision").map(shown).join(" · ") || t("assistant.state.decision")
const foot = one => h("span", {class: "source-foot quiet"},
  h("bdi", {class: "name"}, one.senderName), h("bdi", null, one.conversationName),
  h("time", {datetime: one.timestamp}, dateTime(one.timestamp)))

// Asks which of some messages replaced another; resolves with nothing if none was chosen.
const choose = later => openDialog({title: t("assistant.replacedByWhich"), class: "small", render: close => [
  h("p", {class: "quiet"}, t("assistant.verdictHint")),
  h("ol", {class: "cards"}, later.map(one => h("li", {key: keyOf(one)},
    h("button", {type: "button", class: "source", on: {click: () => close(one)}},
      h("span", {class: "source-head"}, h("strong", null, head(one))),
      h("span", {class: "excerpt", dir: "auto"}, plainText(one.excerpt)), foot(one))))),
]}).closed

// The sentence with its replaced values struck out; all of it if nothing in it still counts.
const excerpt = (text, parts) =>
  parts ? parts.map(({text, isReplaced}) => isReplaced ? h("s", null, text) : text) : h("s", null, text)

export const mount = (container, route) => {
  const state = {subject: "", asOf: "", entries: null, readAsOf: "", reason: "none", isLoading: false, error: null}
  let controller = null
  const update = () => view.update()

  const find = async () => {
    controller?.abort()
    const subject = state.subject.trim()
    const {asOf} = state
    state.address = link("subject", [["q", subject], ["asOf", asOf]].filter(([, value]) => value))
    history.replaceState(history.state, "", state.address)
    Object.assign(state, {error: null, isLoading: Boolean(subject), ...(!subject && {entries: null})})
    update()
    if (!subject) return
    const {signal} = controller = new AbortController()
    try {
      const body = {subject, timeZone: timeZone(), ...(asOf && {asOf})}
      const {entries, asOf: readAsOf = "", noAnswerReason: reason = "none"} = await call("POST", "/v1/timeline", body, {signal})
      Object.assign(state, {entries, readAsOf, reason})
      announce(t("assistant.statements", {count: entries.length}))
    } catch (error) {
      if (signal.aborted) return
      Object.assign(state, {error, entries: null})
    }
    state.isLoading = false
    update()
  }
  const read = ({query}) => {
    Object.assign(state, {subject: query?.get("q") ?? "", asOf: query?.get("asOf") ?? ""})
    find()
  }
  const say = body => attempt(async () => {
    await call("POST", "/v1/timeline/verdicts", body)
    await find()
  })
  const nameReplacing = async (one, later) => {
    const newer = await choose(later)
    if (newer) say(verdictBody("replaced", one, newer))
  }
  const actions = one => {
    const later = one.replacedBy ? [] : laterThan(one, state.entries)
    return h("div", {class: "row"},
      one.replacedBy && button(t("assistant.stillTrue"), () => say(verdictBody("holds", one, one.replacedBy)), {class: "plain"}),
      later.length > 0 && button(t("assistant.replacedByWhich"), () => nameReplacing(one, later), {class: "plain"}))
  }
  const card = one => {
    const text = plainText(one.excerpt)
    const parts = one.replacedBy && struck(text, one.states)
    return h("li", {key: keyOf(one)},
      h("a", {class: "source", href: placeOf(one)},
        h("span", {class: "source-head"},
          h("strong", null, head(one)),
          one.replacedBy && h("span", {class: "doubt contradicted"}, t(parts ? "assistant.partlySuperseded" : "assistant.superseded"))),
        h("span", {class: "excerpt", dir: "auto"}, one.replacedBy ? excerpt(text, parts) : text),
        filePlace(one), foot(one)),
      one.replacedBy && h("a", {class: "elsewhere", href: placeOf(one.replacedBy)}, t("assistant.replacedBy")),
      verdict(one, () => say(undoBody(one, one.verdict))), actions(one))
  }
  const found = () => [
    state.readAsOf && h("p", {class: "alert calm"}, t("assistant.asOfShown", {
      when: state.readAsOf.includes("T") ? dateTime(state.readAsOf) : shortDate(`${state.readAsOf}T12:00`)})),
    !state.entries.length && h("p", {class: "alert calm"},
      state.reason === "nothing_in_scope" ? known("assistant.reason", state.reason) : t("assistant.nothingStated")),
    h("ol", {class: "cards"}, state.entries.map(card)),
    h("p", null, h("a", {class: "button", href: link("assistant", {q: state.subject})}, icon("spark"), t("assistant.askThis"))),
  ]
  const render = () => h("section", {class: "page"}, h("div", {class: "column stack"},
    h("h1", null, t("assistant.timeline")),
    h("p", {class: "quiet"}, t("assistant.timelineHint")),
    h("form", {class: "stack", on: {submit: event => {
      event.preventDefault()
      find()
    }}},
      h("div", {class: "row"},
        h("input", {type: "search", dir: "auto", maxlength: 2000, value: state.subject, "aria-label": t("assistant.subject"),
          placeholder: t("assistant.subject"), on: {input: event => {
            state.subject = event.target.value
          }}}),
        h("button", {type: "submit", class: "primary with-icon"}, icon("search"), t("assistant.searchNow"))),
      field(t("assistant.asOf"), state.asOf, value => {
        state.asOf = value
        find()
      }, {type: "date"})),
    waiting(state.isLoading, t("assistant.searching")),
    failure(state.error),
    state.entries && found()))
  const view = new View(container, render, ["conversations"], store)
  read(route)
  return {
    update: next => next.hash !== state.address && read(next),
    close() {
      controller?.abort()
      view.close()
    },
  }
}
