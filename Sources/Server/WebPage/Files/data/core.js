// The ground of the store: who watches, the session, the other pages, and frames on their way to the disk.
import {API} from "./api.js"
import {Feed} from "./feed.js"
import {Files} from "./files.js"
import {Outbox} from "./outbox.js"
import {Push} from "./push.js"
import {ChatState, Conversation, cursorSum} from "./reducers.js"
import {Session} from "./session.js"
import {Timelines} from "./timelines.js"

export class Core {
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
    // Turns whose answers a later message made wrong since the page was loaded.
    this.outdated = new Set()
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
    this.watching = {}
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
    const {status, user, methods, error, passwordLink} = this.account
    return {status, user, methods, error, passwordLink}
  }

  async start() {
    const kept = await this.disk.boot()
    this.device = kept.device ?? this.env.id()
    if (!kept.device) this.disk.put({device: this.device})
    this.person = kept.session?.user
    this.adopt(kept, this.person)
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
    this.adopt(await this.disk.boot(), this.person)
    if (open) this.open(open)
    if (open) this.load(open).catch(() => {})
  }

  async userChanged(user) {
    this.person = user
    this.feed.stop()
    if (this.state.userId !== user.id) {
      if (this.tabs.isLeader || this.tabs.isAlone) await this.disk.erase()
      this.clear(user)
    }
    await this.disk.put({session: {user}, device: this.device})
    this.env.setTimeout(() => this.follow(), 0)
    // The server forgot this browser's device with the session before.
    this.env.setTimeout(() => this.push.renew().catch(error => this.env.report(error)), 0)
  }

  async sessionEnded() {
    this.person = null
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
    if (((await this.disk.boot()).cursor ?? null) !== this.state.cursor) await this.readAgain()
    this.tabs.post({type: "hello"})
    await this.outbox.recover()
    this.isLeading = true
    this.follow()
  }

  follow() {
    if (this.isLeading && this.account.status === "signedIn") this.feed.start()
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
    this.entries.clear()
    this.sorted = null
    this.announceAll()
    const kept = this.keep(() => this.disk.reset(this.meta(), records, sent.map(row => row.number)))
    // Before anybody hears of the snapshot: a jump to a message comes after this and stays where it went.
    if (this.openId) this.load(this.openId).catch(() => {})
    await kept
    this.tabs.post({type: "reset"})
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
    else if (change.type === "scheduled") {
      this.hasScheduled = true
      this.announce("scheduled")
    }
    else if (change.type === "outdated") {
      this.outdated.add(change.turnId)
      this.announce("outdated")
    } else if (change.type === "devices") this.push.renew()
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
}
