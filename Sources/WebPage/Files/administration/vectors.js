// Embedding: progress, generations, the queue, and messages that were given up.
import {h} from "../lib/dom.js"
import {confirm} from "../lib/dialog.js"
import {dateTime, number, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {button, field, percent, placeOf} from "../assistant/common.js"
import {a, counts, form, submit, table} from "./desk.js"

export const embedding = desk => {
  let generations = []
  let reports = []
  let estimate = null
  const draft = {model: "", dimensions: "", baseURL: "", rate: ""}
  const listed = found => found._0 ?? found
  desk.every(4, async () => {
    const [list, status] = await Promise.all([desk.operate({listGenerations: {}}), store.api.request("GET", "/v1/status")])
    generations = listed(list)
    reports = status.embedding
  })
  const report = number => reports.find(one => one.generation === number)
  const act = command => desk.run(async () => {
    await desk.operate(command)
    generations = listed(await desk.operate({listGenerations: {}}))
  }, a("done"))
  const switchTo = async one => {
    const isForced = one.queue.pendingCount > 0
    if (isForced && !await confirm({title: a("switch"), text: a("switchText", {count: one.queue.pendingCount}), action: a("switch")})) return
    act({switchGeneration: {_0: one.number, isForced}})
  }
  const drop = async one => {
    if (await confirm({title: a("drop"), text: a("dropText", {number: one.number}), action: a("drop"), isDangerous: true})) {
      act({dropGeneration: {_0: one.number}})
    }
  }
  const request = isDryRun => ({reembed: {_0: {isDryRun, switchShare: 1, ...(draft.model.trim() && {model: draft.model.trim()}),
    ...(draft.baseURL.trim() && {baseURL: draft.baseURL.trim()}), ...(Number(draft.dimensions) && {dimensions: Number(draft.dimensions)}),
    ...(Number(draft.rate) && {rate: Number(draft.rate)})}}})
  const guess = () => desk.run(async () => {
    const found = await desk.operate(request(true))
    estimate = found._0 ?? found
  })
  const start = async () => {
    if (await confirm({title: a("reembed"), text: a("reembedText"), action: a("reembed")})) act(request(false))
  }
  const left = one => {
    const seconds = report(one.number)?.secondsLeft
    return !one.queue.pendingCount ? "" : seconds == null ? "" : a("left", {minutes: Math.ceil(seconds / 60)})
  }
  const row = one => [
    one.number, a(`generation.${one.state}`), h("bdi", null, `${one.model} (${one.dimensions})`),
    h("div", null, h("progress", {value: one.coverage, max: 1, "aria-label": a("coverage")}), ` ${percent(one.coverage)} ${left(one)}`),
    number(one.queue.pendingCount), number(one.queue.failedCount), number(one.tokenCount), one.cost == null ? "–" : number(one.cost),
    h("div", {class: "row"},
      ["filling", "standby"].includes(one.state) && button(a("switch"), () => switchTo(one), {disabled: desk.isBusy, "aria-label": `${a("switch")} ${one.number}`}),
      !["serving", "retired"].includes(one.state) && button(a("drop"), () => drop(one), {disabled: desk.isBusy, "aria-label": `${a("drop")} ${one.number}`})),
  ]
  const serving = () => reports.find(one => one.state === "serving")
  const set = key => value => {
    draft[key] = value
    estimate = null
  }
  return () => [
    serving() && [
      h("h2", null, a("queue")),
      counts("queue", {...serving().coverage, messagesPerSecond: Math.round(serving().messagesPerSecond * 10) / 10,
        oldestWaitingSeconds: Math.round(serving().oldestWaitingSeconds ?? 0)}),
      serving().isBacklogPaused && h("p", {class: "alert"}, a("paused")),
      button(a("embedNow"), () => act({ingest: {}}), {disabled: desk.isBusy}),
    ],
    h("h2", null, a("generations")),
    table(a("generations"), [a("number"), a("state"), a("model"), a("coverage"), a("waiting"), a("failedCount"), a("tokens"), a("cost"), a("actions")],
      generations.map(row)),
    h("h2", null, a("reembed")),
    h("p", {class: "quiet"}, a("reembedHint")),
    form(start,
      field(a("model"), draft.model, set("model")),
      field(a("dimensions"), draft.dimensions, set("dimensions"), {type: "number", min: 1}),
      field(a("baseURL"), draft.baseURL, set("baseURL"), {type: "url"}),
      field(a("rate"), draft.rate, set("rate"), {type: "number", min: 1}),
      button(a("estimate"), guess, {disabled: desk.isBusy}),
      submit(a("reembed"), desk.isBusy)),
    estimate && h("div", {role: "status"}, counts("count", estimate)),
  ]
}

export const failed = desk => {
  let items = []
  const load = async () => {
    const found = await desk.operate({listFailed: {}})
    items = found._0 ?? found
  }
  const retry = names => desk.run(async () => {
    await desk.operate({retryFailed: {names}})
    await load()
  }, a("retried"))
  desk.run(load)
  return () => [
    h("p", {class: "quiet"}, a("failedHint")),
    h("div", {class: "row"},
      button(a("retryAll"), () => retry([]), {disabled: desk.isBusy || !items.length}),
      button(a("refresh"), () => desk.run(load), {disabled: desk.isBusy, symbol: "refresh"})),
    table(a("failed"), [a("message"), a("reason"), a("attempts"), a("time"), a("actions")], items.map(item => [
      h("a", {href: placeOf(item)}, `${item.conversationId}/${item.messageId}`),
      h("span", null, h("code", null, item.code), " ", h("bdi", null, item.reason)), item.attempts, dateTime(item.failedAt),
      button(a("retry"), () => retry([`${item.conversationId}/${item.messageId}`]), {disabled: desk.isBusy})])),
  ]
}
