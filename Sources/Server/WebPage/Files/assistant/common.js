// What the assistant's screens share.
import {h} from "../lib/dom.js"
import {icon} from "../lib/icons.js"
import {confirm, openDialog} from "../lib/dialog.js"
import {go, link} from "../lib/router.js"
import {addTexts, language, shortDate, t} from "../lib/text.js"
import {sentence} from "../data/errors.js"
import {store} from "../data/store.js"
import {highlight} from "./highlight.js"
import texts from "../text/assistant.js"
import roomTexts from "../text/rooms.js"

addTexts(texts)
addTexts(roomTexts)

export const at = (...segments) => `/v1/${segments.map(encodeURIComponent).join("/")}`
export const call = (method, path, body, more) => store.api.request(method, path, {body, ...more})
export const read = (path, query) => call("GET", path, undefined, {query})
export const isSure = (title, text, action = title) => confirm({title, text, action, isDangerous: true})

export const placeOf = ({conversationId, messageId}) => link("conversation", conversationId, "message", messageId)
// Where in a file an excerpt is: "plan.pdf, page 3".
const UNITS = {page: "assistant.inPage", sheet: "assistant.inSheet", slide: "assistant.inSlide", part: "assistant.inPart"}
export const filePlace = ({file}) => file && h("span", {class: "file-place quiet"}, icon("file"),
  h("span", null, h("bdi", null, file.name),
    UNITS[file.unit] && `, ${t(UNITS[file.unit], {name: file.label ?? file.number})}`))
// The conversation of a pane beside a conversation.
export const insideOf = route => route.conversationId ?? (route.name === "conversation" ? route.id : null)
export const openPlace = place => go(placeOf(place))
export const timeZone = () => store.settings?.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone
export const nameOf = id => {
  const found = store.conversation(id)
  return found?.title || found?.name || id
}
const nameOfPerson = id => store.people().find(one => one.id === id)?.name ?? id
export const percent = share => new Intl.NumberFormat(language(), {style: "percent"}).format(share)

// Without a language model nothing is offered that can only fail; an older server does not say.
export const hasModel = () => store.session.methods?.hasLanguageModel !== false
// What administrators read in its place.
export const modelHint = () => !hasModel() && store.session.user?.role === "administrator" && h("p", {class: "quiet"},
  t("assistant.noModel"), " ", h("a", {href: link("administration", "models")}, t("assistant.toModels")))

// The messages that a result or a source stands for.
export const duplicatesOf = ({duplicates}) => duplicates?.length > 0 && h("details", {class: "quiet"},
  h("summary", null, t("assistant.duplicates", {count: duplicates.length})),
  h("ol", null, duplicates.map((place, index) => h("li", {key: place.messageId},
    h("a", {href: placeOf(place)}, t("assistant.duplicate", {number: index + 1}))))))

// The text for a word of the server, which may be newer than the page.
export const known = (area, word, other = word.replaceAll("_", " ")) => {
  const text = t(`${area}.${word}`)
  return text.startsWith(area) ? other : text
}

export const button = (label, click, {symbol, ...props} = {}) =>
  h("button", {type: "button", ...props, class: `${props.class ?? ""} ${symbol ? "with-icon" : ""}`, on: {click}},
    symbol && icon(symbol), label)
export const select = (label, value, options, change, focus) =>
  h("label", {class: "field"}, h("span", null, label),
    h("select", {value, on: {change: event => change(event.target.value), focus}},
      options.map(([key, text]) => h("option", {value: key, key}, text))))
export const field = (label, value, change, props) =>
  h("label", {class: "field"}, h("span", null, label),
    h("input", {type: "text", value, ...props, on: {input: event => change(event.target.value)}}))

// A dialog with a form; `save(close)` is called when it is sent.
export const dialogForm = (title, save, render) =>
  openDialog({title, class: "small", render: close => h("form", {class: "stack", on: {submit: event => {
    event.preventDefault()
    save(close)
  }}}, render(), h("footer", {class: "actions"}, h("button", {class: "primary"}, t("assistant.save"))))})

export const failure = error => error && h("p", {class: "alert", role: "alert"}, sentence(error))
export const waiting = (isWaiting, text) => h("p", {class: "quiet", role: "status"}, isWaiting ? text : null)
export const marked = (text, query) =>
  highlight(text, query).map(part => part.isHit ? h("mark", null, part.text) : part.text)

export const conversationChoices = () =>
  [["", t("assistant.all")], ...store.conversations.map(one => [one.id, one.title || one.name || one.id])]

// Several of a list: a select that adds one, and a chip for each that is chosen.
const several = (label, none, chosen, choices, nameOf, change, focus) => h("div", {class: "field"},
  select(label, "", [["", chosen.length ? t("assistant.addOne") : none], ...choices.filter(([id]) => id && !chosen.includes(id))],
    id => id && change([...chosen, id]), focus),
  chosen.length > 0 && h("ul", {class: "chips", "aria-label": label}, chosen.map(id => h("li", {key: id},
    h("button", {type: "button", class: "chip", "aria-label": t("new.without", {name: nameOf(id)}), on: {click: () => change(chosen.filter(other => other !== id))}},
      h("bdi", {class: "cut"}, nameOf(id)), icon("close"))))))
const PERIODS = {day: 1, week: 7, month: 30}
const daysAgo = count => {
  const date = new Date()
  date.setDate(date.getDate() - count)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, "0")).join("-")
}
// Kinds of content, in the words of the API.
export const KINDS = ["file", "image", "audio", "video", "document", "link"]
// What of {in, by, from, to, has} is in the query of an address; conversations and people can be there several times.
export const filterOf = query => ({in: query?.getAll("in") ?? [], by: query?.getAll("by") ?? [], from: query?.get("from") ?? "", to: query?.get("to") ?? "",
  has: KINDS.includes(query?.get("has")) ? query.get("has") : ""})
export const filterPairs = ({in: places = [], by = [], from, to, has}) =>
  [...places.map(id => ["in", id]), ...by.map(id => ["by", id]), ["from", from], ["to", to], ["has", has]].filter(([, value]) => value)

// The filters of questions and searches: {in, by, from, to, has}, with lists of conversations and people.
export const filters = (value, change, update) => {
  const set = key => text => change({...value, [key]: text})
  const people = store.people().map(one => [one.id, one.name])
  const period = Object.keys(PERIODS).find(key => !value.to && value.from === daysAgo(PERIODS[key])) ?? (value.from || value.to ? "own" : "all")
  return h("div", {class: "filters"},
    several(t("assistant.conversation"), t("assistant.all"), value.in ?? [], conversationChoices(), nameOf, set("in")),
    several(t("assistant.sender"), t("assistant.everybody"), value.by ?? [], people, nameOfPerson, set("by"), update),
    select(t("assistant.has"), value.has ?? "", [["", t("assistant.has.any")], ...KINDS.map(key => [key, t(`assistant.has.${key}`)])], set("has")),
    select(t("assistant.period"), period, [...["all", ...Object.keys(PERIODS)].map(key => [key, t(`assistant.period.${key}`)]),
      ...(period === "own" ? [["own", t("assistant.period.own")]] : [])],
    key => key !== "own" && change({...value, from: PERIODS[key] ? daysAgo(PERIODS[key]) : "", to: ""})),
    field(t("assistant.from"), value.from ?? "", set("from"), {type: "date", max: value.to || null}),
    field(t("assistant.to"), value.to ?? "", set("to"), {type: "date", min: value.from || null}))
}
// The beginning of a day here, or of one some days later.
export const midnight = (day, more) => {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + more)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
export const filterBody = value => ({
  ...(value.in?.length > 0 && {conversationIds: value.in}),
  ...(value.by?.length > 0 && {senderIds: value.by}),
  ...(value.has && {kinds: [value.has]}),
  ...(value.from && {from: midnight(value.from, 0)}),
  ...(value.to && {to: midnight(value.to, 1)}),
  timeZone: timeZone(),
})
export const filterText = value => [
  ...(value.in ?? []).map(nameOf),
  ...(value.by ?? []).map(nameOfPerson),
  value.has && t(`assistant.has.${value.has}`),
  value.from && t("assistant.since", {date: shortDate(`${value.from}T12:00`)}),
  value.to && t("assistant.until", {date: shortDate(`${value.to}T12:00`)}),
].filter(Boolean).join(" · ")
