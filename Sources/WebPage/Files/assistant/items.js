// Action items, decisions and deadlines, of all conversations or of one.
import {h, View} from "../lib/dom.js"
import {announce, attempt, confirm, openDialog, toast} from "../lib/dialog.js"
import {iconButton} from "../lib/ui.js"
import {go, link} from "../lib/router.js"
import {dateTime, shortDate, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {button, failure, field, insideOf, nameOf, placeOf, select, timeZone, waiting} from "./common.js"
import {tabs} from "./tabs.js"

const KINDS = ["action-items", "decisions", "deadlines"]

export const mount = (container, route) => {
  const conversationId = insideOf(route)
  const state = {kind: KINDS.includes(route.id) && !conversationId ? route.id : KINDS[0], status: "open", isMine: false, query: "", where: route.query?.get("in") ?? "",
    items: [], next: null, isLoading: false, error: null, isExtracting: false}
  let generation = 0
  let timer = 0
  const update = () => view.update()
  const place = () => conversationId ?? (state.where || null)
  const base = id => id ? `/v1/conversations/${encodeURIComponent(id)}/${state.kind}` : `/v1/${state.kind}`
  const isDecisions = () => state.kind === "decisions"

  const load = async after => {
    const mine = ++generation
    Object.assign(state, {isLoading: true, error: null})
    update()
    try {
      const query = {limit: 50, ...(after && {after}), ...(isDecisions() ? state.query.trim() && {q: state.query.trim()}
        : {...(state.status && {status: state.status}), ...(state.isMine && {assignee: "me"})})}
      const page = await store.api.request("GET", base(place()), {query})
      if (mine !== generation) return
      state.items = after ? [...state.items, ...page.items] : page.items
      state.next = page.next
    } catch (error) {
      if (mine === generation) state.error = error
    }
    if (mine === generation) state.isLoading = false
    update()
  }
  const set = change => {
    Object.assign(state, change)
    load()
  }
  const extract = async () => {
    const id = place()
    state.isExtracting = true
    update()
    try {
      const reply = await store.api.request("POST", `${base(id)}/extract`, {body: {timeZone: timeZone()}})
      toast(t("assistant.extracted", {count: reply.addedCount, changed: reply.changedCount, read: reply.messageCount})
        + (reply.isComplete ? "" : " " + t("assistant.extractMore")))
      load()
    } catch (error) {
      toast(error)
    }
    state.isExtracting = false
    update()
  }
  const change = async (item, body) => {
    const stored = await attempt(() => store.api.request("PATCH", `${base(item.conversationId)}/${encodeURIComponent(item.id)}`,
      {body: {...body, timeZone: isDecisions() ? undefined : timeZone()}}))
    if (stored) state.items = state.items.map(one => one.id === item.id ? stored : one)
    update()
    return stored
  }
  const toggle = async item => {
    const status = item.status === "done" ? "open" : "done"
    if (await change(item, {status})) announce(t(`assistant.status.${status}`))
  }
  const remove = async item => {
    if (!await confirm({title: t("assistant.deleteItem"), text: item.text, action: t("assistant.delete"), isDangerous: true})) return
    await attempt(async () => {
      await store.api.request("DELETE", `${base(item.conversationId)}/${encodeURIComponent(item.id)}`)
      state.items = state.items.filter(one => one !== item)
    })
    update()
  }
  const edit = async item => {
    const page = await attempt(() => store.api.request("GET", `/v1/conversations/${encodeURIComponent(item.conversationId)}/members`, {query: {limit: 200}}))
    if (!page) return
    const people = new Map(page.members.filter(one => !one.leftAt).map(one => [one.userId, one.name]))
    if (item.personId) people.set(item.personId, item.person)
    const day = item.due && new Date(item.due).toLocaleDateString("sv", {timeZone: timeZone()})
    const draft = {text: item.text, personId: item.personId ?? "", due: day ?? ""}
    const set = key => value => (draft[key] = value)
    openDialog({title: t("assistant.editItem"), class: "small", render: close => h("form", {class: "stack", on: {submit: async event => {
      event.preventDefault()
      const body = {
        ...(draft.text.trim() !== item.text && {text: draft.text.trim()}),
        ...(draft.personId !== (item.personId ?? "") && {personId: draft.personId || null}),
        ...(!isDecisions() && draft.due !== (day ?? "") && {due: draft.due || null}),
      }
      if (!Object.keys(body).length || await change(item, body)) close()
    }}},
      field(t(`assistant.text.${state.kind}`), draft.text, set("text"), {required: true, maxlength: 2000, dir: "auto"}),
      select(t(isDecisions() ? "assistant.decidedBy" : "assistant.assignee"), draft.personId,
        [["", t("assistant.nobody")], ...people], set("personId")),
      !isDecisions() && field(t("assistant.due"), draft.due, set("due"), {type: "date", required: state.kind === "deadlines"}),
      h("footer", {class: "actions"}, h("button", {class: "primary"}, t("assistant.save"))))})
  }

  const dueText = item => item.due && t("assistant.dueOn", {date: item.allDay ? shortDate(item.due) : dateTime(item.due)})
  const row = item => {
    const isDone = item.status === "done"
    const isLate = item.due && !isDone && new Date(item.due) < Date.now()
    return h("li", {key: item.id, class: `task ${isDone ? "done" : ""} ${item.supersededBy ? "superseded" : ""}`},
      item.status && h("input", {type: "checkbox", checked: isDone, "aria-label": t("assistant.done", {text: item.text}),
        on: {change: () => toggle(item)}}),
      h("div", {class: "grow"},
        h("p", {class: "item-text", dir: "auto"}, item.text),
        h("p", {class: "quiet"},
          item.person && h("bdi", {class: "name"}, item.person),
          item.due && h("time", {class: isLate ? "late" : "", datetime: item.due}, dueText(item) + (isLate ? ` (${t("assistant.late")})` : "")),
          item.priority && item.priority !== "medium" && h("span", {class: `priority ${item.priority}`}, t(`assistant.priority.${item.priority}`)),
          item.supersededBy && h("span", null, t("assistant.superseded"))),
        h("a", {class: "quote", href: placeOf(item)},
          h("q", {dir: "auto"}, item.quote),
          h("span", {class: "quiet"}, h("bdi", null, nameOf(item.conversationId)), " · ",
            h("time", {datetime: item.sentAt}, dateTime(item.sentAt))))),
      iconButton("edit", t("assistant.editItem"), () => edit(item)),
      iconButton("trash", t("assistant.deleteItem"), () => remove(item)))
  }
  const choose = kind => {
    if (conversationId) set({kind, items: [], next: null})
    else go(link("items", kind))
  }
  const controls = () => h("div", {class: "filters"},
    !conversationId && select(t("assistant.conversation"), state.where,
      [["", t("assistant.all")], ...store.conversations.map(one => [one.id, one.title || one.name || one.id])], where => set({where})),
    isDecisions()
      ? field(t("assistant.containing"), state.query, query => {
        state.query = query
        clearTimeout(timer)
        timer = setTimeout(load, 400)
      }, {type: "search"})
      : [
        select(t("assistant.state"), state.status, ["open", "done", ""].map(key => [key, t(`assistant.status.${key || "all"}`)]), status => set({status})),
        h("label", {class: "check"}, h("input", {type: "checkbox", checked: state.isMine,
          on: {change: event => set({isMine: event.target.checked})}}), h("span", null, t("assistant.mine"))),
      ],
    place() && button(t(state.isExtracting ? "assistant.extracting" : "assistant.extract"), extract, {symbol: "refresh", disabled: state.isExtracting}))
  const render = () => h("section", {class: "page"}, h("div", {class: "column stack"},
    h(conversationId ? "h2" : "h1", null, t("assistant.items")),
    tabs("items", KINDS.map(key => [key, t(`assistant.${key}`)]), state.kind, choose, t("assistant.items"), [
      controls(),
      failure(state.error),
      waiting(state.isLoading && !state.items.length, t("assistant.loading")),
      !state.isLoading && !state.error && !state.items.length && h("p", {class: "quiet"},
        t("assistant.noItems"), " ", !place() && t("assistant.noItemsHint")),
      h("ul", {class: "cards"}, state.items.map(row)),
      state.next && button(t("assistant.more"), () => load(state.next)),
    ])))
  const view = new View(container, render, ["conversations"], store)
  const off = store.on("items", () => load())
  load()
  return {
    update({name, id, query}) {
      const kind = KINDS.includes(id) ? id : KINDS[0]
      const where = query.get("in") ?? state.where
      if (name === "items" && (kind !== state.kind || where !== state.where)) set({kind, where, items: [], next: null})
    },
    close() {
      off()
      clearTimeout(timer)
      generation++
      view.close()
    },
  }
}
