// The server's metrics as small charts, sampled while they are on the screen.
import {h} from "../lib/dom.js"
import {bytes, number} from "../lib/text.js"
import {store} from "../data/store.js"
import {a} from "./desk.js"
import {parse, quantile, rate, sum} from "./prometheus.js"

const SECONDS = 5
const LENGTH = 60
const per = name => (now, before, seconds) => before && rate(sum(before, name), sum(now, name), seconds)
const level = (name, labels) => now => sum(now, name, labels)
const latency = name => (now, before) => {
  const value = quantile(.95, before, now, name)
  return value === null ? null : value * 1000
}
const round = value => number(Math.round(value * 10) / 10)
const CHARTS = [
  ["requests", per("http_server_request_duration_seconds_count"), round],
  ["latency", latency("http_server_request_duration_seconds"), value => `${round(value)} ms`],
  ["failures", per("nexus_request_failures_total"), round],
  ["searches", per("nexus_searches_total"), round],
  ["questions", level("nexus_questions_active"), round],
  ["sockets", level("nexus_live_connections"), round],
  ["frames", per("nexus_live_frames_total"), round],
  ["waiting", level("nexus_queue_messages", {state: "waiting"}), round],
  ["tokens", per("nexus_tokens_total"), round],
  ["passages", level("nexus_index_passages"), round],
  ["indexBytes", level("nexus_index_bytes"), bytes],
  ["memory", level("process_resident_memory_bytes"), bytes],
]

const path = values => {
  const top = Math.max(...values.filter(value => value !== null), 0) || 1
  let text = ""
  values.forEach((value, i) => {
    const before = values[i - 1] ?? null
    const x = (LENGTH - values.length + i) * 200 / (LENGTH - 1)
    if (value !== null) text += `${before === null ? "M" : "L"}${x} ${38 - value / top * 34}`
  })
  return text
}
const chart = ([name, , show], values) => {
  const known = values.filter(value => value !== null)
  const now = values.at(-1)
  const label = a(`chart.${name}`)
  return h("figure", {key: name},
    h("figcaption", null, label, h("strong", null, now == null ? "–" : show(now))),
    known.length > 2 && h("svg", {viewBox: "0 0 200 40", preserveAspectRatio: "none", role: "img",
      "aria-label": a("range", {label, low: show(Math.min(...known)), high: show(Math.max(...known))})},
      h("path", {class: "base", d: "M0 38H200"}), h("path", {class: "line", d: path(values)})))
}

export const metrics = desk => {
  const series = CHARTS.map(() => [])
  let before = null
  let moment = 0
  let all = []
  desk.every(SECONDS, async () => {
    const now = parse(await (await store.api.send("GET", "/metrics", {signal: desk.controller.signal})).text())
    const seconds = (performance.now() - moment) / 1000
    CHARTS.forEach(([, read], i) => {
      series[i].push(read(now, before, seconds) ?? null)
      if (series[i].length > LENGTH) series[i].shift()
    })
    before = all = now
    moment = performance.now()
    desk.error = null
  })
  return () => [
    h("p", {class: "quiet"}, a("metricsHint", {seconds: SECONDS})),
    h("div", {class: "charts"}, CHARTS.map((one, i) => chart(one, series[i]))),
    h("details", null, h("summary", null, a("allMetrics")),
      h("ul", {class: "plain-list mono"}, all.filter(one => !one.name.endsWith("_bucket")).map((one, i) =>
        h("li", {key: i}, `${one.name} ${Object.values(one.labels).join(" ")} = ${one.value}`)))),
  ]
}
