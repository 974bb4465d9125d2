// A server, browsers and pages without a network and without time: tests say when timers are due.
import {Disk} from "../../../../Sources/Server/WebPage/Files/data/disk.js"
import {Store} from "../../../../Sources/Server/WebPage/Files/data/store.js"
import {Tabs} from "../../../../Sources/Server/WebPage/Files/data/tabs.js"
import {FakeIndexedDB, KeyRange} from "./fake-indexeddb.mjs"

// Everything that is under way and needs no timer has happened.
export const settle = async () => { for (let i = 0; i < 300; i += 1) await new Promise(setImmediate) }

export class Clock {
  constructor() { Object.assign(this, {now: Date.parse("2026-11-23T08:00:00Z"), timers: new Map(), number: 0}) }
  set(fn, wait, every) {
    this.number += 1
    this.timers.set(this.number, {at: this.now + wait, fn, every})
    return this.number
  }
  async pass(milliseconds) {
    const end = this.now + milliseconds
    await settle()
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0]
      if (!due) break
      const [id, timer] = due
      this.now = timer.at
      if (timer.every) timer.at += timer.every
      else this.timers.delete(id)
      timer.fn()
      await settle()
    }
    this.now = end
  }
}

const problem = (status, code, retryAfter) =>
  new Response(JSON.stringify({status, code}), {status, headers: retryAfter ? {"Retry-After": String(retryAfter)} : {}})
const json = value => new Response(JSON.stringify(value))

export class Server {
  constructor() {
    Object.assign(this, {
      conversations: new Map(), log: [], epoch: "2f", sockets: [], requests: [], faults: [], isDown: false, receipts: new Map(),
      authentication: "none", refreshes: 0, isSignedIn: true,
    })
  }

  add(id, {members = ["ada", "ben"], count = 0} = {}) {
    const place = {id, name: id, members, messages: [], head: 0, read: {}}
    this.conversations.set(id, place)
    for (let i = 0; i < count; i += 1) this.store(place, {senderId: "ben", text: `text ${i + 1}`})
    return place
  }

  store(place, fields) {
    place.head += 1
    const message = {
      id: `m${place.head}`, conversationId: place.id, senderName: fields.senderId, kind: "text", attachments: [], reactions: [],
      timestamp: new Date(Date.UTC(2026, 9, 1) + place.head * 1000).toISOString(), seq: place.head, ...fields,
    }
    place.messages.push(message)
    return message
  }

  entry(place, user) {
    const readSeq = place.read[user] ?? 0
    const last = place.messages.at(-1)
    return {
      id: place.id, kind: "group", visibility: "members", name: place.name, head: place.head, readSeq,
      activeAt: last?.timestamp ?? "2026-10-01T00:00:00.000Z", mentionCount: 0,
      unreadCount: Math.min(100, place.messages.filter(m => m.seq > readSeq && m.senderId !== user).length),
      preferences: {muted: false, archived: false, pinned: false}, ...(last && {lastMessage: last}),
    }
  }

  get cursor() { return `${this.epoch}-${this.log.length}` }

  // Puts changes in the log and sends them.
  tell(changes, fields = {}) {
    this.log.push({changes, fields})
    for (const socket of this.sockets) this.deliver(socket)
  }

  deliver(socket) {
    while (socket.position < this.log.length) {
      const {changes, fields} = this.log[socket.position]
      socket.position += 1
      const cursor = `${this.epoch}-${socket.position}`
      socket.emit({v: 1, lane: 0, prev: socket.position - 1, pos: socket.position, cursor, changes, ...fields})
    }
  }

  say(id, senderId, text, fields = {}) {
    const message = this.store(this.conversations.get(id), {senderId, text, ...fields})
    this.tell([{type: "message", message: this.seen(message)}])
    return message
  }
  seen(message) { return structuredClone(message) }

  stop() {
    this.isDown = true
    for (const socket of [...this.sockets]) socket.end(1006)
  }

  async fetch(path, {method = "GET", headers = {}, body} = {}) {
    await new Promise(setImmediate)
    const url = new URL(path, "http://nexus.test")
    const route = `${method} ${url.pathname}`
    this.requests.push(route + url.search)
    if (this.isDown) throw new TypeError("failed to fetch")
    const fault = this.faults.find(item => route.match(item.route) && (item.count ??= 1) > 0)
    if (fault) {
      fault.count -= 1
      if (fault.act) await fault.act()
      if (fault.status) return problem(fault.status, fault.code, fault.retryAfter)
    }
    const reply = this.answer(route, url, headers, body && typeof body === "string" ? JSON.parse(body) : body)
    if (fault?.isReplyLost) throw new TypeError("failed to fetch")
    return reply
  }

  answer(route, url, headers, body) {
    const user = headers["X-Nexus-User"] ?? headers.Authorization?.split(" ")[1].split("/")[0]
    if (route === "GET /v1/session/methods") {
      return json({authentication: this.authentication, users: [{userId: "ada", name: "Ada"}, {userId: "ben", name: "Ben"}], defaultUser: null})
    }
    if (route === "POST /v1/session" || route === "POST /v1/session/refresh") {
      if (!this.isSignedIn) return problem(401, route.endsWith("refresh") ? "session_ended" : "sign_in_failed")
      this.refreshes += 1
      this.token = `ada/${this.refreshes}`
      return json({accessToken: this.token, expiresAt: this.expiresAt(), user: {userId: "ada", name: "Ada", role: "member"}})
    }
    if (!user || (this.authentication === "required" && headers.Authorization !== `Bearer ${this.token}`)) return problem(401, "token_expired")
    if (route === "GET /v1/session") return json({user: {userId: "ada"}, ...(this.passwordLink && {passwordLink: this.passwordLink})})
    if (route === "DELETE /v1/session") return new Response(null, {status: 204})
    if (route === "POST /v1/feed/ticket") return json({ticket: user, expiresIn: 30})
    if (route === "GET /v1/sync") {
      const places = [...this.conversations.values()].filter(place => place.members.includes(user))
      return json({cursor: this.cursor, conversations: places.map(place => this.entry(place, user)), notifications: [], settings: {}})
    }
    const [, , , id, part, messageId, what, emoji] = url.pathname.split("/").map(decodeURIComponent)
    const place = this.conversations.get(id)
    if (!place) return problem(403, "conversation_forbidden")
    return this.inside(place, `${route.split(" ")[0]} ${part ?? ""}${messageId ? "/" + (what ?? "") : ""}`, {url, body, user, messageId, emoji})
  }

  inside(place, route, {url, body, user, messageId}) {
    const message = place.messages.find(({id}) => id === messageId)
    switch (route) {
      case "GET ": return json({id: place.id, members: place.members.map(userId => ({userId, name: userId}))})
      case "GET receipts":
        return json({receipts: place.members.map(userId => ({userId, readSeq: place.read[userId] ?? 0, deliveredSeq: 0, joinedSeq: 0}))})
      case "GET messages": return json(this.page(place, Object.fromEntries(url.searchParams)))
      case "POST read": {
        place.read[user] = place.messages.find(({id}) => id === body.upTo).seq
        return json({})
      }
      case "POST messages": {
        const known = place.messages.find(({localId}) => localId === body.localId)
        if (known) return json({messageId: known.id, seq: known.seq, status: "duplicate"})
        const sent = this.say(place.id, user, body.text, {localId: body.localId, replyTo: body.replyTo})
        return json({messageId: sent.id, seq: sent.seq, status: "inserted"})
      }
      case "PATCH messages/":
        if (!message) return problem(404, "message_not_found")
        message.text = body.text
        this.tell([{type: "message", message: this.seen(message)}])
        return json({})
      case "DELETE messages/":
        if (!message) return problem(404, "message_not_found")
        place.messages.splice(place.messages.indexOf(message), 1)
        this.tell([{type: "deletion", conversationId: place.id, messageId, seq: message.seq}])
        return new Response(null, {status: 204})
      default: return problem(404, "not_found")
    }
  }

  page({messages}, {limit, before, after, around}) {
    const at = id => messages.findIndex(message => message.id === id)
    const size = Number(limit)
    let [start, end] = [messages.length - size, messages.length]
    if (before) [start, end] = [at(before) - size, at(before)]
    if (after) [start, end] = [at(after) + 1, at(after) + 1 + size]
    if (around) [start, end] = [at(around) - size / 2, at(around) + size / 2]
    start = Math.max(start, 0)
    return {messages: messages.slice(start, end).reverse().map(this.seen), hasOlder: start > 0, hasNewer: end < messages.length}
  }

  expiresAt() { return new Date(this.clock.now + 600_000).toISOString() }
}

// One browser: a disk, locks and a channel; pages can be opened and closed.
export class Browser {
  constructor(server, clock = new Clock()) {
    Object.assign(this, {server, clock, factory: new FakeIndexedDB(), waiting: new Map(), ports: [], pages: [], numbers: 0})
    server.clock = clock
  }

  async open({isVisible = true} = {}) {
    const page = {isVisible, isClosed: false, timers: new Set(), port: null, held: []}
    const {server, clock} = this
    const browser = this
    class Channel {
      constructor() { browser.ports.push((page.port = this)) }
      postMessage(message) {
        if (page.isClosed) return
        const data = structuredClone(message)
        for (const port of browser.ports) if (port !== this) setImmediate(() => port.isClosed || port.onmessage?.({data}))
      }
    }
    const locks = {request: (name, work) => new Promise((resolve, reject) => {
      const queue = this.waiting.get(name) ?? []
      this.waiting.set(name, queue)
      const turn = {page, begin: () => Promise.resolve(work()).then(value => (this.release(name, turn), resolve(value)), error => (this.release(name, turn), reject(error)))}
      queue.push(turn)
      if (queue.length === 1) turn.begin()
    })}
    class Socket {
      constructor(address) {
        const {searchParams} = new URL(address)
        Object.assign(this, {readyState: 0, said: [], position: Number(searchParams.get("cursor").split("-")[1])})
        setImmediate(() => {
          if (server.isDown || page.isClosed) return this.end(1006)
          if (searchParams.get("cursor").split("-")[0] !== server.epoch) {
            this.readyState = 1
            this.onopen?.()
            return this.emit({type: "resync"})
          }
          this.readyState = 1
          server.sockets.push(this)
          this.onopen?.()
          server.deliver(this)
        })
      }
      emit(message) { if (!page.isClosed) this.onmessage?.({data: JSON.stringify(message)}) }
      send(text) { this.said.push(JSON.parse(text)) }
      end(code) {
        server.sockets = server.sockets.filter(socket => socket !== this)
        this.readyState = 3
        if (!page.isClosed) this.onclose?.({code})
      }
      close() { this.end(1000) }
    }
    const guard = fn => () => page.isClosed || fn()
    page.socket = () => page.store.feed.socket
    page.store = new Store({
      disk: await new Disk(this.factory, KeyRange).open(), tabs: new Tabs({locks, Channel}), WebSocket: Socket,
      fetch: async (...args) => {
        if (page.isClosed) return new Promise(() => {})
        const reply = await server.fetch(...args)
        return page.isClosed ? new Promise(() => {}) : reply
      },
      socketOrigin: "ws://nexus.test", now: () => clock.now, random: () => 1, id: () => `id-${(this.numbers += 1)}`,
      setTimeout: (fn, wait) => clock.set(guard(fn), wait), clearTimeout: id => clock.timers.delete(id),
      setInterval: (fn, wait) => clock.set(guard(fn), wait, wait), report: error => { throw error },
      soon: fn => setImmediate(guard(fn)), isVisible: () => page.isVisible, onTab: fn => { page.changed = fn }, onOnline: (fn, other) => Object.assign(page, {online: fn, offline: other}),
      onGone: fn => { page.gone = fn },
    })
    this.pages.push(page)
    page.store.start()
    await settle()
    return page
  }

  release(name, turn) {
    const queue = this.waiting.get(name)
    const wasFirst = queue[0] === turn
    queue.splice(queue.indexOf(turn), 1)
    if (wasFirst) queue[0]?.begin()
  }

  // As if the process was killed.
  async close(page) {
    page.isClosed = page.port.isClosed = true
    this.server.sockets = this.server.sockets.filter(socket => socket !== page.socket())
    for (const [name, queue] of this.waiting) {
      const [first] = queue
      this.waiting.set(name, queue.filter(turn => turn.page !== page))
      if (first?.page === page) this.waiting.get(name)[0]?.begin()
    }
    await settle()
  }
}

export const world = async ({conversations = {pier: {count: 3}}, isSigningIn = true} = {}) => {
  const server = new Server()
  for (const [id, options] of Object.entries(conversations)) server.add(id, options)
  const browser = new Browser(server)
  const page = await browser.open()
  if (isSigningIn) {
    await page.store.pickUser("ada")
    await browser.clock.pass(0)
  }
  return {server, browser, clock: browser.clock, page, store: page.store}
}
