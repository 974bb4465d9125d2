// What a conversation and a thread share: the list, what can be done with a message, and the composer.
import {h, patch, View} from "../lib/dom.js"
import {announce, attempt, confirm, copyText, openDialog, opened, toast} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {go, link} from "../lib/router.js"
import {addTexts, list as joined, number, onLanguage, t} from "../lib/text.js"
import {openMenu} from "../lib/ui.js"
import {isSameEmoji} from "../data/overlay.js"
import {store} from "../data/store.js"
import texts from "../text/chat.js"
import {composer} from "./composer.js"
import {titleOf} from "./conversations.js"
import {messageList} from "./list.js"
import {isOwn, messageRow, preview} from "./message.js"
import {keyOf, mentionReader} from "./parts.js"

addTexts(texts)

// The first message after a read position; messages are sorted, history has no position, echoes of this device are last.
const firstAfter = (items, seq) => {
  let low = 0, high = items.length
  const at = i => items[i].seq ?? (items[i].state || items[i].isAnswering ? Infinity : 0)
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(middle) > seq) high = middle
    else low = middle + 1
  }
  return low
}
const pathOf = (id, messageId) => `/v1/conversations/${encodeURIComponent(id)}/messages/${encodeURIComponent(messageId)}`
const shown = count => (count >= 100 ? "99+" : number(count))
const names = people => people?.length ? joined(people.map(p => p.name)) : "–"

// source: {items(), hasOlder(), hasNewer(), isLoading(), loadOlder(), loadNewer(), toNewest(), jump(messageId), head(), keys}
export const chatView = (container, id, source, root = null) => {
  const offs = []
  let seen = {first: -1, last: -1, isAtEnd: true}, items = [], readTimer, highlightTimer, waitsForFrame = false,
    isOpen = true
  let readSeq = 0, isUnreadByHand = false, list
  const conversation = () => store.conversation(id) ?? {members: []}
  const placeName = () => titleOf(conversation())
  let announced = conversation().head
  const quotes = new Map()

  const ctx = {
    id, root, isTimeline: !root, me: store.session.user?.id, rows: new Map(), expanded: new Set(), editing: null,
      hovered: null, highlighted: null,
    version: 0, newFrom: null, lastOwn: null, memberCount: 0, mentionsIn: () => [],
    nameOf: userId => (userId === ctx.me ? t("chat.you") : ctx.names.get(userId) ?? userId),
    threadLink: messageId => link("conversation", id, "thread", messageId),
    jump: messageId => jump(messageId),
    // The message that another one replies to: undefined while it is not known, null if it is gone.
    quote(messageId) {
      const known = items.find(m => m.id === messageId)
      if (!known && !quotes.has(messageId)) {
        quotes.set(messageId, undefined)
        store.api.request("GET", pathOf(id,
          messageId)).catch(error => (error.status === 404 ? null : undefined)).then(found => {
          quotes.set(messageId, found)
          changed()
        })
      }
      return known ?? quotes.get(messageId)
    },
    expand(message) {
      const key = keyOf(message)
      if (!ctx.expanded.delete(key)) ctx.expanded.add(key)
      changed()
    },
    react: (message, emoji, on) => attempt(() => store.react(id, message.id, emoji, on)),
    pickReaction(message, anchor) {
      const isMine = emoji => present(message)?.reactions?.some(r => isSameEmoji(r.emoji, emoji) &&
        r.userIds.includes(ctx.me))
      opened(() => import("./emoji.js"), ({pickEmoji}) => pickEmoji(anchor, emoji => ctx.react(message, emoji, !isMine(emoji))))
    },
    reply: message => writer.reply(message),
    openThread: message => go(ctx.threadLink(message.threadRoot ?? message.id)),
    retry: message => attempt(() => store.retry(message.failure.localId)),
    discard: message => attempt(() => store.discard(message.failure?.localId ?? message.localId)),
    edit(message) {
      ctx.editing = keyOf(message)
      changed()
    },
    startEditor(element, message) {
      element.value = message.text
      element.focus({preventScroll: true})
      element.setSelectionRange(message.text.length, message.text.length)
    },
    cancelEdit() {
      const key = ctx.editing
      ctx.editing = null
      list.update()
      focusKey(key)
    },
    saveEdit() {
      const message = items.find(m => keyOf(m) === ctx.editing)
      const text = container.querySelector(".editor textarea")?.value.trim()
      if (message && text && text !== message.text) attempt(() => store.edit(id, message.id, text))
      ctx.cancelEdit()
    },
    async remove(message) {
      if (!await confirm({title: t("chat.deleteTitle"), text: preview(message, 200), action: t("chat.delete"),
        isDangerous: true})) return
      const index = readItems().indexOf(present(message))
      await attempt(() => store.remove(id, message.id))
      list.update()
      if (index >= 0) list.focusAt(Math.min(index, items.length - 1))
    },
    markUnread(message) {
      isUnreadByHand = true
      readSeq = 0
      ctx.newFrom = message.id
      attempt(() => store.markUnread(id, message.id))
      changed()
    },
    showPerson: ({senderId, senderName}) => opened(() => import("./profile.js"), ({showPerson}) =>
      showPerson({id: senderId, name: senderName || senderId})),
    goToDate: ({timestamp}) => opened(() => import("./date.js"), ({goToDate}) => goToDate(id, timestamp)),
    forward: message => opened(() => import("./forward.js"), ({forward}) => forward(message, placeName())),
    remind: message => opened(() => import("./later.js"), ({remindMe}) => { remindMe(message) }),
    save: message => opened(() => import("./saved.js"), ({toggleSaved}) => toggleSaved(message)),
    copyLink: message => copyText(location.href.split("#")[0] + link("conversation", id, "message", message.id),
      t("chat.linkCopied")),
    showReceipts: message => showPeople(t("chat.receipts"), () => store.receipts(id, message.id), found => [
      h("dt", null, t("chat.readBy", {count: found.readCount, total: found.memberCount})),
        h("dd", null, names(found.readBy)),
      h("dt", null, t("chat.deliveredCount", {count: found.deliveredCount, total: found.memberCount})),
        h("dd", null, names(found.deliveredTo))]),
    showReactions: message => showPeople(t("chat.reactions"), () => store.reactions(id, message.id), found =>
      found.map(({emoji, count, people}) => [h("dt", null, `${emoji} ${number(count)}`),
        h("dd", null, names(people))])),
    menu(message, anchor) {
      const mine = isOwn(message, ctx)
      openMenu(anchor, [
        {label: t("chat.reply"), icon: "reply", act: () => ctx.reply(message)},
        !root && {label: t("chat.thread"), icon: "thread", act: () => ctx.openThread(message)},
        {label: t("chat.react"), icon: "smile", act: () => ctx.pickReaction(message, anchor)},
        message.reactions?.length > 0 && {label: t("chat.reactions"), icon: "person",
          act: () => ctx.showReactions(message)},
        mine && message.seq && {label: t("chat.receipts"), icon: "checks", act: () => ctx.showReceipts(message)},
        message.text && {label: t("chat.copyText"), icon: "copy", act: () => copyText(message.text, t("chat.textCopied"))},
        {label: t("chat.copyLink"), icon: "link", act: () => ctx.copyLink(message)},
        {label: t("chat.forward"), icon: "send", act: () => ctx.forward(message)},
        !message.state && {label: t(isSaved(message) ? "chat.unsave" : "chat.save"), icon: "bookmark", act: () => ctx.save(message)},
        !message.state && {label: t("chat.remind"), icon: "clock", act: () => ctx.remind(message)},
        message.seq && !root && {label: t("chat.markUnread"), icon: "bell", act: () => ctx.markUnread(message)},
        canEdit(message) && {label: t("chat.edit"), icon: "edit", act: () => ctx.edit(message)},
        canEdit(message) && {label: t("chat.delete"), icon: "trash", isDangerous: true, act: () => ctx.remove(message)},
      ])
    },
  }
  // A reaction or a receipt replaces the object of a message while a menu or a dialog about it is open.
  const present = message => items.find(m => keyOf(m) === keyOf(message))
  // As far as saved.js, which is read when it is needed, has learnt.
  const isSaved = message => store.saved?.has(JSON.stringify([store.session.user?.id, id, message.id]))
  const canEdit = message => isOwn(message, ctx) && message.kind === "text" && !message.state
  const showPeople = async (title, load, render) => {
    const found = await attempt(load)
    if (found) openDialog({title, class: "small", render: () => h("dl", {class: "people", dir: "auto"}, render(found))})
  }
  const focusKey = (key, isIt = m => keyOf(m) === key) => {
    const index = items.findIndex(isIt)
    if (index >= 0) list.focusAt(index)
    return index >= 0
  }

  // The answers of the assistant that are being made, until the message itself has come.
  const finished = new Set()
  const pending = known => {
    const more = []
    for (const [answerId, answer] of store.answers) {
      if (answer.conversationId !== id || !answer.messageId || !answer.text || finished.has(answerId)) continue
      const question = known.findLast(m => m.id === answer.messageId)
      if (!question || root && (question.threadRoot ?? question.id) !== root) continue
      if (known.some(m => m.kind === "assistant" && m.replyTo === answer.messageId)) finished.add(answerId)
      else more.push({id: `answer ${answerId}`, conversationId: id, senderId: "nexus",
        senderName: t("chat.assistantName"), kind: "assistant", isAnswering: true,
        text: answer.text, replyTo: answer.messageId, threadRoot: question.threadRoot ?? question.id,
          timestamp: question.timestamp})
    }
    return more
  }
  const readItems = () => {
    const known = source.items()
    const more = source.hasNewer() ? [] : pending(known)
    items = more.length ? [...known, ...more] : known
    return items
  }
  const changed = () => {
    if (waitsForFrame) return
    waitsForFrame = true
    const run = () => {
      waitsForFrame = false
      if (isOpen) refresh()
    }
    if (document.hidden) setTimeout(run, 300)
    else requestAnimationFrame(run)
  }
  const refresh = () => {
    readItems()
    const own = items.findLast(m => isOwn(m, ctx) && m.seq)
    ctx.lastOwn = own ? keyOf(own) : null
    if (ctx.editing && !items.some(m => keyOf(m) === ctx.editing)) ctx.editing = null
    noteNew()
    list.update()
    if (ctx.rows.size > 600) ctx.rows.clear()
    overlay.update()
  }
  let members
  const setMembers = () => {
    if (members === conversation().members) return
    members = conversation().members
    const people = members.map(m => ({id: m.userId ?? m.id, name: m.name || m.userId || m.id, aliases: m.aliases}))
    ctx.people = people
    ctx.names = new Map(people.map(p => [p.id, p.name]))
    ctx.memberCount = members.length
    ctx.mentionsIn = mentionReader(people)
    ctx.version++
  }

  const lastSeq = () => items.findLast(m => m.seq)?.seq ?? 0
  // Reads new messages of others out, and draws the line before the first that came while nobody looked.
  const noteNew = () => {
    if (source.hasNewer()) return
    const last = lastSeq()
    if (announced !== undefined && last > announced) {
      const fresh = items.slice(firstAfter(items, announced)).filter(m => m.seq && !isOwn(m, ctx))
      for (const m of fresh.slice(-20)) announce(`${m.senderName}: ${preview(m, 160)}`)
      if (!root && fresh.length && !ctx.newFrom && (document.hidden || !list.isAtEnd)) ctx.newFrom = fresh[0].id
    }
    announced = Math.max(announced ?? 0, last)
  }
  // A message is read when it and all unread ones before it were in view.
  const unread = () => {
    const known = Math.max(conversation().readSeq ?? 0, readSeq)
    let first = firstAfter(items, known)
    while (items[first] && isOwn(items[first], ctx)) first++
    const isBefore = items.length > 0 && source.hasOlder() && (items[0].seq ?? 0) > known + 1
    return {first, isBefore}
  }
  const markRead = () => {
    readTimer = null
    const {unreadCount} = conversation()
    if (!isOpen || document.hidden || isUnreadByHand || !unreadCount || seen.last < 0) return
    const {first, isBefore} = unread()
    if (isBefore || first > seen.last || first < seen.first) return
    const message = items.slice(first, seen.last + 1).findLast(m => m.seq)
    if (!message) return
    readSeq = message.seq
    store.markRead(id, message.id)
    overlay.update()
  }
  const onView = view => {
    seen = view
    if (!root) store.hold(id, view.isAtEnd ? null : items[view.first]?.id ?? null)
    if (!root) readTimer ??= setTimeout(markRead, 300)
    overlay.update()
  }

  const jump = async (messageId, {isFocusing = true, align = "center", isMarked = true} = {}) => {
    readItems()
    let index = items.findIndex(m => m.id === messageId)
    if (index < 0) {
      if (await attempt(async () => { await source.jump(messageId); return true }) === undefined ||
        !isOpen) return false
      readItems()
      index = items.findIndex(m => m.id === messageId)
    }
    if (index < 0) {
      toast(t("chat.gone"))
      return false
    }
    if (isMarked) ctx.highlighted = keyOf(items[index])
    list.show(index, {isFocusing, align})
    clearTimeout(highlightTimer)
    highlightTimer = setTimeout(() => {
      ctx.highlighted = null
      changed()
    }, 2_000)
    return true
  }
  const toEnd = async isFocusing => {
    if (source.hasNewer()) await attempt(() => source.toNewest())
    if (!isOpen) return
    readItems()
    list.toEnd(isFocusing)
  }

  const slots = {}
  const slot = name => h("div", {class: name, key: name, opaque: true, ref: element => { slots[name] = element }})
  patch(container, h("div", {class: `timeline ${root ? "in-thread" : ""}`, ref: element => { slots.all = element },
    on: {
    dragover: event => {
      if (![...event.dataTransfer.types].includes("Files")) return
      event.preventDefault()
      slots.all.classList.add("dropping")
    },
    dragleave: event => !slots.all.contains(event.relatedTarget) && slots.all.classList.remove("dropping"),
    drop: event => {
      event.preventDefault()
      slots.all.classList.remove("dropping")
      writer.addFiles([...event.dataTransfer.files])
    },
  }},
  h("div", {class: "stage"}, slot("list-scroll"), slot("overlay")), slot("typing"), slot("writer")))

  const hover = key => {
    if (ctx.hovered === key) return
    ctx.hovered = key
    changed()
  }
  const onKey = event => {
    hover(null)
    if (event.defaultPrevented) return
    const article = event.target.matches?.("article") ? event.target : null
    if (event.key === "Escape" && event.target.closest("article")) {
      event.preventDefault()
      return article ? writer.focus() : event.target.closest("article").focus()
    }
    const key = article?.parentElement.dataset.key
    const message = article && items.find(m => keyOf(m) === key)
    if (!message || message.isAnswering || event.ctrlKey || event.metaKey || event.altKey) return
    const more = article.querySelector(".acts [aria-haspopup=menu]")
    const acts = {
      r: () => ctx.reply(message), t: () => !root && ctx.openThread(message), c: () => ctx.copyLink(message),
        f: () => ctx.forward(message), s: () => ctx.save(message), l: () => !message.state && ctx.remind(message), g: () => !root && ctx.goToDate(message), u: () => message.seq && !root && ctx.markUnread(message),
      e: () => canEdit(message) && ctx.edit(message),
        Delete: () => canEdit(message) ? ctx.remove(message) : message.state && ctx.discard(message),
      "+": () => ctx.pickReaction(message, article), Enter: () => more && ctx.menu(message, more),
        ContextMenu: () => more && ctx.menu(message, more),
      F10: () => event.shiftKey && more && ctx.menu(message, more),
    }
    const act = acts[event.key] ?? acts[event.key.toLowerCase()]
    if (!act || message.state && event.key !== "Delete") return
    event.preventDefault()
    act()
  }
  slots["list-scroll"].addEventListener("keydown", onKey)
  slots["list-scroll"].addEventListener("pointermove", event => event.pointerType === "mouse" &&
    hover(event.target.closest(".msg")?.dataset.key ?? null))
  slots["list-scroll"].addEventListener("pointerleave", () => hover(null))

  const messageOf = article => items.find(m => keyOf(m) === article.parentElement?.dataset.key)
  if (matchMedia("(any-pointer: coarse)").matches) import("./touch.js").then(({touching}) => isOpen && touching(slots["list-scroll"], {
    menu(article) {
      const message = messageOf(article)
      if (message && !message.state && !message.isAnswering) ctx.menu(message, article)
    },
    reply(article) {
      const message = messageOf(article)
      if (message && !message.state && !message.isAnswering) ctx.reply(message)
    },
  }))

  setMembers()
  readItems()
  list = messageList(slots["list-scroll"], {
    ...source, items: readItems, row: (message, place) => messageRow(message, place, ctx), label: source.label,
      changed, toEnd,
  }, onView)

  // Buttons over the list.
  const overlay = new View(slots.overlay, () => {
    if (ctx.isOpening) return null
    const {first, isBefore} = unread()
    const count = root ? 0 : conversation().unreadCount ?? 0
    const isAbove = count > 0 && (isBefore || first < seen.first)
    const below = root ? 0 : source.hasNewer() ? count : items.slice(Math.max(first,
      seen.last + 1)).filter(m => m.seq && !isOwn(m, ctx)).length
    return [
      isAbove && h("div", {key: "unread", class: "pill above"},
        h("button", {type: "button", on: {click: () => jump(conversation().firstUnreadId,
          {align: "third", isMarked: false})}},
          h("span", {class: "up"}, icon("down")), t("chat.unread", {count, shown: shown(count)})),
        h("button", {type: "button", "aria-label": t("chat.markAllRead"), title: t("chat.markAllRead"),
          on: {click: async () => {
          await toEnd()
          const last = items.findLast(m => m.seq)
          if (last) store.markRead(id, last.id)
          readSeq = last?.seq ?? 0
          overlay.update()
        }}}, icon("close"))),
      !seen.isAtEnd && items.length > 0 && h("button", {key: "below", class: "pill below", type: "button",
        on: {click: () => toEnd()},
        "aria-label": below ? t("chat.newBelow", {count: shown(below)}) : t("chat.toEnd")}, icon("down"),
          below > 0 && t("chat.newBelow", {count: shown(below)})),
    ]
  })
  const typing = new View(slots.typing, () => {
    const typists = root ? [] : store.typists(id)
    return h("p", {class: "typing-line"}, typists.length > 0 &&
      t(typists.length > 3 ? "chat.manyType" : "chat.typing", {count: typists.length,
        names: joined(typists.slice(0, 3).map(p => p.name))}))
  }, [`typing:${id}`], store)

  const writer = composer(slots.writer, {
    id, threadRoot: root, people: () => ctx.people.filter(p => p.id !== ctx.me), label: source.writeLabel, suggest: source.suggest,
    onSent() {
      isUnreadByHand = false
      ctx.newFrom = null
      ctx.hasSent = true
      toEnd()
    },
    onEditLast() {
      const last = items.findLast(canEdit)
      if (!last) return
      jump(last.id, {align: "nearest", isMarked: false, isFocusing: false}).then(() => ctx.edit(last))
    },
    onEscape() {
      list.focusAt(seen.last)
    },
  })

  offs.push(...source.keys.map(key => store.on(key, changed)), store.on("answers", changed),
    store.on(`conversation:${id}`, () => { setMembers(); changed() }),
    onLanguage(() => { ctx.version++; changed() }))
  const onVisible = () => !document.hidden && (readTimer ??= setTimeout(markRead, 300))
  document.addEventListener("visibilitychange", onVisible)
  return {
    ctx, slots, writer, list, jump, toEnd, changed, conversation,
    focusComposer: () => writer.focus(), focusMessage: messageId => focusKey(null, m => m.id === messageId),
    close() {
      isOpen = false
      clearTimeout(readTimer)
      clearTimeout(highlightTimer)
      for (const off of offs) off()
      document.removeEventListener("visibilitychange", onVisible)
      for (const part of [list, writer, overlay, typing]) part.close()
      patch(container, null)
    },
  }
}
