import {Conversation} from "./conversation.js"
import {Outbox} from "./outbox.js"
import {makeID} from "./tools.js"

/** What a person sees: conversations, open messages, who types and who is there. Kept up to date by one feed. */
export class Chat {
  constructor(nexus, {store = new Map(), ...options} = {}) {
    Object.assign(this, {nexus, all: new Map(), presences: new Map(), listeners: new Set(), opened: new Set(), userId: null})
    Object.assign(this, {notifications: [], settings: null, connection: {state: "connecting"}, error: null})
    this.feed = nexus.feed(options)
    this.outbox = new Outbox(nexus, store, {tell: (...ids) => this.tell(...ids), fail: error => (this.error = error)})
    /** Fulfilled by the first snapshot. */
    this.ready = new Promise((resolve, reject) => Object.assign(this, {resolve, reject}))
    this.ready.catch(() => {})
    this.follow()
  }

  /** Calls `listener(ids of conversations that changed)` after each change; returns a function that ends this. */
  onChange(listener) {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  // A listener that fails is the app's fault, and ends nothing here.
  tell(...ids) {
    for (const listener of [...this.listeners]) {
      try { listener(new Set(ids)) } catch (error) { queueMicrotask(() => { throw error }) }
    }
  }

  close() {
    this.feed.close()
    this.listeners.clear()
    this.outbox.close()
    for (const c of this.all.values()) for (const timer of c.typing.values()) this.feed.env.clearTimeout(timer)
  }

  /** Pinned ones first, then by last activity. */
  get conversations() {
    return [...this.all.keys()].map(id => this.conversation(id)).sort((a, b) =>
      b.preferences.pinned - a.preferences.pinned || (a.activeAt < b.activeAt ? 1 : a.activeAt > b.activeAt ? -1 : 0))
  }

  conversation(id) {
    const c = this.all.get(id)
    return c && {...c.entry, members: c.members, receipts: c.receipts, readSeq: c.readSeq, unreadCount: c.unread(this.userId)}
  }

  get unreadCount() { return this.conversations.reduce((sum, c) => sum + (c.preferences.muted ? 0 : c.unreadCount), 0) }

  /** In order; own ones that are on their way last, with `pending`. */
  messages(id) { return [...(this.all.get(id)?.list ?? []), ...this.outbox.of(id)] }

  /** Of all conversations, also of those that are gone. */
  get waiting() { return this.outbox.shown(({id}) => !id) }

  /** "sent", "delivered" or "read"; undefined for one that is on its way. */
  delivery(id, messageId) {
    const message = this.all.get(id)?.known.get(messageId)
    return message?.seq ? this.all.get(id).delivery(message) : undefined
  }

  hasOlder(id) { return this.all.get(id)?.hasOlder ?? false }
  typists(id) { return [...(this.all.get(id)?.typing.keys() ?? [])] }
  presence(userId) { return this.presences.get(userId) }

  /** Loads the newest messages, and says that the conversation is on the screen. */
  async open(id) {
    await this.ready
    this.opened.add(id)
    this.feed.open(id)
    await this.load(id)
  }

  leaveScreen() { this.feed.open() }

  async load(id) {
    const c = this.all.get(id)
    // The error that the server has for it.
    if (!c) return void await this.nexus.conversation(id)
    const receipts = c.loadReceipts(() => this.nexus.receipts(id))
    receipts.catch(() => {})
    const isDone = await c.load(() => this.nexus.messages(id), true)
    this.settle(c)
    await receipts
    if (!isDone && this.all.get(id) && !this.feed.isOver) return this.load(id)
    this.tell(id)
  }

  async loadOlder(id) {
    const c = this.all.get(id)
    if (!c?.hasOlder) return
    await c.load(() => this.nexus.messages(id, {before: c.list[0]?.id}), false)
    this.tell(id)
  }

  markRead(id) {
    const newest = this.all.get(id)?.list.filter(message => message.seq).at(-1)
    return newest ? this.nexus.markRead(id, newest.id) : Promise.resolve()
  }

  /** Keeps and shows the message at once, and sends it as soon as there is a connection, once. */
  post(id, draft) { return this.outbox.post(id, {localId: makeID(), ...(typeof draft === "string" ? {text: draft} : draft)}) }

  /** Sends a message again that was refused. */
  async retry(id, localId) {
    const entry = this.outbox.find(id, localId)
    if (!entry) throw new TypeError(`no message ${localId} waits in this conversation`)
    return this.post(id, entry.draft)
  }

  // A page has the own messages whose frames a limit left out.
  settle(c) { if (this.outbox.entries.length) for (const message of c.list) this.outbox.arrived(message) }

  discard(id, localId) { this.outbox.discard(id, localId) }

  // --- The feed ---

  async follow() {
    try {
      this.userId = await this.nexus.userId({retryFor: Infinity, signal: this.feed.controller.signal})
      await this.outbox.open(this.userId)
      for await (const event of this.feed) this.take(event)
    } catch (error) {
      if (this.feed.isOver && !this.feed.error && !this.nexus.http.session.ended) return
      this.outbox.close(error)
      this.error = error
      this.connection = {state: "ended", error}
      this.reject(error)
      this.tell()
    }
  }

  take(event) {
    if (event.type === "snapshot") this.reset(event.snapshot)
    else if (event.type === "changes") this.apply(event)
    else if (event.type === "connection") this.connected(event)
    else if (event.type === "presence") for (const person of event.people) this.presences.set(person.userId, person)
    else if (event.type === "typing") this.types(event)
    this.tell(...(event.conversationId ? [event.conversationId] : event.type === "snapshot" ? this.all.keys() : touched(event)))
  }

  connected(event) {
    this.connection = event
    if (event.state === "live") for (const [id, c] of this.all) if (!c.isOpen && !c.loads.size) this.loadAgain(id)
  }

  // Fails without a connection; the next one loads again.
  loadAgain(id) { if (this.opened.has(id)) this.load(id).catch(error => (this.error = error)) }

  reset({conversations, notifications, settings}) {
    const before = this.all
    this.all = new Map(conversations.map(entry => [entry.id, new Conversation(entry)]))
    Object.assign(this, {notifications, settings})
    for (const [id, c] of this.all) {
      const old = before.get(id)
      if (!old) continue
      // Shown until they are loaded again.
      Object.assign(c, {known: old.known, members: c.entry.members ?? old.members, receipts: old.receipts})
    }
    for (const id of this.all.keys()) this.loadAgain(id)
    this.resolve()
  }

  apply({changes, limited}) {
    for (const change of changes) this.change(change)
    for (const id of limited) {
      this.all.get(id)?.clear()
      this.loadAgain(id)
    }
  }

  change(change) {
    const id = conversationOf(change)
    const c = this.all.get(id)
    switch (change.type) {
      case "message":
        this.outbox.arrived(change.message)
        return c?.message(change.message)
      case "deletion": return c?.deletion(change, this.userId)
      case "receipt": return c?.receipt(change.receipt, this.userId)
      case "departure": return this.all.delete(id)
      case "conversation":
        if (!c) this.all.set(id, new Conversation(change.conversation))
        return this.all.get(id).update(change)
      case "notification":
        this.notifications = [change.notification, ...this.notifications.filter(other => other.id !== change.notification.id)]
        return this.notifications.sort((a, b) => b.id - a.id).splice(100)
      case "notifications": return (this.notifications = change.notifications)
      case "settings": return (this.settings = change.settings)
    }
  }

  types({conversationId, userId, milliseconds}) {
    const {typing} = this.all.get(conversationId) ?? {}
    if (!typing) return
    const {env} = this.feed
    env.clearTimeout(typing.get(userId))
    const end = () => {
      typing.delete(userId)
      this.tell(conversationId)
    }
    if (milliseconds) typing.set(userId, env.setTimeout(end, milliseconds))
    else typing.delete(userId)
  }
}

const conversationOf = change => change.message?.conversationId ?? change.conversation?.id ?? change.conversationId
const touched = ({changes = [], limited = []}) => [...changes.map(conversationOf).filter(Boolean), ...limited]
