// Action items, decisions and deadlines, of all conversations or of one.
import {h, View} from "../lib/dom.js"
import {announce, attempt, toast} from "../lib/dialog.js"
import {iconButton} from "../lib/ui.js"
import {go, link} from "../lib/router.js"
import {dateTime, shortDate, t} from "../lib/text.js"
import {store} from "../data/store.js"
import {
  at, button, call, conversationChoices, dialogForm, failure, field, hasModel, insideOf, isSure, modelHint, nameOf, placeOf, read, select,
  timeZone, waiting,
} from "./common.js"
import {tabs} from "./tabs.js"

const KINDS = ["action-items", "decisions", "deadlines"]

export const mount = (container, route) => {
  const conversationId = insideOf(route)
  const kindOf = ({id}) => KINDS.includes(id) ? id : KINDS[0]
  const state = {kind: kindOf(route), status: "open", isMine: false, query: "", where: route.query?.get("in") ?? "",
    items: [], next: null, isLoading: false, error: null, isExtracting: false}
  let generation = 0
  let timer = 0
  const update = () => view.update()
  const place = () => conversationId ?? (state.where || null)
  const path = (id, ...more) => id ? at("conversations", id, state.kind, ...more) : at(state.kind)
  const pathOf = item => path(item.conversationId, item.id)
  const isDecisions = () => state.kind === "decisions"

  const load = async after => {
    const mine = ++generation
    Object.assign(state, {isLoading: true, error: null})
    update()
    try {
      const page = await read(path(place()), {limit: 50, after, ...(isDecisions() ? {q: state.query.trim() || null}
        : {status: state.status || null, assignee: state.isMine ? "me" : null})})
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
    state.isExtracting = true
    update()
    try {
      const found = await call("POST", path(place(), "extract"), {timeZone: timeZone()})
      toast(t("assistant.extracted", {count: found.addedCount, changed: found.changedCount, read: found.messageCount})
        + (found.isComplete ? "" : " " + t("assistant.extractMore")))
      load()
    } catch (error) {
      // Not a toast: the list says nothing about what could not be read.
      state.error = error
    }
    state.isExtracting = false
    update()
  }
  const change = async (item, body) => {
    const zone = isDecisions() ? {} : {timeZone: timeZone()}
    const stored = await attempt(() => call("PATCH", pathOf(item), {...body, ...zone}))
    if (stored) state.items = state.items.map(one => one.id === item.id ? stored : one)
    update()
    return stored
  }
  const toggle = async item => {
    const status = item.status === "done" ? "open" : "done"
    if (await change(item, {status})) announce(t(`assistant.status.${status}`))
  }
  const remove = async item => {
    if (!await isSure(t("assistant.deleteItem"), item.text, t("assistant.delete"))) return
    await attempt(async () => {
      await call("DELETE", pathOf(item))
      state.items = state.items.filter(one => one.id !== item.id)
    })
    update()
  }
  const edit = async item => {
    const page = await attempt(() => read(at("conversations", item.conversationId, "members"), {limit: 200}))
    if (!page) return
    const people = new Map(page.members.filter(one => !one.leftAt).map(one => [one.userId, one.name]))
    if (item.personId) people.set(item.personId, item.person)
    const day = item.due && new Date(item.due).toLocaleDateString("sv", {timeZone: timeZone()})
    const draft = {text: item.text, personId: item.personId ?? "", due: day ?? ""}
    const set = key => value => (draft[key] = value)
    const before = {...draft}
    const save = async close => {
      const body = {}
      for (const key in draft) if (draft[key].trim() !== before[key]) body[key] = draft[key].trim() || null
      if (!Object.keys(body).length || await change(item, body)) close()
    }
    dialogForm(t("assistant.editItem"), save, () => [
      field(t(`assistant.text.${state.kind}`), draft.text, set("text"), {required: true, maxlength: 2000, dir: "auto"}),
      select(t(isDecisions() ? "assistant.decidedBy" : "assistant.assignee"), draft.personId,
        [["", t("assistant.nobody")], ...people], set("personId")),
      !isDecisions() && field(t("assistant.due"), draft.due, set("due"),
        {type: "date", required: state.kind === "deadlines"}),
    ])
  }

  const due = (item, isLate) => h("time", {class: isLate ? "late" : "", datetime: item.due},
    t("assistant.dueOn", {date: (item.allDay ? shortDate : dateTime)(item.due)}), isLate && ` (${t("assistant.late")})`)
  const row = item => {
    const isDone = item.status === "done"
    const isLate = item.due && !isDone && new Date(item.due) < Date.now()
    return h("li", {key: item.id, class: `task ${isDone ? "done" : ""} ${item.supersededBy ? "superseded" : ""}`},
      item.status && h("input", {type: "checkbox", checked: isDone, "aria-label": t("assistant.done", item),
        on: {change: () => toggle(item)}}),
      h("div", {class: "grow"},
        h("p", {class: "item-text", dir: "auto"}, item.text),
        h("p", {class: "quiet"},
          item.person && h("bdi", {class: "name"}, item.person),
          item.due && due(item, isLate),
          item.priority && item.priority !== "medium"
            && h("span", {class: `priority ${item.priority}`}, t(`assistant.priority.${item.priority}`)),
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
    !conversationId && select(t("assistant.conversation"), state.where, conversationChoices(), where => set({where})),
    isDecisions()
      ? field(t("assistant.containing"), state.query, query => {
        state.query = query
        clearTimeout(timer)
        timer = setTimeout(load, 400)
      }, {type: "search"})
      : [
        select(t("assistant.state"), state.status,
          ["open", "done", ""].map(key => [key, t(`assistant.status.${key || "all"}`)]), status => set({status})),
        h("label", {class: "check"}, h("input", {type: "checkbox", checked: state.isMine,
          on: {change: event => set({isMine: event.target.checked})}}), h("span", null, t("assistant.mine"))),
      ],
    place() && hasModel() && button(t(state.isExtracting ? "assistant.extracting" : "assistant.extract"), extract,
      {symbol: "refresh", disabled: state.isExtracting}))
  const render = () => h("section", {class: "page"}, h("div", {class: "column stack"},
    h(conversationId ? "h2" : "h1", null, t("assistant.items")),
    tabs("items", KINDS.map(key => [key, t(`assistant.${key}`)]), state.kind, choose, t("assistant.items"), [
      controls(),
      failure(state.error),
      waiting(state.isLoading && !state.items.length, t("assistant.loading")),
      !state.isLoading && !state.error && !state.items.length && h("p", {class: "quiet"},
        t("assistant.noItems"), " ", !place() && hasModel() && t("assistant.noItemsHint")),
      modelHint(),
      h("ul", {class: "cards"}, state.items.map(row)),
      state.next && button(t("assistant.more"), () => load(state.next)),
    ])))
  const view = new View(container, render, ["conversations"], store)
  const off = store.on("items", () => load())
  load()
  return {
    update(next) {
      const kind = kindOf(next)
      const where = next.query.get("in") ?? state.where
      if (next.name !== "items" || kind === state.kind && where === state.where) return
      set({kind, where, items: [], next: null})
    },
    close() {
      off()
      clearTimeout(timer)
      generation++
      view.close()
    },
  }
}
