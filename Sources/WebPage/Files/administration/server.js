// Model services, keys, storage and the doctor.
import {h} from "../lib/dom.js"
import {confirm} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {bytes, dateTime, number, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {button, field, select} from "../assistant/common.js"
import {a, counts, form, secret, submit, table, word} from "./desk.js"
import {parse, sum} from "./prometheus.js"

const verdict = kind => h("span", {class: `verdict ${kind}`}, icon(kind === "good" ? "check" : "error"), a(`verdict.${kind}`))
const plain = found => found?._0 ?? found

export const models = desk => {
  let checks = null
  const test = () => desk.run(async () => {
    checks = (await store.api.request("POST", "/v1/administration/models/test", {signal: desk.controller.signal})).checks
  })
  return () => [
    h("p", null, a("modelsHint")),
    button(a("test"), test, {disabled: desk.isBusy, class: "primary"}),
    checks && table(a("models"), [a("service"), a("state"), a("duration"), a("detail")], checks.map(one => [
      word(`service.${one.name}`), verdict(one.isReady ? "good" : "bad"),
      one.milliseconds == null ? "–" : `${number(Math.round(one.milliseconds))} ms`, h("bdi", null, one.detail ?? "")])),
  ]
}

const ROLES = ["ingest", "read-as-user", "admin"]
export const keys = desk => {
  let all = []
  let created = null
  let draft = {name: "", role: "ingest", days: "90"}
  const load = async () => {
    all = plain(await desk.operate({listKeys: {}}))
  }
  const create = () => desk.run(async () => {
    const expiresAt = draft.days ? new Date(Date.now() + draft.days * 86_400_000).toISOString() : undefined
    created = plain(await desk.operate({createKey: {_0: {role: draft.role, ...(draft.name.trim() && {name: draft.name.trim()}), expiresAt}}}))
    draft = {...draft, name: ""}
    await load()
  })
  const revoke = async key => {
    if (!await confirm({title: a("revoke"), text: a("revokeText", {name: key.name ?? key.id}), action: a("revoke"), isDangerous: true})) return
    desk.run(async () => {
      await desk.operate({revokeKey: {_0: key.id}})
      if (created?.key.id === key.id) created = null
      await load()
    }, a("revoked"))
  }
  const state = key => key.revokedAt ? a("revokedAt", {date: dateTime(key.revokedAt)})
    : key.expiresAt && new Date(key.expiresAt) < Date.now() ? a("expired")
      : key.expiresAt ? a("until", {date: dateTime(key.expiresAt)}) : a("active")
  desk.run(load)
  const set = key => value => (draft[key] = value)
  return () => [
    h("h2", null, a("createKey")),
    form(create,
      field(a("name"), draft.name, set("name"), {maxlength: 256, autocomplete: "off"}),
      select(a("role"), draft.role, ROLES.map(key => [key, a(`key.${key}`)]), set("role")),
      select(a("expires"), draft.days, [["30", a("days", {count: 30})], ["90", a("days", {count: 90})], ["365", a("days", {count: 365})], ["", a("never")]], set("days")),
      submit(a("createKey"), desk.isBusy)),
    created && secret(a("secretOf", {name: created.key.name ?? created.key.id}), created.secret, a("secretHint")),
    h("h2", null, a("keys")),
    table(a("keys"), [a("name"), "ID", a("role"), a("created"), a("lastUsed"), a("state"), a("actions")], all.map(key => [
      h("bdi", null, key.name ?? "–"), h("code", null, key.id), a(`key.${key.role}`), dateTime(key.createdAt),
      key.lastUsedAt ? dateTime(key.lastUsedAt) : "–", state(key),
      !key.revokedAt && button(a("revoke"), () => revoke(key), {disabled: desk.isBusy, "aria-label": `${a("revoke")}: ${key.name ?? key.id}`})])),
  ]
}

export const storage = desk => {
  let status = null
  let samples = []
  let conversations = []
  let checks = null
  const load = async () => {
    const [one, page, two, ready] = await Promise.all([desk.operate({status: {}}),
      store.api.send("GET", "/metrics").then(reply => reply.text()), desk.operate({listConversations: {}}), store.api.request("GET", "/v1/status")])
    ;[status, samples, conversations, checks] = [plain(one), parse(page), plain(two), ready]
  }
  desk.run(load)
  const size = name => bytes(sum(samples, name) ?? 0)
  return () => status && [
    h("dl", {class: "counts"}, [
      [a("folder"), h("code", null, status.dataFolder)], [a("searchable"), number(status.searchablePassages)],
      [a("indexBytes"), size("nexus_index_bytes")], [a("memory"), size("process_resident_memory_bytes")],
      [a("conversations"), number(conversations.length)], [a("messages"), number(conversations.reduce((total, one) => total + one.messageCount, 0))],
    ].map(([label, value]) => h("div", {key: label}, h("dt", null, label), h("dd", null, value)))),
    [...checks.notes.map(note => word(`note.${note}`)), ...status.notes].map(note => h("p", {class: "alert", key: note}, note)),
    table(a("checks"), [a("part"), a("state"), a("detail")], checks.checks.map(one => [word(`check.${one.name}`), verdict(one.ready ? "good" : "bad"), one.detail ?? ""])),
    h("h2", null, a("conversations")),
    table(a("conversations"), [a("name"), "ID", a("messages"), a("people"), a("source"), a("lastMessage")],
      [...conversations].sort((one, two) => two.messageCount - one.messageCount).slice(0, 200).map(one => [h("bdi", null, one.name ?? t("administration.direct")),
        h("code", null, one.id), number(one.messageCount), number(one.memberCount), one.source ?? "–", one.lastMessageAt ? dateTime(one.lastMessageAt) : "–"])),
  ]
}

export const doctor = desk => {
  let findings = null
  const examine = () => desk.run(async () => {
    findings = plain(await desk.operate({doctor: {}}))
  })
  return () => [
    h("p", null, a("doctorHint")),
    button(a("examine"), examine, {disabled: desk.isBusy, class: "primary"}),
    findings && table(a("doctor"), [a("part"), a("state"), a("detail")],
      findings.map(one => [one.subject, verdict(one.verdict), h("bdi", null, one.detail)])),
  ]
}
