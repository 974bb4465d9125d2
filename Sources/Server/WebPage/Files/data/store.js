// Everything that the page knows. Reading is synchronous, writing returns promises, changes are announced by keys.
import {Core} from "./core.js"
import {Disk, NoDisk} from "./disk.js"
import {Tabs} from "./tabs.js"

const at = id => "/v1/conversations/" + encodeURIComponent(id)
// What a change names; a value that is missing resets its field.
const named = changes => Object.fromEntries(Object.entries(changes).map(([key, value]) => [key, value ?? null]))
const messageAt = (id, message) => `${at(id)}/messages/${encodeURIComponent(message)}`

export class Store extends Core {
  // --- Conversations ---

  // Whether the server or the disk has told anything yet.
  get isFilled() { return Boolean(this.state.cursor) }

  get conversations() {
    return (this.sorted ??= this.state.list.map(c => this.conversation(c.entry.id)))
  }

  conversation(id) {
    const c = this.state.conversations.get(id)
    if (!c) return null
    if (!this.entries.has(id)) this.entries.set(id, {...c.summary(this.state.userId), title: c.entry.name})
    return this.entries.get(id)
  }

  // Everybody known from conversations; the first call asks for the members of some that were never opened.
  people() {
    const people = new Map()
    const add = ({userId, name}) => people.set(userId, {id: userId, name})
    this.account.methods?.users?.forEach(add)
    for (const {members} of this.state.conversations.values()) members.forEach(add)
    if (!this.asked && this.connection.state === "live") this.askForPeople()
    return [...people.values()]
  }

  async askForPeople() {
    this.asked = true
    const unknown = this.state.list.filter(c => !c.hasRoster).slice(0, 50)
    for (const {entry} of unknown) await this.timelines.loadRoster(entry.id).catch(() => {})
  }

  // Waits until the feed has brought a conversation, at most 5 s after the first snapshot; UI that does not want to
  // wait uses the id at once.
  async arrival(id) {
    if (this.state.conversations.has(id)) return id
    await new Promise(resolve => {
      const end = () => (off(), resolve())
      const off = this.on("conversations", () => this.state.conversations.has(id) && end())
      const wait = () => this.env.setTimeout(() => (this.isFilled ? end() : wait()), 5000)
      wait()
    })
    return id
  }

  async createGroup({name, userIds}) {
    const ids = [...new Set([this.state.userId, ...userIds])]
    const known = new Map(this.people().map(person => [person.id, person.name]))
    const members = ids.map(userId => ({userId, ...(known.has(userId) && {name: known.get(userId)})}))
    return this.arrival((await this.api.request("POST", "/v1/conversations", {body: {name, members}})).id)
  }
  async openDirect(userId) {
    return this.arrival((await this.api.request("POST", "/v1/direct", {body: {with: userId}})).id)
  }
  rename(id, name) { return this.api.request("PUT", at(id) + "/name", {body: {name}}) }
  setHistory(id, history) { return this.api.request("PUT", at(id) + "/history", {body: {history}}) }
  addMember(id, userId, name) {
    return this.api.request("PUT", `${at(id)}/members/${encodeURIComponent(userId)}`, {body: name ? {name} : {}})
  }
  removeMember(id, userId) { return this.api.request("DELETE", `${at(id)}/members/${encodeURIComponent(userId)}`) }
  setRole(id, userId, role) {
    return this.api.request("PUT", `${at(id)}/members/${encodeURIComponent(userId)}/role`, {body: {role}})
  }
  leave(id) { return this.removeMember(id, this.state.userId) }
  async setPreferences(id, changes) {
    const c = this.state.conversations.get(id)
    const before = c.entry.preferences
    const show = next => {
      c.entry = {...c.entry, preferences: next}
      this.touch([id])
    }
    show({...before, ...changes})
    await this.api.request("PUT", at(id) + "/preferences", {body: named(changes)}).catch(error => {
      show(before)
      throw error
    })
  }

  // --- Messages ---

  open(id) {
    if (this.openId && this.openId !== id) this.timelines.leave(this.openId)
    this.openId = id
    this.tabChanged()
  }

  messageId(id, localId) {
    return this.state.conversations.get(id)?.list.findLast(m => m.localId === localId && m.senderId === this.state.userId)?.id
  }
  maySend() { return this.tabs.isLeader && this.account.status === "signedIn" }
  outboxChanged(ids) {
    for (const id of ids) {
      this.timelines.touch(id)
      this.announce("messages:" + id)
    }
  }

  // Resolves with the local id when the message is on disk.
  send(id, {text = "", replyTo, threadRoot, files = []}) {
    this.typing(id, false)
    const kept = files.map(file => ({name: file.name, type: file.type, size: file.size, blob: file, fileId: null}))
    return this.outbox.send(id, {text, replyTo, threadRoot, files: kept})
  }
  edit(id, messageId, text) { return this.outbox.submit(id, messageId, {kind: "edit", text}) }
  remove(id, messageId) { return this.outbox.submit(id, messageId, {kind: "delete"}) }
  react(id, messageId, emoji, isOn) { return this.outbox.submit(id, messageId, {kind: "react", emoji, isOn}) }

  draft(id) { return this.drafts.get(id) ?? "" }
  setDraft(id, text) {
    if (this.draft(id) === text) return
    this.takeDraft(id, text)
    this.tabs.post({type: "draft", id, text})
    this.env.clearTimeout(this.draftTimer?.[id])
    this.draftTimer = {...this.draftTimer, [id]: this.env.setTimeout(() => this.disk.setDraft(id, this.draft(id)).catch(() => {}), 300)}
  }
  takeDraft(id, text) {
    if (text) this.drafts.set(id, text)
    else this.drafts.delete(id)
    this.announce("conversation:" + id)
  }

  async replies(id, messageId) { return (await this.api.request("GET", messageAt(id, messageId) + "/replies")).messages }
  async reactions(id, messageId) { return (await this.api.request("GET", messageAt(id, messageId) + "/reactions")).reactions }
  receipts(id, messageId) { return this.api.request("GET", messageAt(id, messageId) + "/receipts") }
  // Kept messages that contain all words.
  searchLocal(words) {
    const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    return this.disk.find(({text}) => wanted.every(word => text.toLocaleLowerCase().includes(word)), 100)
  }

  // --- Reading marks, typing, presence ---

  // Debounced, and only forward.
  markRead(id, messageId) {
    const c = this.state.conversations.get(id)
    const message = c && this.timelines.find(id, messageId)
    if (!message) return
    this.mark(id, messageId, message.seq ?? 0)
  }

  // All conversations, each up to its newest message.
  markAllRead() {
    for (const {id, unreadCount, head, lastMessage} of this.conversations) {
      if (unreadCount && lastMessage) this.mark(id, lastMessage.id, head)
    }
  }

  mark(id, messageId, seq) {
    const c = this.state.conversations.get(id)
    if (seq <= Math.max(c.readSeq, this.marks.get(id)?.seq ?? 0)) return
    c.readSeq = seq
    this.marks.set(id, {seq, messageId})
    this.touch([id])
    this.env.clearTimeout(this.markTimer)
    this.markTimer = this.env.setTimeout(() => this.sendMarks(), 800)
  }

  async sendMarks() {
    for (const [id, mark] of [...this.marks]) {
      try {
        await this.api.request("POST", at(id) + "/read", {body: {upTo: mark.messageId}})
      } catch (error) {
        if (error.isTransient) continue
      }
      if (this.marks.get(id) === mark) this.marks.delete(id)
    }
    // Marks that could not be sent are sent later.
    await this.disk.put({marks: [...this.marks]}).catch(() => {})
  }

  async markUnread(id, messageId) {
    this.marks.delete(id)
    await this.api.request("POST", at(id) + "/unread", {body: {from: messageId}})
  }

  // Said at most every 3 s.
  typing(id, isTyping) {
    const last = this.lastTyping?.id === id ? this.lastTyping.at : -Infinity
    const now = this.env.now()
    if (isTyping ? now - last < 3000 : last === -Infinity) return
    this.lastTyping = isTyping ? {id, at: now} : null
    this.say({type: "typing", conversationId: id, ...(isTyping ? {} : {typing: false})})
  }

  noteTyping({conversationId: id, userId, milliseconds}) {
    this.stopTyping(id, userId)
    if (!milliseconds || userId === this.state.userId) return
    if (!this.typing_.has(id)) this.typing_.set(id, new Map())
    this.typing_.get(id).set(userId, this.env.setTimeout(() => this.stopTyping(id, userId), milliseconds))
    this.announce("typing:" + id)
  }

  stopTyping(id, userId) {
    const place = this.typing_.get(id)
    if (!place?.has(userId)) return
    this.env.clearTimeout(place.get(userId))
    place.delete(userId)
    this.announce("typing:" + id)
  }

  typists(id) { return [...(this.typing_.get(id)?.keys() ?? [])].map(userId => ({id: userId, name: this.nameOf(id, userId)})) }

  nameOf(id, userId) {
    const c = this.state.conversations.get(id)
    return c?.members.find(member => member.userId === userId)?.name ??
      c?.list.findLast(message => message.senderId === userId)?.senderName ?? userId
  }

  presence(userId) {
    const {status = "offline", lastSeen = null} = this.people_.get(userId) ?? {}
    return {status, lastSeen}
  }

  // Asks for the presence of people; each part of the page has its own list.
  watch(ids, part = "list") {
    this.watching = {...this.watching, [part]: ids}
    this.watched = [...new Set(Object.values(this.watching).flat())].slice(-200)
    this.tabChanged()
  }

  // --- The assistant's answers while they are made ---

  noteDelta({type, answerId, start, text = "", done, ...rest}) {
    const answer = this.answers.get(answerId) ?? {text: "", done: false}
    // Unicode scalars; another start means that a part is missing.
    const length = [...answer.text].length
    const isNext = start === undefined || start === length
    this.answers.set(answerId, {...answer, ...rest, text: isNext ? answer.text + text : answer.text, done: Boolean(done)})
    if (this.answers.size > 50) this.answers.delete(this.answers.keys().next().value)
    this.announce("answers")
  }

  // --- Notifications and settings ---

  get notifications() { return this.state.notifications }
  async dismiss(ids) {
    const gone = new Set([ids].flat())
    this.state.notifications = ids === "all" ? [] : this.notifications.filter(({id}) => !gone.has(id))
    this.announce("notifications")
    await this.api.request("POST", "/v1/notifications/dismiss", {body: ids === "all" ? {all: true} : {ids: [...gone]}})
  }

  get settings() { return this.state.settings ?? {} }
  async saveSettings(changes) {
    await this.api.request("PUT", "/v1/settings", {body: named(changes)})
    this.state.settings = {...this.settings, ...changes}
    this.announce("settings")
  }

  get pushState() { return this.push.state }
  notify(notification) { return this.push.show(notification) }
}

const parts = {
  account: ["signIn", "pickUser", "invitation", "acceptInvitation", "turnSignInOn"], outbox: ["retry", "discard"], push: ["subscribeToPush", "unsubscribeFromPush"],
  timelines: ["messages", "load", "loadOlder", "loadNewer", "jump", "hold", "made"], files: ["fileURL", "fileBlob"],
}
for (const [part, names] of Object.entries(parts)) for (const name of names) {
  Store.prototype[name] = function (...values) { return this[part][name](...values) }
}

const browser = async () => {
  const {document, location} = globalThis
  let disk = new NoDisk()
  try { disk = await new Disk().open() } catch (error) { console.warn(error) }
  const locks = disk instanceof Disk ? navigator.locks : null
  const hasFrames = () => document.visibilityState === "visible"
  return {
    disk, tabs: new Tabs({locks, Channel: globalThis.BroadcastChannel}), fetch: (...args) => fetch(...args), WebSocket,
    socketOrigin: location.origin.replace(/^http/, "ws"), now: () => Date.now(), random: () => Math.random(),
    id: () => [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join(""),
    setTimeout: (...args) => setTimeout(...args), clearTimeout: timer => clearTimeout(timer),
    setInterval: (...args) => setInterval(...args), report: error => console.error(error),
    soon: fn => (hasFrames() ? requestAnimationFrame(fn) : setTimeout(fn, 100)), isVisible: hasFrames,
    onTab: fn => ["visibilitychange", "focus"].forEach(name => addEventListener(name, fn)),
    onOnline: (fn, other) => [["online", fn], ["offline", other]].forEach(pair => addEventListener(...pair)), onGone: fn => addEventListener("pagehide", fn),
  }
}

export const store = globalThis.document ? new Store(await browser()) : null
store?.start()
