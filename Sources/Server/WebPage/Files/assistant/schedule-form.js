// The form of a schedule, which shows what it costs before it can be saved.
import {h} from "../lib/dom.js"
import {attempt, openDialog, toast} from "../lib/dialog.js"
import {dateTime, language, list, t} from "../lib/text.js"
import {at, call, conversationChoices, failure, field, select, timeZone} from "./common.js"
import {bodyOf, dayName, DAYS, draftOf, PARTS, toggled} from "./schedule-draft.js"

// Opens the form for a schedule, or for a new one with a question; `saved` is called afterwards.
export const editSchedule = (schedule, question, saved) => {
  const draft = draftOf(schedule, question)
  const state = {preview: null, error: null, isSaving: false}
  let timer = 0
  let generation = 0
  const body = () => bodyOf(draft, timeZone(), language())
  const update = () => dialog.view.update()
  const look = async () => {
    const mine = ++generation
    if (!body()) return
    const found = {preview: null, error: null}
    try {
      found.preview = await call("POST", "/v1/schedules/preview", body())
    } catch (error) {
      found.error = error
    }
    if (mine !== generation) return
    Object.assign(state, found)
    update()
  }
  const set = (key, value) => {
    draft[key] = value
    Object.assign(state, {preview: null, error: null})
    generation++
    clearTimeout(timer)
    timer = setTimeout(look, 500)
    update()
  }
  const save = async close => {
    if (!state.preview || state.isSaving) return
    state.isSaving = true
    update()
    const stored = await attempt(() => schedule ? call("PATCH", at("schedules", schedule.id), body())
      : call("POST", "/v1/schedules", body()))
    state.isSaving = false
    update()
    if (!stored) return
    close()
    toast(t("schedules.saved"))
    saved()
  }
  const checks = (label, key, values, name) => h("fieldset", {class: "field"}, h("legend", null, label),
    values.map(value => h("label", {class: "check", key: value},
      h("input", {type: "checkbox", checked: draft[key].includes(value),
        on: {change: event => set(key, toggled(draft[key], value, event.target.checked))}}),
      h("span", null, name(value)))))
  const cost = ({cost}) => cost
    ? t("schedules.cost", {prompt: cost.promptTokens, answer: cost.answerTokens, month: cost.tokensPerMonth})
    : t("schedules.free")
  const form = close => h("form", {class: "stack", on: {submit: event => {
    event.preventDefault()
    save(close)
  }}},
  select(t("schedules.content"), draft.kind,
    ["question", "digest"].map(kind => [kind, t(`schedules.content.${kind}`)]), kind => set("kind", kind)),
  draft.kind === "question" ? [
    field(t("schedules.question"), draft.question, text => set("question", text), {required: true, maxlength: 8000, dir: "auto"}),
    select(t("assistant.conversation"), draft.in, conversationChoices(), id => set("in", id)),
  ] : checks(t("schedules.parts"), "parts", PARTS, part => t(`schedules.part.${part}`)),
  checks(t("schedules.days"), "days", DAYS, day => dayName(day, language())),
  field(t("schedules.time", {zone: draft.zone ?? timeZone()}), draft.time, time => set("time", time), {type: "time", required: true}),
  h("div", {role: "status", class: "quiet"}, state.preview ? [
    h("p", null, t("schedules.next", {dates: list(state.preview.next.map(dateTime))})),
    h("p", null, cost(state.preview)),
  ] : body() && !state.error && h("p", null, t("schedules.wait"))),
  failure(state.error),
  h("footer", {class: "actions"},
    h("button", {class: "primary", disabled: !state.preview || state.isSaving}, t("schedules.save"))))
  const dialog = openDialog({
    title: t(schedule ? "schedules.edit" : "schedules.add"), class: "small", render: close => form(close),
  })
  dialog.closed.then(() => {
    clearTimeout(timer)
    generation++
  })
  look()
}
