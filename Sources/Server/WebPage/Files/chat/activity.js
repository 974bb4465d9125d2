// What waits for this person in all conversations: mentions, replies and reminders, threads, drafts, saved and scheduled messages.
import {h, View} from "../lib/dom.js"
import {attempt} from "../lib/dialog.js"
import {plainText} from "../lib/markdown.js"
import {go, link} from "../lib/router.js"
import {addTexts, dateTime, shortTime, t} from "../lib/text.js"
import {avatar, button, iconButton, menuButton} from "../lib/ui.js"
import {tabs} from "../assistant/tabs.js"
import {sentence} from "../data/errors.js"
import {store} from "../data/store.js"
import chatTexts from "../text/chat.js"
import texts from "../text/habits.js"
import {titleOf} from "./conversations.js"
import {excerpt, mentionReader} from "./parts.js"
import {noteOf, remindMe, scheduledMenu, scheduledMessages} from "./later.js"
import {endSaving, savedKey, savedMessages} from "./saved.js"

addTexts(chatTexts)
addTexts(texts)
const LIMIT = 100
const PARTS = ["mentions", "threads", "saved", "scheduled", "drafts"]
const NOTICES = ["mention", "reply", "reminder"]

const nameOf = id => store.conversation(id) ? titleOf(store.conversation(id)) : id
const mine = () => store.session.user?.id

// Unread ones as the server tells them, then messages of this device that mention the person.
export const mentions = async () => {
  const readers = new Map()
  const readerOf = id => {
    if (!readers.has(id)) readers.set(id, mentionReader(store.conversation(id)?.members ?? []))
    return readers.get(id)
  }
  const kept = await store.disk.find(({senderId, conversationId, text}) => senderId !== mine() && text.includes("@") &&
    store.conversation(conversationId) && readerOf(conversationId)(text).some(({userId}) => userId === mine()), LIMIT)
  return kept.map(({id, ...message}) => ({...message, messageId: id, kind: "mention"}))
}
// Threads of messages of this device in which the person wrote, those with the newest reply first.
export const threads = async () => {
  const found = new Map()
  await store.disk.find(message => {
    const root = message.threadRoot ?? (message.replyCount ? message.id : null)
    if (!root || !store.conversation(message.conversationId)) return false
    const key = `${message.conversationId} ${root}`
    const thread = found.get(key) ?? {key, conversationId: message.conversationId, root, count: 0}
    found.set(key, thread)
    if (message.id === root) thread.first = message
    else {
      thread.count += 1
      if (!thread.last || thread.last.timestamp < message.timestamp) thread.last = message
    }
    thread.isMine ||= message.senderId === mine()
    return false
  }, 0)
  const at = ({last, first}) => (last ?? first).timestamp
  return [...found.values()].filter(({isMine}) => isMine).sort((a, b) => (at(a) < at(b) ? 1 : -1)).slice(0, LIMIT)
}
// A place is a conversation, or a conversation and a thread.
export const drafts = () => [...store.drafts].flatMap(([place, text]) => {
  if (!text.trim()) return []
  if (store.conversation(place)) return [{place, text, conversationId: place}]
  for (let cut = place.lastIndexOf(" "); cut > 0; cut = place.lastIndexOf(" ", cut - 1)) {
    if (store.conversation(place.slice(0, cut))) return [{place, text, conversationId: place.slice(0, cut), root: place.slice(cut + 1)}]
  }
  return []
})

export const mount = (container, route) => {
  const partOf = ({id}) => PARTS.includes(id) ? id : PARTS[0]
  const state = {part: partOf(route), mentions: null, threads: null, saved: null, scheduled: null, next: null, error: null}
  let view, isOpen = true
  const load = async () => {
    const {part} = state
    if (part === "drafts") return
    if (part === "saved") return loadSaved()
    if (part === "scheduled") return loadScheduled()
    const found = await (part === "mentions" ? mentions() : threads()).catch(() => [])
    if (!isOpen) return
    state[part] = found
    view.update()
  }
  // The server keeps them, so they are the same on all devices; without it the last ones stay.
  const loadSaved = async before => {
    try {
      const {messages, next} = await savedMessages(before)
      if (!isOpen) return
      Object.assign(state, {saved: [...(before ? state.saved : []), ...messages], next, error: null})
    } catch (error) {
      if (!isOpen) return
      state.error = error
    }
    view.update()
  }
  const loadScheduled = async () => {
    try {
      Object.assign(state, {scheduled: await scheduledMessages(), error: null})
    } catch (error) {
      state.error = error
    }
    if (isOpen) view.update()
  }
  const unread = () => store.notifications.filter(({kind}) => NOTICES.includes(kind))
  const entry = (key, href, {senderId, senderName, timestamp, text, conversationId, note, isUnread}, more) =>
    h("li", {key, class: "row"},
      h("a", {class: `source grow ${isUnread ? "unread" : ""}`, href},
        h("span", {class: "source-head"},
          senderId && avatar(senderId, senderName, {size: "small"}),
          senderName && h("bdi", {class: "name"}, senderName), h("bdi", {class: "quiet"}, nameOf(conversationId)),
          isUnread && h("span", {class: "badge"}, t("habits.new")),
          timestamp && h("time", {class: "quiet", datetime: timestamp, title: dateTime(timestamp)}, shortTime(timestamp))),
        h("span", {class: "excerpt", dir: "auto"}, text),
        note && h("span", {class: "quiet"}, note)),
      more)
  const content = {
    mentions() {
      const fresh = unread(), known = new Set(fresh.map(({messageId}) => messageId))
      const older = (state.mentions ?? []).filter(({messageId}) => !known.has(messageId))
      const address = ({conversationId, messageId}) => link("conversation", conversationId, "message", messageId)
      return [
        fresh.map(one => entry(`n ${one.id}`, address(one), {...one, text: excerpt(plainText(one.text), 300), timestamp: one.createdAt, isUnread: true,
          note: one.kind === "reply" ? t("habits.repliedTo") : one.kind === "reminder" && t("habits.reminder")},
        iconButton("check", t("habits.dismiss"), () => attempt(() => store.dismiss(one.id))))),
        older.map(one => entry(`m ${one.messageId}`, address(one), {...one, text: excerpt(plainText(one.text), 300)})),
      ]
    },
    threads: () => (state.threads ?? []).map(({key, conversationId, root, first, last, count}) => {
      const {readSeq = 0} = store.conversation(conversationId) ?? {}
      const shown = last ?? first
      return entry(key, link("conversation", conversationId, "thread", root), {...shown, conversationId,
        text: [first && last && h("span", {class: "quiet"}, `${excerpt(plainText(first.text), 80)} · `), excerpt(plainText(shown.text), 200)],
        note: t("chat.replies", {count: Math.max(count, first?.replyCount ?? 0)}), isUnread: shown.senderId !== mine() && (shown.seq ?? 0) > readSeq})
    }),
    saved: () => (state.saved ?? []).map(({savedAt, remindAt, message}) => entry(savedKey(message), link("conversation", message.conversationId, "message", message.id), {
      ...message, note: remindAt ? t("later.remindAt", {time: dateTime(remindAt)}) : t("habits.savedAt", {time: dateTime(savedAt)}),
      text: excerpt(plainText(message.text), 300) || (message.attachments ?? []).map(({name}) => name).join(", "),
    }, [
      iconButton("clock", t("later.remind"), async () => await remindMe({...message, remindAt}) && load(), {key: "remind", "aria-haspopup": "dialog"}),
      iconButton("close", t("habits.unsave"), () => attempt(async () => {
        await endSaving(message)
        state.saved = state.saved.filter(one => savedKey(one.message) !== savedKey(message))
        view.update()
      }), {key: "unsave"}),
    ])),
    scheduled: () => (state.scheduled ?? []).map(message => entry(`s ${message.id}`,
      message.threadRoot ? link("conversation", message.conversationId, "thread", message.threadRoot) : link("conversation", message.conversationId),
      {conversationId: message.conversationId, text: excerpt(plainText(message.text), 300), note: noteOf(message)},
      menuButton(t("later.actions"), () => scheduledMenu(message, load)))),
    drafts: () => drafts().map(({place, text, conversationId, root}) =>
      entry(place, root ? link("conversation", conversationId, "thread", root) : link("conversation", conversationId), {conversationId,
        text: excerpt(text, 300), note: root && t("chat.thread")},
      iconButton("trash", t("habits.discard"), () => {
        store.setDraft(place, "")
        view.update()
      }))),
  }
  const choose = part => go(link("activity", part), true)
  view = new View(container, () => {
    const {part} = state
    const found = content[part]().flat()
    return h("section", {class: "page"}, h("div", {class: "column stack"},
      h("h1", null, t("shell.activity")),
      tabs("activity", PARTS.map(key => [key, t(`habits.${key}`)]), part, choose, t("shell.activity"), [
        part !== "drafts" && h("p", {class: "hint"}, t(`habits.${part}Hint`)),
        found.length > 0 ? h("ul", {class: "cards"}, found) : (part === "drafts" || state[part]) && h("p", {class: "quiet"}, t(`habits.no.${part}`)),
        ["saved", "scheduled"].includes(part) && state.error && h("p", {class: "alert", role: "alert"}, sentence(state.error)),
        part === "saved" && state.next && button(t("habits.more"), () => loadSaved(state.next)),
      ])))
  }, ["conversations", "notifications", "session"], store)
  load()
  const offs = [store.on("notifications", load), store.on("scheduled", () => state.part === "scheduled" && load())]
  return {
    update(next) {
      state.part = partOf(next)
      view.update()
      load()
    },
    close() {
      isOpen = false
      for (const off of offs) off()
      view.close()
    },
  }
}
