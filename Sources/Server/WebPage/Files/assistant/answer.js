import {h} from "../lib/dom.js"
import {attempt, announce, copyText, opened} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {link} from "../lib/router.js"
import {dateTime, t} from "../lib/text.js"
import {blockNodes} from "../lib/prose.js"
import {iconButton} from "../lib/ui.js"
import {blocks} from "./citations.js"
import {at, button, call, failure, known, openPlace, placeOf, read} from "./common.js"
import {previewing} from "./preview.js"
import {sourceCards} from "./sources.js"
import {traceView} from "./trace.js"

const mark = (citation, turn) => {
  const source = turn.sources.find(one => one.number === citation.number)
  const {senderName = "", conversationName = ""} = source ?? {}
  const label = t("assistant.citation", {number: citation.number, name: senderName, place: conversationName})
  return h("button", {type: "button", class: "citation", "aria-label": label,
    on: {click: () => openPlace(citation), ...(source && previewing(source))}}, `[${citation.number}]`)
}
const doubt = ({support, reasons = []}) => {
  const why = reasons.map(reason => known("assistant.support.reason", reason)).join(", ")
  const label = known("assistant.support", support)
  return h("span", {class: `doubt ${support}`, title: why && t("assistant.support.differs", {what: why})}, label)
}
// What the notices say better: without a model the first line, with a short context a note for operators.
const isSaid = (block, i, {notices = []}) => {
  const last = block.nodes?.at(-1)?.text
  return i === 0 && /extractive|model_unavailable/.test(notices) && !notices.includes("as_of") && last?.endsWith(":")
    || notices.includes("prompt_cut") && block.nodes?.some(node => node.kind === "code" && node.nodes[0]?.text === "chat.context-tokens")
}
const text = turn => {
  const shown = blocks(turn.answer, turn.citations, turn.sentences).filter((block, i) => !isSaid(block, i, turn))
  const place = range => range.sentence ? doubt(range.sentence) : range.citations.map(citation => mark(citation, turn))
  return shown.length > 0 && h("div", {class: "prose"}, blockNodes(shown, {mark: place, heading: "h3"}))
}

// What is done before the first word: messages are found, parts of a long conversation summarized, sources read.
const waiting = ({readShare, sources, progress}) => {
  if (readShare !== undefined) return t("assistant.readingShare", {percent: Math.floor(readShare * 100)})
  if (sources.length > 0) return t("assistant.readingSources")
  return progress ? t("assistant.reading", progress) : t("assistant.searching")
}
const phase = turn =>
  turn.phase === "searching" ? waiting(turn) : ["writing", "stopped"].includes(turn.phase) && t(`assistant.${turn.phase}`)
const notices = ({redactedReason, noAnswerReason, notices = [], retrieval, coverage}) => [
  redactedReason && known("assistant.redacted", redactedReason),
  noAnswerReason && noAnswerReason !== "none" && known("assistant.reason", noAnswerReason),
  ...notices.map(notice => known("assistant.notice", notice)),
  ...(retrieval?.notes ?? []).filter(note => note.endsWith("failed")).map(note => known("assistant.note", note)),
  coverage && t("assistant.coverage", {count: coverage.messageCount, summarized: coverage.summarizedCount}),
].filter(Boolean)

// The later message that replaces what the answer says, or the edited one because of which it was removed.
const outdated = ({outdated, redactedReason}) => outdated && h("p", {class: "alert outdated", key: "outdated"},
  h("strong", null, t(redactedReason ? "assistant.outdatedEdited" : "assistant.outdated")), " ",
  h("a", {href: placeOf(outdated.by)}, h("bdi", null, outdated.by.senderName), ": ",
    h("bdi", {class: "excerpt"}, outdated.by.excerpt)), " ",
  h("time", {class: "quiet", datetime: outdated.by.timestamp}, dateTime(outdated.by.timestamp)))

const rate = async (turn, rating, reason, update) => {
  const path = at("turns", turn.turnId, "feedback")
  const isSame = turn.feedback?.rating === rating && reason === undefined
  await attempt(async () => {
    const stored = await (isSame ? call("DELETE", path) : call("POST", path, {rating, ...(reason && {reason})}))
    turn.feedback = stored?.feedback
    turn.isExplaining = !isSame && rating === "down" && reason === undefined
    announce(t(isSame ? "assistant.feedbackRemoved" : "assistant.feedbackThanks"))
  })
  update()
}
const explain = async (turn, update) => {
  turn.isOpen = !turn.isOpen
  update()
  turn.trace ??= await attempt(() => read(at("turns", turn.turnId, "trace")))
  turn.isOpen &&= Boolean(turn.trace)
  update()
}
const reasonForm = (turn, update) =>
  h("form", {class: "row ends", on: {submit: event => {
    event.preventDefault()
    rate(turn, "down", new FormData(event.target).get("reason"), update)
  }}},
    h("label", {class: "field grow"}, h("span", null, t("assistant.feedbackReason")),
      h("input", {name: "reason", maxlength: 1000, ref: element => element.focus()})),
    h("button", null, t("assistant.send")))

// The answer of a stored turn or of one that is being written. `actions` are those of a conversation with the assistant:
// `remove` deletes a stored one, `again` and `edit` ask its question once more.
export const answerView = (turn, update, {remove, again, edit} = {}) => {
  const isDone = (turn.phase ?? "done") === "done"
  const isStored = turn.turnId && isDone
  const isOver = isStored || turn.phase === "stopped"
  const thumb = (rating, symbol, label) => iconButton(symbol, t(label), () => rate(turn, rating, undefined, update),
    {"aria-pressed": String(turn.feedback?.rating === rating)})
  const lines = notices(turn)
  return h("div", {class: "answer"},
    h("p", {class: "quiet", role: "status"}, phase(turn)),
    failure(turn.error),
    text(turn),
    outdated(turn),
    lines.length > 0 && h("div", {class: "alert calm"}, lines.map(line => h("p", {key: line}, line))),
    sourceCards(turn.sources, isDone),
    isOver && h("div", {class: "row tools"},
      isStored && [thumb("up", "thumbUp", "assistant.good"), thumb("down", "thumbDown", "assistant.bad")],
      turn.answer && iconButton("copy", t("assistant.copy"), () => copyText(turn.answer, t("assistant.copied"))),
      isStored && turn.answer && turn.question && iconButton("send", t("assistant.share"), () => opened(() => import("./share.js"), ({share}) => share(turn))),
      turn.question && again && iconButton("refresh", t("assistant.again"), () => again(turn)),
      turn.question && edit && iconButton("edit", t("assistant.editQuestion"), () => edit(turn)),
      isStored && remove && iconButton("trash", t("assistant.deleteTurn"), () => remove(turn)),
      isStored && turn.question && h("a", {class: "button plain with-icon", href: link("subject", {q: turn.question})},
        icon("clock"), t("assistant.timeline")),
      isStored && button(t("assistant.why"), () => explain(turn, update),
        {symbol: "info", class: "plain", "aria-expanded": String(Boolean(turn.isOpen))}),
      h("time", {class: "quiet", datetime: turn.askedAt}, dateTime(turn.askedAt))),
    turn.isExplaining && reasonForm(turn, update),
    turn.isOpen && turn.trace && traceView(turn.trace, turn))
}
