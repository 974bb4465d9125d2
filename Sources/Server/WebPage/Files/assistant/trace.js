// "Why this answer": the trace in words, and the signals of the best messages as bars.
import {h} from "../lib/dom.js"
import {list, shortDate, t} from "../lib/text.js"
import {known, nameOf, percent, placeOf} from "./common.js"
import {store} from "../data/store.js"

const KINDS = {
  meaning: ["cosine", "window", "tokens"],
  words: ["lexical", "coverage", "phrase"],
  people: ["speaker", "company"],
  time: ["time", "date", "namedDay", "lexicalDate", "recency"],
  talk: ["answer", "question"],
}
const kindOf = name => Object.keys(KINDS).find(kind => KINDS[kind].includes(name)) ?? "other"

// Adds the signals' contributions up by kind: [{kind, share}], the largest first.
export const shares = signals => {
  const sums = new Map()
  for (const {name, contribution} of signals) {
    if (contribution > 0) sums.set(kindOf(name), (sums.get(kindOf(name)) ?? 0) + contribution)
  }
  const total = [...sums.values()].reduce((a, b) => a + b, 0)
  return [...sums].map(([kind, sum]) => ({kind, sum, share: sum / total})).sort((a, b) => b.sum - a.sum)
}

// One bar; `scale` is the largest sum of the bars that stand together.
export const signalBar = (signals, scale) => {
  const all = shares(signals).filter(one => one.share >= .005)
  let x = 0
  return [
    h("svg", {class: "signals", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true"},
      all.map(({kind, sum}) => {
        const width = sum / scale * 100
        x += width
        const box = {x: x - width, y: 0, width: Math.max(0, width - .4), height: 6}
        return h("rect", {key: kind, class: `signal ${kind}`, ...box})
      })),
    h("span", {class: "quiet legend"}, all.map(({kind, share}) =>
      h("span", {key: kind}, h("i", {class: `signal ${kind}`}), `${t(`assistant.signal.${kind}`)} ${percent(share)}`)),
    !all.length && t("assistant.noSignals")),
  ]
}
export const sumOf = signals => shares(signals).reduce((sum, one) => sum + one.sum, 0)

const filterWords = filter => [
  filter.conversationIds?.length && t("assistant.why.in", {names: list(filter.conversationIds.map(nameOf))}),
  filter.senderIds?.length && t("assistant.why.by", {
    names: list(filter.senderIds.map(id => store.people().find(one => one.id === id)?.name ?? id))}),
  filter.from && t("assistant.since", {date: shortDate(filter.from)}),
  filter.to && t("assistant.until", {date: shortDate(filter.to)}),
].filter(Boolean).join(", ")

export const sentences = (trace, turn) => {
  const {generation, durations} = trace
  const cited = new Set((turn.citations ?? []).map(one => one.messageId)).size
  const where = filterWords(trace.filter)
  return [
    trace.mode && known("assistant.mode", trace.mode),
    where && t("assistant.why.filter", {where}),
    trace.searchedQuestion && trace.searchedQuestion !== turn.question
      && t("assistant.why.searched", {question: trace.searchedQuestion}),
    trace.hits.length > 0 && t("assistant.why.found", {count: trace.hits.length, cited}),
    ...trace.notes.map(note => known("assistant.note", note)),
    generation.model
      ? t("assistant.why.model", {model: generation.model, prompt: generation.promptTokens ?? 0,
        completion: generation.completionTokens ?? 0})
      : t("assistant.why.quoted"),
    t("assistant.why.took", {total: Math.round(durations.total ?? 0), answer: Math.round(durations.answer ?? 0)}),
  ].filter(Boolean)
}

export const traceView = (trace, turn) => {
  const hits = trace.hits.slice(0, 5)
  const scale = Math.max(...hits.map(hit => sumOf(hit.signals)), .001)
  return h("div", {class: "why", ref: element => element.scrollIntoView({block: "nearest"})},
    h("ul", null, sentences(trace, turn).map(text => h("li", {dir: "auto"}, text))),
    hits.length > 0 && [
      h("h3", null, t("assistant.why.best")),
      h("ol", {class: "hits"}, hits.map(hit => {
        const isHit = one => one.messageId === hit.messageId && one.conversationId === hit.conversationId
        const source = turn.sources.find(isHit)
        return h("li", {key: hit.rank},
          h("a", {href: placeOf(hit)}, h("bdi", null, source?.senderName ?? nameOf(hit.conversationId)),
            source && [" · ", h("bdi", null, source.conversationName)]),
          hit.relevance > 0
            && h("span", {class: "quiet"}, " ", t("assistant.match", {percent: percent(hit.relevance)})),
          signalBar(hit.signals, scale))
      })),
    ])
}
