// Catching up in a conversation: a summary of a period, and unread messages by urgency.
import {h} from "../lib/dom.js"
import {dateTime, language, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {answerView} from "./answer.js"
import {Answering} from "./answering.js"
import {at, button, call, failure, hasModel, modelHint, percent, placeOf, read, select, timeZone} from "./common.js"

const DAY = 86_400_000
const PERIODS = {day: DAY, week: 7 * DAY, month: 30 * DAY, all: 0}

export const catchUp = (conversationId, update) => {
  const path = (...more) => at("conversations", conversationId, ...more)
  const conversation = store.conversation(conversationId)
  // Opening the conversation marks it as read, so what was unread is noted first.
  const unread = conversation?.unreadCount ? {count: conversation.unreadCount, first: conversation.firstUnreadId} : null
  let period = unread ? "unread" : "week"
  let answer = null
  let urgent = null
  let error = null
  let isJudging = false

  const since = async () => {
    if (period !== "unread") return PERIODS[period] ? new Date(Date.now() - PERIODS[period]).toISOString() : null
    return (await read(path("messages", unread.first))).timestamp
  }
  const guard = async work => {
    error = null
    try {
      await work()
    } catch (found) {
      error = found
    }
    update()
  }
  const summarize = () => guard(async () => {
    const start = await since()
    const body = {timeZone: timeZone(), language: language(), ...(start && {since: start, unread: period === "unread"})}
    answer?.stop()
    answer = new Answering(path("summary"), body, "")
    answer.watchers.add(update)
    answer.run()
  })
  const judge = () => guard(async () => {
    isJudging = true
    update()
    try {
      const start = await since() ?? new Date(Date.now() - 30 * DAY).toISOString()
      urgent = (await call("POST", path("priorities"), {since: start, timeZone: timeZone()})).messages
    } finally {
      isJudging = false
    }
  })
  const periods = [...(unread ? [["unread", t("assistant.unread", {count: unread.count})]] : []),
    ...Object.keys(PERIODS).map(key => [key, t(`assistant.period.${key}`)])]
  return {
    close: () => answer?.stop(),
    render: () => !hasModel() ? modelHint() : h("section", {class: "catch-up", key: "catch-up"},
      h("h2", {class: "sr"}, t("assistant.catchUp")),
      h("div", {class: "row"},
        select(t("assistant.period"), period, periods, value => (period = value)),
        answer?.isRunning ? button(t("assistant.stop"), () => answer.stop(), {symbol: "stop"})
          : button(t("assistant.catchUp"), summarize, {symbol: "list"}),
        button(t(isJudging ? "assistant.judging" : "assistant.urgent"), judge, {symbol: "clock", disabled: isJudging})),
      failure(error),
      answer && answerView(answer, update),
      urgent && h("ol", {class: "cards"},
        !urgent.length && h("li", {class: "quiet"}, t("assistant.nothingUrgent")),
        urgent.map(one => h("li", {key: one.messageId},
          h("a", {class: "source", href: placeOf({conversationId, messageId: one.messageId})},
            h("span", {class: "source-head"}, h("bdi", {class: "name"}, one.senderName),
              h("time", {class: "quiet", datetime: one.timestamp}, dateTime(one.timestamp)),
              one.score !== undefined
                && h("span", {class: "match"}, t("assistant.urgency", {percent: percent(one.score)}))),
            h("span", {class: "excerpt", dir: "auto"}, one.text),
            one.reason && h("span", {class: "quiet", dir: "auto"}, one.reason)))))),
  }
}
