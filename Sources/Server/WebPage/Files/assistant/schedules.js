// The schedules of a person: questions and digests that the assistant repeats.
import {h} from "../lib/dom.js"
import {attempt, openDialog} from "../lib/dialog.js"
import {iconButton} from "../lib/ui.js"
import {go, link} from "../lib/router.js"
import {addTexts, dateTime, language, list, t} from "../lib/text.js"
import {at, button, call, failure, isSure, known, nameOf, read, waiting} from "./common.js"
import {dayName, daysKind} from "./schedule-draft.js"
import {editSchedule} from "./schedule-form.js"
import texts from "../text/schedules.js"

addTexts(texts)

const daysText = days => {
  const kind = daysKind(days)
  return kind ? t(`schedules.${kind}`) : list(days.map(day => dayName(day, language())))
}
const title = ({question, digest}) => question ?? `${t("schedules.parts")}: ${list(digest.map(part => known("schedules.part", part)))}`

// Shows the list; `question` is offered for a new one.
export const openSchedules = question => {
  const state = {page: null, error: null}
  const update = () => dialog.view.update()
  const load = async () => {
    try {
      Object.assign(state, {page: await read("/v1/schedules"), error: null})
    } catch (error) {
      state.error = error
    }
    update()
  }
  const pause = async ({id, pausedReason}) => {
    await attempt(() => call("PATCH", at("schedules", id), {isPaused: !pausedReason}))
    load()
  }
  const remove = async schedule => {
    if (!await isSure(t("schedules.delete"), t("schedules.deleteText"))) return
    await attempt(() => call("DELETE", at("schedules", schedule.id)))
    load()
  }
  const row = schedule => h("li", {key: schedule.id, class: "task"},
    h("div", {class: "grow"},
      h("p", {class: "item-text", dir: "auto"}, title(schedule)),
      h("p", {class: "quiet"},
        h("span", null, t("schedules.at", {days: daysText(schedule.days), time: schedule.time})),
        schedule.conversationId && h("bdi", {class: "name"}, nameOf(schedule.conversationId))),
      h("p", {class: "quiet"},
        h("span", null, schedule.pausedReason ? known("schedules.paused", schedule.pausedReason)
          : t("schedules.next", {dates: dateTime(schedule.next)})),
        schedule.last && h("span", null, t(`schedules.last.${schedule.last.outcome}`, {date: dateTime(schedule.last.at)})))),
    button(t(schedule.pausedReason ? "schedules.resume" : "schedules.pause"), () => pause(schedule), {class: "small"}),
    iconButton("edit", t("schedules.edit"), () => editSchedule(schedule, "", load)),
    iconButton("trash", t("schedules.delete"), () => remove(schedule)))
  const render = close => {
    const {page, error} = state
    const isFull = page && page.schedules.length >= page.limit
    return [
      h("p", {class: "quiet"}, t("schedules.intro")),
      failure(error),
      waiting(!page && !error, t("schedules.loading")),
      page && !page.schedules.length && h("p", null, t("schedules.none")),
      page && h("ul", {class: "cards"}, page.schedules.map(row)),
      isFull && h("p", {class: "quiet"}, t("schedules.full", {limit: page.limit})),
      h("footer", {class: "actions"},
        page?.conversationId && button(t("schedules.open"), () => {
          close()
          go(link("conversation", page.conversationId))
        }),
        page && button(t("schedules.add"), () => editSchedule(null, question, load),
          {class: "primary", symbol: "add", disabled: isFull})),
    ]
  }
  const dialog = openDialog({title: t("schedules.name"), render})
  load()
}
