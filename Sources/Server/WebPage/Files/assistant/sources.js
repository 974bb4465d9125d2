import {h} from "../lib/dom.js"
import {plainText} from "../lib/markdown.js"
import {dateTime, t} from "../lib/text.js"
import {attempt, toast} from "../lib/dialog.js"
import {button, call, duplicatesOf, filePlace, percent, placeOf} from "./common.js"
import {verdictBody} from "./verdict.js"

// Whether a long excerpt ends within a sentence.
const isCut = text => text.length >= 200 && !/[.!?…。！？]["'”’»)」]*$/u.test(text)

// A cut excerpt ends after its last whole word.
const wholeWords = text => isCut(text) ? `${text.replace(/(?<=\S)\s+\S{0,60}$/u, "")} …` : text

// That a message still holds; the answer stays as it is.
const stillTrue = source => attempt(async () => {
  await call("POST", "/v1/timeline/verdicts", verdictBody("holds", source, source.replacedBy, false))
  toast(t("assistant.verdictNoted"))
})
const replaced = source => source.replacedBy && h("p", {class: "row"},
  h("span", {class: "doubt contradicted"}, t("assistant.superseded")),
  h("a", {class: "elsewhere", href: placeOf(source.replacedBy)}, t("assistant.replacedBy")),
  button(t("assistant.stillTrue"), () => stillTrue(source), {class: "plain"}))

const card = source => h("li", {key: `${source.conversationId}/${source.messageId}`},
  h("a", {class: "source", href: placeOf(source)},
    h("span", {class: "source-head"},
      source.number && h("span", {class: "number"}, source.number),
      h("bdi", {class: "name"}, source.senderName),
      h("bdi", {class: "quiet"}, source.conversationName)),
    h("span", {class: "excerpt", dir: "auto"}, source.start > 0 && "… ", plainText(wholeWords(source.excerpt))),
    filePlace(source),
    h("span", {class: "source-foot quiet"},
      h("time", {datetime: source.timestamp}, dateTime(source.timestamp)),
      source.relevanceScore > 0 && h("span", {class: "match"},
        h("progress", {value: source.relevanceScore, max: 1, "aria-hidden": "true"}),
        t("assistant.match", {percent: percent(source.relevanceScore)})))),
  source.url && h("a", {class: "elsewhere", href: source.url, target: "_blank", rel: "noopener noreferrer"},
    t("assistant.original")),
  replaced(source), duplicatesOf(source))

// The cited sources, and the others behind a fold. While an answer is written, more messages are there than it will keep.
export const sourceCards = (sources, isDone = true) => {
  const cited = sources.filter(one => one.number).sort((a, b) => a.number - b.number)
  const others = sources.filter(one => !one.number)
  return [
    cited.length > 0 && h("section", {class: "sources"},
      h("h3", null, t("assistant.sources")), h("ol", null, cited.map(card))),
    others.length > 0 && h("details", {class: "sources"},
      h("summary", null, t(!isDone ? "assistant.candidates" : cited.length ? "assistant.otherSources" : "assistant.foundSources",
        {count: others.length})),
      h("ol", null, others.map(card))),
  ]
}
