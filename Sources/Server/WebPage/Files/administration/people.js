// Users, invitations, and the people of imported histories.
import {h} from "../lib/dom.js"
import {addTexts, ago, dateTime, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {at, button, call, field, isSure, read, select} from "../assistant/common.js"
import entryTexts from "../text/entry.js"
import {a, choice, form, idProps, Mismatch, pagedTable, secret, submit} from "./desk.js"

addTexts(entryTexts)

const ROLES = ["member", "administrator"]
const KINDS = ["member", "guest", "bot"]

// An id that somebody can type and say; those of imports may have other letters.
const newId = () => ({...idProps, pattern: "[\\p{L}\\p{N}._@+\\-]+", title: a("idRule")})

export const users = desk => {
  let accounts = []
  let link = null
  let authors = null
  let draft = {userId: "", name: "", role: "member"}
  const load = async () => {
    accounts = (await read("/v1/accounts")).accounts.map(one => ({...one, name: one.name ?? one.userId}))
  }
  const isSelf = account => account.userId === store.session.user?.id
  const change = (account, body) => desk.run(async () => {
    await call("PATCH", at("accounts", account.userId), body)
    await load()
  }, a("saved"))
  const disable = async account => {
    const isOff = account.isDisabled
    if (isOff || await isSure(a("disable"), a("disableText", account))) change(account, {isDisabled: !isOff})
  }
  const invited = (name, reply) => {
    link = {name, url: new URL(reply.link, location.origin).href, until: reply.expiresAt}
  }
  const reset = account => desk.run(async () =>
    invited(account.name, await call("POST", at("accounts", account.userId, "reset"))))
  const invite = () => desk.run(async () => {
    const body = {...draft, name: draft.name || draft.userId}
    invited(body.name, await call("POST", "/v1/accounts", body))
    draft = {...draft, userId: "", name: ""}
    await load()
  })
  const loadAuthors = () => desk.run(async () => {
    const found = await desk.operate({listUsers: {}})
    const kinds = new Map(found.kinds.map(one => [one.id, one.kind]))
    authors = found._0.map(one => ({...one, stated: kinds.get(one.userID) ?? "member"}))
  })
  const map = (author, userID) => userID && userID !== author.userID && desk.run(async () => {
    const {stated, ...identity} = author
    const given = {...identity, userID}
    const reply = await desk.operate({mapUser: {_0: given}})
    // A name that is in several conversations may be that of several people.
    if (Array.isArray(reply)) {
      const count = reply.flatMap(one => one.places).length
      if (!await isSure(a("mapName"), a("mapNameText", {name: author.name, count}))) return false
      await desk.operate({mapUser: {_0: given, isConfirmed: true}})
    }
    author.userID = userID
  }, a("saved"))
  const row = account => [
    h("bdi", null, account.name), account.userId,
    choice(a("roleOf", account), account.role, "role", ROLES, role => change(account, {role}), isSelf(account)),
    a(account.isDisabled ? "disabled" : account.isInvited ? "invited" : "active"),
    account.lastSignInAt ? h("time", {title: dateTime(account.lastSignInAt)}, ago(account.lastSignInAt)) : "–",
    h("div", {class: "row"},
      button(a("reset"), () => reset(account), {disabled: desk.isBusy, "aria-label": a("resetOf", account)}),
      !isSelf(account) && button(a(account.isDisabled ? "enable" : "disable"), () => disable(account),
        {disabled: desk.isBusy, "aria-label": a(account.isDisabled ? "enableOf" : "disableOf", account)})),
  ]
  const state = (one, kind) => {
    one.stated = kind
    desk.run(() => desk.operate({setUserKind: {_0: one.userID, _1: kind}}), a("saved"))
  }
  const author = one => {
    const name = one.name ?? one.externalID
    return [
      h("bdi", null, name), one.source, one.email ?? "–",
      h("input", {value: one.userID, "aria-label": a("userOf", {name}),
        on: {change: event => map(one, event.target.value.trim())}}),
      choice(a("kindOf", {name}), one.stated, "kind", KINDS, kind => state(one, kind)),
    ]
  }
  const self = store.session.user
  const first = {userId: self?.id ?? "", name: self?.name ?? "", password: "", again: ""}
  const turnOn = () => desk.run(async () => {
    const {again, ...body} = first
    if (body.password !== again) throw new Mismatch(t("entry.differs"))
    await store.turnSignInOn(body)
    Object.assign(first, {password: "", again: ""})
    await load()
  }, a("signInIsOn"))
  // An invitation would be of no use to anybody while nobody signs in.
  const start = () => {
    const input = (key, label, props) => field(label, first[key], value => (first[key] = value), {required: true, ...props})
    return [
      h("h2", null, a("turnSignInOn")),
      h("p", null, a("turnSignInOnHint")),
      form(turnOn,
        input("userId", t("entry.user"), {maxlength: 128, ...newId(), autocomplete: "username"}),
        input("name", t("entry.name"), {maxlength: 256, autocomplete: "name"}),
        input("password", t("entry.newPassword"), {type: "password", minlength: 8, maxlength: 256, autocomplete: "new-password"}),
        input("again", t("entry.again"), {type: "password", autocomplete: "new-password"}),
        submit(a("turnSignInOn"), desk.isBusy)),
    ]
  }
  const accountTable = pagedTable(desk, "users", ["name", "userId", "role", "state", "lastSignIn", "actions"],
    {textOf: ({name, userId}) => `${name} ${userId}`, row})
  const authorTable = pagedTable(desk, "authors", ["name", "source", "mail", "userId", "kind"],
    {textOf: one => [one.name, one.externalID, one.source, one.email, one.userID].join(" "), row: author})
  desk.run(load)
  const set = key => value => (draft[key] = value)
  const invitations = () => [
    h("h2", null, a("invite")),
    form(invite,
      field(a("userId"), draft.userId, set("userId"), {required: true, maxlength: 128, ...newId()}),
      field(a("name"), draft.name, set("name"), {maxlength: 256, autocomplete: "off"}),
      select(a("role"), draft.role, ROLES.map(key => [key, a(`role.${key}`)]), set("role")),
      submit(a("invite"), desk.isBusy)),
    link && secret(a("linkOf", link), link.url, a("linkHint", {date: dateTime(link.until)})),
  ]
  return () => [
    store.session.methods?.authentication === "none" ? start() : invitations(),
    h("h2", null, a("users")),
    accountTable(accounts),
    h("h2", null, a("authors")),
    h("p", {class: "quiet"}, a("authorsHint")),
    authors ? authorTable(authors)
      : button(a("show"), loadAuthors, {disabled: desk.isBusy}),
  ]
}
