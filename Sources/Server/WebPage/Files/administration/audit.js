// What administrators did, a page at a time; the server finds.
import {h} from "../lib/dom.js"
import {dateTime} from "../lib/text.js"
import {button, field, midnight, read, select} from "../assistant/common.js"
import {a, form, idProps, submit, table, word} from "./desk.js"

const PAGE = 50
const ACTIONS = [
  "account.invited", "account.link-made", "account.role-changed", "account.email-changed", "account.disabled", "account.enabled",
  "sign-in.turned-on", "key.made", "key.revoked", "user.kind-changed", "user.mapped", "users.mapped", "user.erased",
  "conversation.erased", "history.imported", "messages.embedded", "failures.retried", "generation.made",
  "generation.switched", "generation.dropped", "connection.paused", "connection.resumed", "connection.ended",
  "link.ended", "room.left-out", "room.taken-in", "backup.made", "feedback.exported", "other",
]
// The texts of details that are words.
const DETAILS = {"account.invited": "role", "account.role-changed": "role", "key.made": "key", "user.kind-changed": "kind"}

// The query of an address for what a form says; a day counts from its beginning to its end here.
const queryOf = ({person, action, from, to}, before) =>
  ({limit: PAGE, before, person: person.trim() || null, action: action || null,
    from: from ? midnight(from, 0) : null, to: to ? midnight(to, 1) : null})

const who = ({actor, actorId, actorName}) => {
  if (actor === "account" && !actorId) return a("erasedPerson")
  if (actor === "operator" || actor === "anyone") return a(`auditActor.${actor}`)
  return [actor === "key" && `${a("auditActor.key")} `, h("bdi", null, actorName ?? actorId),
    actorName && actorName !== actorId && [" ", h("code", null, actorId)]]
}
const about = ({action, subject, subjectId, detail}) => {
  const area = DETAILS[action]
  const more = detail && (area ? word(`${area}.${detail}`) : detail)
  const object = subjectId ?? (subject === "user" ? a("erasedPerson") : "")
  return [object && h("code", null, object), object && more && ": ", more && h("bdi", null, more), !object && !more && "–"]
}

export const audit = desk => {
  let wanted = {person: "", action: "", from: "", to: ""}
  // The cursors of this page and those before it.
  let cursors = [null]
  let entries = null
  let next = null
  const load = path => desk.run(async () => {
    const page = await read("/v1/administration/audit-log", queryOf(wanted, path.at(-1)))
    cursors = path
    entries = page.entries
    next = page.next ?? null
  })
  const set = key => value => {
    wanted = {...wanted, [key]: value}
    desk.update()
  }
  const row = one => [
    h("time", {datetime: one.startedAt}, dateTime(one.startedAt)), who(one), word(`audit.${one.action}`), about(one),
    word(`auditResult.${one.result}`), word(`auditOrigin.${one.origin}`),
  ]
  const turn = (key, path) => button(a(key), () => load(path),
    {disabled: !path || desk.isBusy, "aria-label": `${a(key)}: ${a("audit")}`})
  load([null])
  return () => [
    h("p", null, a("auditHint")),
    form(() => load([null]),
      field(a("auditPerson"), wanted.person, set("person"), {maxlength: 256, ...idProps}),
      select(a("auditAction"), wanted.action,
        [["", a("auditAll")], ...ACTIONS.map(key => [key, word(`audit.${key}`)])], set("action")),
      field(a("auditFrom"), wanted.from, set("from"), {type: "date", max: wanted.to || null}),
      field(a("auditTo"), wanted.to, set("to"), {type: "date", min: wanted.from || null}),
      submit(a("find"), desk.isBusy)),
    entries && table("audit", ["time", "auditWho", "auditAction", "auditAbout", "state", "auditVia"], entries.map(row)),
    (next || cursors.length > 1) && h("div", {class: "row wrap pages"},
      turn("auditLater", cursors.length > 1 ? cursors.slice(0, -1) : null),
      turn("auditEarlier", next && [...cursors, next])),
  ]
}
