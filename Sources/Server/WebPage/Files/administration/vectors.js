// Embedding: progress, generations, the queue, and messages that were given up.
import {h} from "../lib/dom.js"
import {confirm, toast} from "../lib/dialog.js"
import {dateTime, number} from "../lib/text.js"
import {button, field, isSure, percent, placeOf, read} from "../assistant/common.js"
import {a, counts, form, submit, table} from "./desk.js"

export const embedding = desk => {
  let generations = []
  let reports = []
  let estimate = null
  const draft = {model: "", dimensions: "", baseURL: "", rate: ""}
  desk.every(4, async () => {
    generations = await desk.operate({listGenerations: {}})
    reports = (await read("/v1/status")).embedding
  })
  const act = command => desk.run(async () => {
    await desk.operate(command)
    generations = await desk.operate({listGenerations: {}})
  }, a("done"))
  const switchTo = async one => {
    const count = one.queue.pendingCount
    const title = a("switch")
    if (count && !await confirm({title, text: a("switchText", {count}), action: title})) return
    act({switchGeneration: {_0: one.number, isForced: count > 0}})
  }
  const drop = async one => {
    if (await isSure(a("drop"), a("dropText", one))) act({dropGeneration: {_0: one.number}})
  }
  const request = isDryRun => ({reembed: {_0: {isDryRun, switchShare: 1,
    model: draft.model.trim() || undefined, baseURL: draft.baseURL.trim() || undefined,
    dimensions: Number(draft.dimensions) || undefined, rate: Number(draft.rate) || undefined}}})
  const guess = () => desk.run(async () => {
    estimate = await desk.operate(request(true))
  })
  // It runs for long, and continues when this page is left: the table shows its progress.
  const start = async () => {
    const title = a("reembed")
    if (!await confirm({title, text: a("reembedText"), action: title})) return
    toast(a("started"))
    desk.operate(request(false)).then(() => toast(a("done")), error => {
      desk.error = error
      desk.update()
    })
  }
  const left = one => {
    const seconds = reports.find(report => report.generation === one.number)?.secondsLeft
    return seconds > 0 ? a("left", {minutes: Math.ceil(seconds / 60)}) : ""
  }
  const action = (one, key, act) =>
    button(a(key), () => act(one), {disabled: desk.isBusy, "aria-label": `${a(key)} ${one.number}`})
  const row = one => [
    one.number, a(`generation.${one.state}`), h("bdi", null, `${one.model} (${one.dimensions})`),
    h("div", null, h("progress", {value: one.coverage, max: 1, "aria-label": a("coverage")}),
      ` ${percent(one.coverage)} ${left(one)}`),
    ...[one.queue.pendingCount, one.queue.failedCount, one.tokenCount, one.cost]
      .map(value => value == null ? "–" : number(value)),
    ["filling", "standby"].includes(one.state)
      && h("div", {class: "row"}, action(one, "switch", switchTo), action(one, "drop", drop)),
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
    table("generations",
      ["number", "state", "model", "coverage", "waiting", "failedCount", "tokens", "cost", "actions"],
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
    items = await desk.operate({listFailed: {}})
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
    table("failed", ["message", "reason", "attempts", "time", "actions"], items.map(item => {
      const name = `${item.conversationId}/${item.messageId}`
      return [
        h("a", {href: placeOf(item)}, name), [h("code", null, item.code), " ", h("bdi", null, item.reason)],
        item.attempts, dateTime(item.failedAt),
        button(a("retry"), () => retry([name]), {disabled: desk.isBusy, "aria-label": `${a("retry")}: ${name}`}),
      ]
    })),
  ]
}
