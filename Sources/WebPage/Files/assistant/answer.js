import {h} from "../lib/dom.js"
import {attempt, announce} from "../lib/dialog.js"
import {dateTime, t} from "../lib/text.js"
import {iconButton} from "../lib/ui.js"
import {store} from "../data/store.js"
import {blocks} from "./citations.js"
import {button, failure, known, openPlace} from "./common.js"
import {sourceCards} from "./sources.js"
import {traceView} from "./trace.js"

const inline = (part, turn) => {
  if (part.citations) {
    return part.citations.map(citation => {
      const source = turn.sources.find(one => one.number === citation.number)
      const label = t("assistant.citation", {number: citation.number, name: source?.senderName ?? "", place: source?.conversationName ?? ""})
      return h("button", {type: "button", class: "citation", "aria-label": label, title: label,
        on: {click: () => openPlace(citation)}}, `[${citation.number}]`)
    })
  }
  if (part.url) return h("a", {href: part.url, target: "_blank", rel: "noopener noreferrer"}, part.text)
  return part.isStrong ? h("strong", null, part.text) : part.isCode ? h("code", null, part.text) : part.text
}
const TAGS = {text: "p", heading: "h4", quote: "blockquote", code: "pre"}

const text = turn => {
  const nodes = []
  for (const block of blocks(turn.answer, turn.citations)) {
    const children = block.parts.map(part => inline(part, turn))
    const tag = block.kind === "item" ? "ul" : block.kind === "number" ? "ol" : null
    if (!tag) nodes.push(h(TAGS[block.kind], {dir: "auto"}, children))
    else {
      if (nodes.at(-1)?.tag !== tag) nodes.push(h(tag, tag === "ol" ? {start: block.number} : null))
      nodes.at(-1).children.push(h("li", {dir: "auto", class: block.level ? "inner" : null}, children))
    }
  }
  return nodes
}

const phase = turn => {
  const {part, parts} = turn.progress ?? {}
  if (turn.phase === "searching") return parts ? t("assistant.reading", {part, parts}) : t("assistant.searching")
  if (turn.phase === "writing") return t("assistant.writing")
  return turn.phase === "stopped" ? t("assistant.stopped") : null
}

const notices = turn => {
  const coverage = turn.coverage
  return [
    turn.redactedReason && known("assistant.redacted", turn.redactedReason),
    turn.noAnswerReason && turn.noAnswerReason !== "none" && known("assistant.reason", turn.noAnswerReason),
    ...(turn.notices ?? []).map(notice => known("assistant.notice", notice)),
    ...(turn.retrieval?.notes ?? []).filter(note => note.endsWith("failed")).map(note => known("assistant.note", note)),
    coverage && t("assistant.coverage", {count: coverage.messageCount, summarized: coverage.summarizedCount}),
  ].filter(Boolean)
}

const rate = async (turn, rating, reason, update) => {
  const path = `/v1/turns/${encodeURIComponent(turn.turnId)}/feedback`
  const isSame = turn.feedback?.rating === rating && reason === undefined
  await attempt(async () => {
    if (isSame) {
      await store.api.request("DELETE", path)
      turn.feedback = null
    } else {
      const stored = await store.api.request("POST", path, {body: {rating, ...(reason && {reason})}})
      turn.feedback = stored.feedback
    }
    turn.isExplaining = !isSame && rating === "down" && reason === undefined
    announce(t(isSame ? "assistant.feedbackRemoved" : "assistant.feedbackThanks"))
  })
  update()
}
const explain = async (turn, update) => {
  turn.isOpen = !turn.isOpen
  update()
  if (!turn.isOpen || turn.trace) return
  turn.trace = await attempt(() => store.api.request("GET", `/v1/turns/${encodeURIComponent(turn.turnId)}/trace`))
  if (!turn.trace) turn.isOpen = false
  update()
}
const reasonForm = (turn, update) =>
  h("form", {class: "row", on: {submit: event => {
    event.preventDefault()
    rate(turn, "down", new FormData(event.target).get("reason"), update)
  }}},
    h("label", {class: "field grow"}, h("span", null, t("assistant.feedbackReason")),
      h("input", {name: "reason", maxlength: 1000, ref: element => element.focus()})),
    h("button", {type: "submit"}, t("assistant.send")))

// The answer of a stored turn or of one that is being written; `remove` deletes a stored one.
export const answerView = (turn, update, remove) => {
  const isDone = turn.turnId && !["searching", "writing", "stopped", "failed"].includes(turn.phase)
  const isRated = rating => turn.feedback?.rating === rating
  const thumb = (rating, symbol, label) => iconButton(symbol, t(label), () => rate(turn, rating, undefined, update),
    {"aria-pressed": String(isRated(rating))})
  const lines = notices(turn)
  return h("div", {class: "answer"},
    h("p", {class: "quiet phase", role: "status"}, phase(turn)),
    failure(turn.error),
    text(turn),
    lines.length > 0 && h("div", {class: "alert calm"}, lines.map(line => h("p", {key: line}, line))),
    sourceCards(turn.sources ?? []),
    isDone && h("div", {class: "row tools"},
      thumb("up", "thumbUp", "assistant.good"), thumb("down", "thumbDown", "assistant.bad"),
      iconButton("copy", t("assistant.copy"), () => attempt(() => navigator.clipboard.writeText(turn.answer))),
      remove && iconButton("trash", t("assistant.deleteTurn"), () => remove(turn)),
      button(t("assistant.why"), () => explain(turn, update), {symbol: "info", class: "plain", "aria-expanded": String(!!turn.isOpen)}),
      turn.askedAt && h("time", {class: "quiet", datetime: turn.askedAt}, dateTime(turn.askedAt))),
    turn.isExplaining && reasonForm(turn, update),
    turn.isOpen && turn.trace && traceView(turn.trace, turn))
}
