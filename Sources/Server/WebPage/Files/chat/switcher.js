// A dialog that leads to a conversation, a person, or a part of the page by name.
import {h} from "../lib/dom.js"
import {addTexts, t} from "../lib/text.js"
import {go, link} from "../lib/router.js"
import {attempt, openDialog} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {ranked} from "../lib/ranked.js"
import {avatar, newId} from "../lib/ui.js"
import {store} from "../data/store.js"
import {faceOf, newConversation, partnerOf, titleOf} from "./conversations.js"
import roomsTexts from "../text/rooms.js"

addTexts(roomsTexts)

const LIMIT = 12

const conversations = current => {
  const all = store.conversations.filter(({id}) => id !== current)
  const isFirst = ({unreadCount, mentionCount, preferences}) => mentionCount > 0 || unreadCount > 0 && !preferences?.muted
  return [...all.filter(isFirst), ...all.filter(conversation => !isFirst(conversation))].map(conversation => ({
    key: `c ${conversation.id}`, name: titleOf(conversation), face: faceOf(conversation, "small"), count: conversation.unreadCount,
    act: () => go(link("conversation", conversation.id)),
  }))
}
// Those to whom there is no conversation yet.
const strangers = found => {
  const partners = new Set(store.conversations.map(conversation => partnerOf(conversation)?.userId))
  const people = new Map([...store.people(), ...found].map(person => [person.id, person]))
  return [...people.values()].filter(({id}) => id !== store.session.user?.id && !partners.has(id)).map(({id, name}) => ({
    key: `p ${id}`, name, face: avatar(id, name, {size: "small"}), hint: t("switch.write"),
    act: async () => {
      const made = await attempt(() => store.openDirect(id))
      if (made) go(link("conversation", made))
    },
  }))
}
const actions = help => [
  ["list.new", "edit", newConversation], ["shell.assistant", "spark", () => go("#/assistant")], ["shell.items", "list", () => go("#/items")],
  ["shell.activity", "bell", () => go("#/activity")], ["shell.people", "person", () => go("#/people")],
  ["list.readAll", "check", () => attempt(() => store.markAllRead())], ["shell.settings", "gear", () => go("#/settings")], ["shell.keys", "info", help],
].map(([key, picture, act]) => ({key: `a ${key}`, name: t(key), face: icon(picture), act}))

// switcher({current, help, search: text → …}): shows the dialog.
export const switcher = ({current, help, search}) => {
  const listId = newId()
  let query = "", at = 0, found = [], timer, asked = 0, dialog
  const toMessages = () => search(query.trim())
  const options = () => {
    const text = query.trim()
    if (!text) return [...conversations(current).slice(0, LIMIT - 4), ...actions(help).slice(0, 4)]
    return [
      ...ranked([...conversations(current), ...strangers(found), ...actions(help)], text).slice(0, LIMIT),
      {key: "m", name: t("list.searchMessages", {text}), face: icon("search"), act: toMessages},
    ]
  }
  const update = () => dialog.view.update()
  const ask = async () => {
    const turn = ++asked
    try {
      const {people} = await store.api.request("GET", "/v1/people", {query: {q: query.trim(), limit: LIMIT}})
      if (turn !== asked) return
      found = people.map(({userId, name}) => ({id: userId, name}))
      update()
    } catch {
      // Without a connection those from conversations are offered.
    }
  }
  const choose = option => {
    dialog.close()
    // The focus goes back before something else takes it.
    dialog.closed.then(option.act)
  }
  const keydown = event => {
    const all = options()
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key]
    if (step) at = (at + step + all.length) % all.length
    else if (event.key === "Enter" && !event.isComposing) choose(all[at])
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") choose({act: toMessages})
    else return
    event.preventDefault()
    event.stopPropagation()
    update()
  }
  const option = ({key, name, face, hint, count}, place) =>
    h("li", {key, id: `${listId}-${place}`, role: "option", "aria-selected": String(place === at), class: "row",
      on: {click: () => choose(options()[place]), pointermove: () => place !== at && (at = place, update())}},
    face, h("bdi", {class: "cut grow"}, name),
    hint && h("span", {class: "hint"}, hint),
    count > 0 && h("span", {class: "badge"}, count > 99 ? "99+" : count, h("span", {class: "sr"}, ` ${t("shell.unread")}`)))
  dialog = openDialog({title: t("switch.title"), class: "small switcher", keys: ["conversations"], store, render: () => {
    const all = options()
    at = Math.min(at, all.length - 1)
    return [
      h("input", {type: "text", role: "combobox", value: query, placeholder: t("switch.find"), "aria-label": t("switch.find"), autocomplete: "off",
        autofocus: true, dir: "auto", "aria-expanded": "true", "aria-autocomplete": "list", "aria-controls": listId, "aria-activedescendant": `${listId}-${at}`,
        on: {keydown, input: event => {
          query = event.target.value
          at = 0
          clearTimeout(timer)
          timer = setTimeout(ask, 200)
          update()
        }}}),
      h("ul", {id: listId, role: "listbox", "aria-label": t("switch.title")}, all.map(option)),
    ]
  }})
  dialog.closed.then(() => clearTimeout(timer))
}
