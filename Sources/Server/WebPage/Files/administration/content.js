// Imports and erasure.
import {h} from "../lib/dom.js"
import {bytes, number, shortDate, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {button, field, select, timeZone} from "../assistant/common.js"
import {toggle} from "../lib/ui.js"
import {a, counts, facts, form, idProps, outcome, submit, table, word} from "./desk.js"

export const imports = desk => {
  let file = null
  let workspace = ""
  let zone = timeZone()
  let order = ""
  let areChannelsOpen = false
  let result = null
  let rejected = []
  let wasDry = false
  const isNothing = () => !result.hasOwnConversations && !result.conversations?.length &&
    ["insertedMessages", "updatedMessages", "unchangedMessages", "deletedMessages"].every(key => !result[key])
  const run = isDry => file && desk.run(async () => {
    result = null
    rejected = []
    wasDry = isDry
    const report = (done, total) => desk.report({stage: "uploading", done, total})
    report(0, file.size)
    let count = 0
    const onText = text => {
      const lines = text.split("\n")
      for (; count < lines.length - 1; count++) {
        const {progress} = JSON.parse(lines[count])
        if (progress) desk.report(progress._0)
      }
    }
    const query = {name: file.name, dryRun: isDry, workspaceURL: workspace.trim() || null, timeZone: zone,
      dateOrder: order || null, openChannels: areChannelsOpen || null}
    const text = await store.api.upload(file, report,
      {path: "/v1/administration/imports", query, signal: desk.controller.signal, onText})
    const lines = text.split("\n").filter(Boolean).map(line => JSON.parse(line))
    const found = await outcome(lines, () => {}, item => rejected.push(item))
    const sum = key => found.memberships?.reduce((total, one) => total + one[key].length, 0)
    result = {...found._0 ?? found, joining: sum("joining"), leaving: sum("leaving")}
  }, () => isDry || isNothing() ? null : a("imported"))
  const place = one => [h("bdi", null, one.name ?? one.id), one.messageCount, one.peopleCount,
    one.first ? `${shortDate(one.first)} – ${shortDate(one.last)}` : "–"]
  const reason = ({place: {entry, unit = "", number = ""} = {}, reason}) =>
    [entry, `${unit} ${number}`.trim(), reason].filter(Boolean).join(": ")
  const zones = [...new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")])]
  const orders = ["", "dmy", "mdy", "ymd"].map(key => [key, a(`dateOrder.${key || "file"}`)])
  return () => [
    h("p", null, a("importHint")),
    form(() => run(false),
      h("label", {class: "field grow"}, h("span", null, a("file")),
        h("input", {type: "file", accept: ".zip,.json,.jsonl,.ndjson,.txt,.gz", required: true, on: {change: event => {
          file = event.target.files[0] ?? null
          result = null
          desk.update()
        }}})),
      field(a("workspace"), workspace, value => (workspace = value),
        {type: "url", placeholder: "https://acme.slack.com"}),
      select(a("zone"), zone, zones.map(name => [name, name.replaceAll("_", " ")]), value => (zone = value)),
      select(a("dateOrder"), order, orders, value => (order = value)),
      toggle(a("openChannels"), areChannelsOpen, value => {
        areChannelsOpen = value
        desk.update()
      }, {hint: a("openChannelsHint")}),
      button(a("dryRun"), () => run(true), {disabled: !file || desk.isBusy}),
      submit(a("import"), !file || desk.isBusy)),
    file && h("p", {class: "quiet"}, h("bdi", null, file.name), " · ", bytes(file.size)),
    result && h("section", null,
      h("h2", null, a(wasDry ? "preview" : "result")),
      counts("count", result),
      counts("skip", result.skipped ?? {}),
      facts((result.notes ?? []).map(one =>
        [[word(`importNote.${one.kind}`), one.name].filter(Boolean).join(": "), number(one.count)])),
      isNothing() && h("p", {class: "alert", role: "alert"}, a("nothingToImport")),
      result.conversations?.length > 0 && table("conversations", ["name", "messages", "people", "time"],
        result.conversations.map(place))),
    rejected.length > 0 && h("details", null, h("summary", null, a("rejected", {count: rejected.length})),
      h("ul", {class: "plain-list"},
        rejected.slice(0, 200).map((item, i) => h("li", {key: i, dir: "auto"}, reason(item))))),
  ]
}

export const erase = desk => {
  let kind = "user"
  let id = ""
  let found = null
  let typed = ""
  let proof = null
  const known = () => (kind === "user" ? store.people() : store.conversations)
    .map(one => [one.id, one.name || one.title || one.id])
  const start = isConfirmed => desk.run(async () => {
    const subject = id.trim()
    const report = await desk.operate({erase: {_0: {[kind]: {_0: subject}}, isConfirmed}})
    found = {id: subject, counts: report.counts}
    proof = report.proof ?? null
    typed = ""
  }, isConfirmed ? a("erased") : null)
  const forget = () => {
    found = proof = null
    desk.update()
  }
  const isEmpty = () => Object.values(found.counts).every(count => !count)
  return () => [
    h("p", null, a("eraseHint")),
    form(() => start(false),
      select(a("kind"), kind, [["user", a("user")], ["conversation", t("assistant.conversation")]], value => {
        kind = value
        forget()
      }),
      field("ID", id, value => {
        id = value
        if (found) forget()
      }, {required: true, list: "erase-ids", ...idProps}),
      h("datalist", {id: "erase-ids"}, known().map(([key, name]) => h("option", {key, value: key}, name))),
      submit(a("count"), desk.isBusy)),
    found && h("section", {class: "danger-zone"},
      h("h2", null, a(proof ? "erasedOf" : "eraseOf", {id: found.id})),
      counts("count", found.counts),
      proof ? [
        h("p", {role: "status"}, a("proof", {count: proof.searchedCount, files: proof.fileCount}), " ",
          proof.remains.length ? a("remains") : a("noRemains")),
        h("ul", null, proof.remains.map(one => h("li", {key: one.file}, `${one.file}: ${one.count}`))),
      ] : isEmpty() ? h("p", null, a("nothingToErase")) : form(() => typed === found.id && start(true),
        field(a("typeId", {id: found.id}), typed, value => {
          typed = value
          desk.update()
        }, idProps),
        h("button", {class: "danger", disabled: typed !== found.id || desk.isBusy}, a("eraseNow")))),
  ]
}
