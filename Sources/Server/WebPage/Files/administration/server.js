// Model services, keys, storage and the doctor.
import {h} from "../lib/dom.js"
import {icon} from "../lib/icons.js"
import {bytes, dateTime, number} from "../lib/text.js"
import {store} from "../data/store.js"
import {button, call, field, hasModel, isSure, percent, read, select} from "../assistant/common.js"
import {a, facts, form, pagedTable, secret, submit, table, word} from "./desk.js"
import {parse, sum} from "./prometheus.js"

const verdict = kind =>
  h("span", {class: `verdict ${kind}`}, icon(kind === "good" ? "check" : "error"), a(`verdict.${kind}`))

export const models = desk => {
  let checks = null
  const test = () => desk.run(async () => {
    const {signal} = desk.controller
    checks = (await call("POST", "/v1/administration/models/test", undefined, {signal})).checks
  })
  return () => [
    !hasModel() && h("p", null, a("modelHow")),
    h("p", null, a("modelsHint")),
    button(a("test"), test, {disabled: desk.isBusy, class: "primary"}),
    checks && table("models", ["service", "state", "duration", "detail"], checks.map(one => [
      word(`service.${one.name}`), verdict(one.isReady ? "good" : "bad"),
      one.milliseconds == null ? "–" : `${number(Math.round(one.milliseconds))} ms`,
      h("bdi", null, one.detail ?? "")])),
  ]
}

const ROLES = ["ingest", "read-as-user", "admin"]
export const keys = desk => {
  let all = []
  let created = null
  let draft = {name: "", role: "ingest", days: "90"}
  const nameOf = key => key.name ?? key.id
  const load = async () => {
    all = await desk.operate({listKeys: {}})
  }
  const create = () => desk.run(async () => {
    const {role, days} = draft
    const name = draft.name.trim() || undefined
    const expiresAt = days ? new Date(Date.now() + days * 86_400_000).toISOString() : undefined
    created = await desk.operate({createKey: {_0: {role, name, expiresAt}}})
    draft = {...draft, name: ""}
    await load()
  })
  const revoke = async key => {
    if (await isSure(a("revoke"), a("revokeText", {name: nameOf(key)}))) desk.run(async () => {
      await desk.operate({revokeKey: {_0: key.id}})
      if (created?.key.id === key.id) created = null
      await load()
    }, a("revoked"))
  }
  const state = ({revokedAt, expiresAt}) => revokedAt ? a("revokedAt", {date: dateTime(revokedAt)})
    : !expiresAt ? a("active")
      : new Date(expiresAt) < Date.now() ? a("expired") : a("until", {date: dateTime(expiresAt)})
  desk.run(load)
  const set = key => value => (draft[key] = value)
  return () => [
    h("h2", null, a("createKey")),
    form(create,
      field(a("name"), draft.name, set("name"), {maxlength: 256, autocomplete: "off"}),
      select(a("role"), draft.role, ROLES.map(key => [key, a(`key.${key}`)]), set("role")),
      select(a("expires"), draft.days,
        [...[30, 90, 365].map(count => [String(count), a("days", {count})]), ["", a("never")]], set("days")),
      submit(a("createKey"), desk.isBusy)),
    created && secret(a("secretOf", {name: nameOf(created.key)}), created.secret, a("secretHint")),
    h("h2", null, a("keys")),
    table("keys", ["name", "id", "role", "created", "lastUsed", "state", "actions"], all.map(key => [
      h("bdi", null, key.name ?? "–"), h("code", null, key.id), a(`key.${key.role}`), dateTime(key.createdAt),
      key.lastUsedAt ? dateTime(key.lastUsedAt) : "–", state(key),
      !key.revokedAt && button(a("revoke"), () => revoke(key),
        {disabled: desk.isBusy, "aria-label": `${a("revoke")}: ${nameOf(key)}`})])),
  ]
}

export const storage = desk => {
  let data = null
  desk.run(async () => {
    const [status, ready, all, page, files] = await Promise.all([desk.operate({status: {}}), read("/v1/status"),
      desk.operate({listConversations: {}}), store.api.send("GET", "/metrics").then(reply => reply.text()),
      read("/v1/administration/files", {limit: 50})])
    all.sort((one, two) => two.messageCount - one.messageCount)
    data = {status, ready, samples: parse(page), all, files}
  })
  const size = name => bytes(sum(data.samples, name) ?? 0)
  const row = one => [
    h("bdi", null, one.name ?? a("direct")), h("code", null, one.id), number(one.messageCount), number(one.memberCount),
    one.source ?? "–", one.lastMessageAt ? dateTime(one.lastMessageAt) : "–",
  ]
  const conversationTable = pagedTable(desk, "conversations",
    ["name", "id", "messages", "people", "source", "lastMessage"], {textOf: one => `${one.name ?? ""} ${one.id}`, row})
  return () => data && [
    facts([
      [a("folder"), h("code", null, data.status.dataFolder)], [a("searchable"), number(data.status.searchablePassages)],
      [a("indexBytes"), size("nexus_index_bytes")], [a("memory"), size("process_resident_memory_bytes")],
      [a("conversations"), number(data.all.length)],
      [a("messages"), number(data.all.reduce((total, one) => total + one.messageCount, 0))],
    ]),
    [...data.ready.notes.map(note => word(`note.${note}`)), ...data.status.notes]
      .map(note => h("p", {class: "alert", key: note}, note)),
    table("checks", ["part", "state", "detail"], data.ready.checks.map(one =>
      [word(`check.${one.name}`), verdict(one.ready ? "good" : "bad"), one.detail ?? ""])),
    h("h2", null, a("conversations")),
    conversationTable(data.all),
    h("h2", null, a("fileShares")),
    h("p", null, a("fileSharesHint", {limit: bytes(data.files.limit)})),
    table("fileShares", ["user", "files", "size", "share"], data.files.people.map(one => [
      h("code", null, one.userId), number(one.count), bytes(one.byteCount), percent(one.byteCount / one.limit)])),
  ]
}

export const doctor = desk => {
  let findings = null
  const examine = () => desk.run(async () => {
    findings = await desk.operate({doctor: {}})
  })
  return () => [
    h("p", null, a("doctorHint")),
    button(a("examine"), examine, {disabled: desk.isBusy, class: "primary"}),
    findings && table("doctor", ["part", "state", "detail"],
      findings.map(one => [one.subject, verdict(one.verdict), h("bdi", null, one.detail)])),
  ]
}
