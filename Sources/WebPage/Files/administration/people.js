// Users, invitations, and the people of imported histories.
import {h} from "../lib/dom.js"
import {confirm} from "../lib/dialog.js"
import {ago, dateTime} from "../lib/text.js"
import {store} from "../data/store.js"
import {button, field, select} from "../assistant/common.js"
import {a, form, secret, submit, table} from "./desk.js"

const ROLES = ["member", "administrator"]
const KINDS = ["member", "guest", "bot"]

export const users = desk => {
  let accounts = []
  let link = null
  let authors = null
  let draft = {userId: "", name: "", role: "member"}
  const load = async () => {
    accounts = (await store.api.request("GET", "/v1/accounts")).accounts
  }
  const path = id => `/v1/accounts/${encodeURIComponent(id)}`
  const change = (account, body) => desk.run(async () => {
    await store.api.request("PATCH", path(account.userId), {body})
    await load()
  }, a("saved"))
  const disable = async account => {
    if (!account.isDisabled && !await confirm({title: a("disable"), text: a("disableText", {name: account.name}), action: a("disable"), isDangerous: true})) return
    change(account, {isDisabled: !account.isDisabled})
  }
  const invited = (name, reply) => {
    link = {name, url: new URL(reply.link, location.origin).href, until: reply.expiresAt}
  }
  const reset = account => desk.run(async () => invited(account.name, await store.api.request("POST", `${path(account.userId)}/reset`)))
  const invite = () => desk.run(async () => {
    invited(draft.name || draft.userId, await store.api.request("POST", "/v1/accounts", {body: {...draft, name: draft.name || draft.userId}}))
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
    await desk.operate({mapUser: {_0: {...identity, userID}}})
    author.userID = userID
  }, a("saved"))
  const row = account => [
    h("bdi", null, account.name), account.userId,
    h("select", {value: account.role, "aria-label": a("roleOf", {name: account.name}), disabled: account.userId === store.session.user?.id,
      on: {change: event => change(account, {role: event.target.value})}}, ROLES.map(key => h("option", {key, value: key}, a(`role.${key}`)))),
    a(account.isDisabled ? "disabled" : account.isInvited ? "invited" : "active"),
    account.lastSignInAt ? h("time", {datetime: account.lastSignInAt, title: dateTime(account.lastSignInAt)}, ago(account.lastSignInAt)) : "–",
    h("div", {class: "row"},
      button(a("reset"), () => reset(account), {disabled: desk.isBusy, "aria-label": a("resetOf", {name: account.name})}),
      account.userId !== store.session.user?.id && button(a(account.isDisabled ? "enable" : "disable"), () => disable(account),
        {disabled: desk.isBusy, "aria-label": a(account.isDisabled ? "enableOf" : "disableOf", {name: account.name})})),
  ]
  const author = one => [
    h("bdi", null, one.name ?? one.externalID), one.source, one.email ?? "–",
    h("input", {value: one.userID, "aria-label": a("userOf", {name: one.name ?? one.externalID}), on: {change: event => map(one, event.target.value.trim())}}),
    h("select", {value: one.stated, "aria-label": a("kindOf", {name: one.name ?? one.externalID}), on: {change: event => {
      one.stated = event.target.value
      desk.run(() => desk.operate({setUserKind: {_0: one.userID, _1: one.stated}}), a("saved"))
    }}}, KINDS.map(key => h("option", {key, value: key}, a(`kind.${key}`)))),
  ]
  desk.run(load)
  const set = key => value => (draft[key] = value)
  return () => [
    h("h2", null, a("invite")),
    form(invite,
      field(a("userId"), draft.userId, set("userId"), {required: true, maxlength: 128, autocomplete: "off", autocapitalize: "off", spellcheck: "false"}),
      field(a("name"), draft.name, set("name"), {maxlength: 256, autocomplete: "off"}),
      select(a("role"), draft.role, ROLES.map(key => [key, a(`role.${key}`)]), set("role")),
      submit(a("invite"), desk.isBusy)),
    link && secret(a("linkOf", {name: link.name}), link.url, a("linkHint", {date: dateTime(link.until)})),
    h("h2", null, a("users")),
    table(a("users"), [a("name"), a("userId"), a("role"), a("state"), a("lastSignIn"), a("actions")], accounts.map(row)),
    h("h2", null, a("authors")),
    h("p", {class: "quiet"}, a("authorsHint")),
    authors ? table(a("authors"), [a("name"), a("source"), a("mail"), a("userId"), a("kind")], authors.map(author))
      : button(a("show"), loadAuthors, {disabled: desk.isBusy}),
  ]
}
