// Everything that the page knows. Reading is synchronous, writing returns promises, changes are announced by keys.
import {API} from "./api.js"
import {Disk, NoDisk} from "./disk.js"
import {Feed} from "./feed.js"
import {Files} from "./files.js"
import {Outbox} from "./outbox.js"
import {Push} from "./push.js"
import {ChatState, Conversation, cursorSum} from "./reducers.js"
import {Session} from "./session.js"
import {Tabs} from "./tabs.js"
import {Timelines} from "./timelines.js"

const at = id => "/v1/conversations/" + encodeURIComponent(id)
const messageAt = (id, message) => `${at(id)}/messages/${encodeURIComponent(message)}`

export class Store {
  constructor(env) {
    this.env = env
    this.api = new API(env.fetch)
    this.watchers = new Map()
    this.dirty = new Set()
    this.disk = env.disk
    this.tabs = env.tabs
    this.tabs.onMessage = message => this.hear(message)
    this.account = new Session(this)
    this.feed = new Feed(this)
    this.outbox = new Outbox(this)
    this.timelines = new Timelines(this)
    this.files = new Files(this)
    this.push = new Push(this)
    this.leader = {state: "offline", retryAt: null}
    this.others = new Map()
    this.answers = new Map()
    this.clear(null)
  }

  clear(user) {
    this.state = new ChatState(user?.id)
    this.entries = new Map()
    this.drafts = new Map()
    this.people_ = new Map()
    this.typing_ = new Map()
    this.marks = new Map()
    this.watched = []
    this.openId = null
    this.pending = []
    this.answers.clear()
    this.timelines.clear()
    this.outbox.rows = []
    this.files.clear()
    this.sorted = null
    this.asked = false
    this.announceAll()
  }

  // --- Announcing ---

  on(key, fn) {
    if (!this.watchers.has(key)) this.watchers.set(key, new Set())
    this.watchers.get(key).add(fn)
    return () => this.watchers.get(key)?.delete(fn)
  }

  // Watchers hear of a key once per animation frame.
  announce(...keys) {
    const isFirst = !this.dirty.size
    for (const key of keys) this.dirty.add(key)
    if (isFirst && keys.length) this.env.soon(() => this.tell())
  }

  tell() {
    const keys = [...this.dirty]
    this.dirty.clear()
    for (const key of keys) for (const fn of [...(this.watchers.get(key) ?? [])]) {
      try { fn(key) } catch (error) { this.env.report(error) }
    }
  }

  announceAll() { this.announce(...this.watchers.keys()) }

  touch(ids) {
    for (const id of ids) {
      this.entries.delete(id)
      this.timelines.touch(id)
      this.announce("conversation:" + id, "messages:" + id)
    }
    this.sorted = null
    this.announce("conversations")
  }

  // --- Session ---

  get session() {
    const {status, user, methods, error} = this.account
    return {status, user, methods, error}
  }

  async start() {
    const kept = await this.disk.boot()
    this.device = kept.device ?? this.env.id()
    if (!kept.device) this.disk.put({device: this.device})
    this.adopt(kept, kept.session?.user)
    this.env.onTab(() => this.tabChanged())
    this.env.onGone(() => this.tabs.post({type: "tab", id: this.tabs.id, isGone: true}))
    this.env.onOnline(() => this.retryNow(false), () => this.feed.wait())
    this.env.setInterval(() => this.tabChanged(), 25_000)
    this.tabs.lead(() => this.lead())
    await this.account.start(kept.session)
    this.tabChanged()
    this.push.start().catch(error => this.env.report(error))
  }

  // Takes what the disk knows.
  adopt(kept, user) {
    this.clear(user)
    this.state.cursor = kept.cursor ?? null
    this.state.settings = kept.settings ?? null
    this.state.notifications = kept.notifications ?? []
    for (const record of kept.conversations) {
      const c = new Conversation(record.entry)
      Object.assign(c, {members: record.members, hasRoster: record.hasRoster, mentioning: new Set(record.mentioning)})
      c.setReceipts(record.receipts)
      this.state.conversations.set(record.id, c)
    }
    this.drafts = kept.drafts
    this.marks = new Map(kept.marks)
    this.outbox.rows = kept.outbox
    this.announceAll()
  }

  async readAgain() {
    const open = this.openId
    this.adopt(await this.disk.boot(), this.account.user)
    if (open) this.open(open)
    if (open) this.load(open).catch(() => {})
  }

  async userChanged(user) {
    this.feed.stop()
    if (this.state.userId !== user.id) {
      if (this.tabs.isLeader || this.tabs.isAlone) await this.disk.erase()
      this.clear(user)
    }
    await this.disk.put({session: {user}, device: this.device})
    this.env.setTimeout(() => this.follow(), 0)
  }

  async sessionEnded() {
    this.feed.stop()
    this.clear(null)
    await this.disk.erase()
    await this.disk.put({session: {isSignedOut: true}, device: this.device})
  }

  async signOut() {
    await this.push.forget()
    await this.account.signOut()
  }

  // --- The socket, and the other pages ---

  get connection() {
    const {state, retryAt} = this.tabs.isLeader ? this.feed : this.leader
    return {state, retryAt, isFollower: !this.tabs.isLeader}
  }

  connectionChanged() {
    const {state, retryAt} = this.feed
    this.tabs.post({type: "connection", state, retryAt})
    this.showConnection()
  }

  showConnection() {
    // Nobody knows who is there while there is no connection.
    if (this.connection.state === "offline" && this.people_.size) {
      this.people_.clear()
      this.announce("presence")
    }
    this.announce("connection")
  }

  async lead() {
    // What the last leader wrote may not have reached this page.
    if ((await this.disk.boot()).cursor !== this.state.cursor) await this.readAgain()
    this.tabs.post({type: "hello"})
    await this.outbox.recover()
    this.follow()
  }

  follow() {
    if (this.tabs.isLeader && this.account.status === "signedIn") this.feed.start()
  }

  // The person asks, or the network is back.
  retryNow(isAsked = true) {
    if (!this.tabs.isLeader) return this.tabs.post({type: "retry", isAsked})
    this.feed.retryNow(isAsked)
    this.outbox.wake()
  }

  async hear(message) {
    const {type} = message
    if (["token", "picked", "signedOut"].includes(type)) return this.account.hear(message)
    if (type === "outbox") return this.outbox.reload()
    if (type === "hello") return this.tabChanged()
    if (type === "draft") return this.takeDraft(message.id, message.text)
    if (this.tabs.isLeader) {
      if (type === "tab") this.tabTold(message)
      if (type === "say") this.feed.say(message.message)
      if (type === "retry") this.retryNow(message.isAsked)
      return
    }
    if (type === "connection") {
      this.leader = {state: message.state, retryAt: message.retryAt}
      this.showConnection()
      if (message.state === "live") this.live()
    }
    if (type === "reset") await this.readAgain()
    if (type === "frames") for (const frame of message.frames) if (this.frame(frame) === "gap") return this.readAgain()
    if (type === "moved") this.state.move(message.cursor)
    if (type === "server") this.ephemeral(message.message, true)
  }

  // This page as the leader has to know it: whether it is visible, and what it shows.
  tabChanged() {
    const message = {type: "tab", id: this.tabs.id, isVisible: this.env.isVisible(), open: this.openId, watched: this.watched}
    if (this.tabs.isLeader) this.tabTold(message)
    else this.tabs.post(message)
  }

  tabTold(tab) {
    this.others.delete(tab.id)
    if (!tab.isGone) this.others.set(tab.id, {...tab, at: this.env.now()})
    this.greet()
    if (tab.id !== this.tabs.id) this.connectionChanged()
  }

  // Tells the server what all pages show together; the last one that spoke decides what is open.
  greet() {
    // A visible page speaks every 25 s; one that crashed does not.
    const all = [...this.others.values()].filter(tab => tab.isVisible && this.env.now() - tab.at < 60_000)
    const open = all.findLast(tab => tab.open)?.open
    this.feed.say({type: "active", active: all.length > 0})
    this.sayNew({type: "open", ...(open && {conversationId: open})})
    this.sayNew({type: "watch", userIds: [...new Set([...this.others.values()].flatMap(tab => tab.watched))].slice(-200)})
  }

  sayNew(message) {
    const text = JSON.stringify(message)
    this.said = this.said?.socket === this.feed.socket ? this.said : {socket: this.feed.socket}
    if (this.said[message.type] === text) return
    this.said[message.type] = text
    this.feed.say(message)
  }

  say(message) {
    if (this.tabs.isLeader) this.feed.say(message)
    else this.tabs.post({type: "say", message})
  }

  async snapshot(snapshot) {
    const sent = this.outbox.rows.filter(row => row.state === "sent")
    this.state.reset(snapshot)
    this.pending = []
    this.timelines.clear()
    this.outbox.forget(sent)
    const records = [...this.state.conversations.values()].map(c => this.record(c))
    await this.keep(() => this.disk.reset(this.meta(), records, sent.map(row => row.number)))
    this.tabs.post({type: "reset"})
    this.entries.clear()
    this.sorted = null
    this.announceAll()
    if (this.openId) this.load(this.openId).catch(() => {})
  }

  // Applies a frame; the leader also keeps it and passes it on.
  frame(frame) {
    const {state} = this
    const outcome = state.outcome(frame)
    if (outcome !== "applied") return outcome
    const created = new Set(frame.changes.map(change => change.conversation?.id))
    const isKnown = id => state.conversations.has(id) || created.has(id)
    if (frame.changes.some(({message}) => message && !isKnown(message.conversationId))) {
      state.cursor = null
      return "gap"
    }
    const heads = new Map()
    for (const {message} of frame.changes) {
      if (message) heads.set(message.conversationId, state.conversations.get(message.conversationId)?.head ?? 0)
    }
    const touched = new Set()
    state.apply(frame, touched)
    const messages = frame.changes.filter(change => change.message && change.type === "message").map(change => change.message)
    const confirmed = this.outbox.confirmed(messages, state.userId)
    this.outbox.forget(confirmed)
    for (const change of frame.changes) this.note(change)
    for (const id of frame.limited ?? []) this.timelines.unload(id)
    for (const id of touched) this.timelines.shorten(id)
    this.touch(touched)
    if (this.tabs.isLeader) {
      const isNew = message => (message.seq ?? 0) > heads.get(message.conversationId)
      this.pending.push({frame, touched, confirmed, messages: messages.map(message => ({message, isNew: isNew(message)}))})
      this.flush()
    }
    return outcome
  }

  note(change) {
    const {message} = change
    if (change.type === "message") {
      this.timelines.replace(message)
      this.stopTyping(message.conversationId, message.senderId)
    } else if (change.type === "deletion") this.timelines.remove(change.conversationId, change.messageId)
    else if (change.type === "departure") {
      this.timelines.drop(change.conversationId)
      this.setDraft(change.conversationId, "")
      if (this.tabs.isLeader) this.outbox.drop(change.conversationId)
    } else if (change.type === "notification" || change.type === "notifications") this.announce("notifications")
    else if (["settings", "items", "threads"].includes(change.type)) this.announce(change.type)
    else if (change.type === "devices") this.push.renew()
  }

  // Writes what came: one transaction at a time, then the other pages hear of it.
  flush() {
    return (this.flushing ??= (async () => {
      while (this.pending.length) {
        const batch = this.pending
        this.pending = []
        const touched = new Set(batch.flatMap(item => [...item.touched]))
        const places = [...touched].map(id => this.state.conversations.get(id))
        await this.keep(() => this.disk.commit({
          meta: this.meta(), at: cursorSum(this.state.cursor),
          records: places.filter(Boolean).map(c => this.record(c)),
          removed: [...touched].filter(id => !this.state.conversations.has(id)),
          unloaded: batch.flatMap(({frame}) => frame.limited ?? []),
          messages: batch.flatMap(item => item.messages),
          deletions: batch.flatMap(({frame}) => frame.changes).filter(change => change.type === "deletion")
            .map(change => [change.conversationId, change.messageId, change.seq]),
          confirmed: batch.flatMap(item => item.confirmed).map(row => row.number),
        }))
        this.tabs.post({type: "frames", frames: batch.map(item => item.frame)})
        this.timelines.trimDisk(batch.flatMap(item => item.messages))
      }
      this.flushing = null
    })())
  }

  // A disk that fails costs the cursor: the next start begins with a snapshot.
  async keep(work) {
    try {
      await work()
    } catch (error) {
      this.env.report(error)
      await this.disk.put({cursor: null}).catch(() => {})
    }
  }

  meta() {
    const {cursor, settings, notifications} = this.state
    return {cursor, settings, notifications}
  }

  record(c) {
    c.rebase(this.state.userId)
    const {entry, members, hasRoster, receipts, mentioning} = c
    return {id: entry.id, entry, members, hasRoster, receipts: [...receipts.values()], mentioning: [...mentioning]}
  }

  moved() {
    this.disk.put({cursor: this.state.cursor}).catch(() => {})
    this.tabs.post({type: "moved", cursor: this.state.cursor})
  }

  ephemeral(message, isPassedOn = false) {
    if (!isPassedOn) this.tabs.post({type: "server", message})
    if (message.type === "presence") {
      for (const person of message.people) this.people_.set(person.userId, person)
      this.announce("presence")
    }
    if (message.type === "typing") this.noteTyping(message)
    if (message.type === "delta") this.noteDelta(message)
  }

  live() {
    this.timelines.loadFailed()
    if (!this.tabs.isLeader) return
    this.outbox.wake()
    this.sendMarks()
  }

  erased() { this.account.end() }
  tokenExpired() { this.account.expiresAt = 0 }

  // --- Conversations ---

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

  // Waits until the feed has brought a conversation; UI that does not want to wait uses the id at once.
  async arrival(id) {
    if (this.state.conversations.has(id)) return id
    await new Promise(resolve => {
      const off = this.on("conversations", () => this.state.conversations.has(id) && (off(), resolve()))
      this.env.setTimeout(() => (off(), resolve()), 5000)
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
    const preferences = {...before, ...changes}
    const show = next => {
      c.entry = {...c.entry, preferences: next}
      this.touch([id])
    }
    show(preferences)
    const body = Object.fromEntries(Object.entries(preferences).filter(([, value]) => value != null))
    await this.api.request("PUT", at(id) + "/preferences", {body}).catch(error => {
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
  searchLocal(text) { return this.disk.search(text, 100) }

  // --- Reading marks, typing, presence ---

  // Debounced, and only forward.
  markRead(id, messageId) {
    const c = this.state.conversations.get(id)
    const message = c && this.timelines.find(id, messageId)
    if (!message) return
    const seq = message.seq ?? 0
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
    // What was read without a connection is told later.
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

  watch(ids) {
    this.watched = [...new Set(ids)].slice(0, 200)
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
    const body = Object.fromEntries(Object.entries({...this.settings, ...changes}).filter(([, value]) => value != null))
    await this.api.request("PUT", "/v1/settings", {body})
    this.state.settings = body
    this.announce("settings")
  }

  get pushState() { return this.push.state }
}

const parts = {
  account: ["signIn", "pickUser", "invitation", "acceptInvitation"], outbox: ["retry", "discard"], push: ["subscribeToPush"],
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
