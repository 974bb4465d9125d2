// A server, a network and a clock for tests: nothing takes time, and tests say what is answered.
import {Nexus} from "../src/index.js"

/** Everything that is under way and needs no timer has happened. */
export const settle = async () => { for (let i = 0; i < 60; i += 1) await new Promise(setImmediate) }

export class FakeSocket {
  constructor(url, protocols) {
    Object.assign(this, {url: new URL(url), protocols, readyState: 0, sent: []})
    FakeSocket.made(this)
  }
  open() {
    this.readyState = 1
    this.onopen?.()
  }
  say(message) { this.onmessage?.({data: JSON.stringify(message)}) }
  end(code = 1006) {
    this.readyState = 3
    this.onclose?.({code})
  }
  send(text) { this.sent.push(JSON.parse(text)) }
  close() { this.readyState = 3 }
}

/** A stream of server-sent events that a test writes. */
export class FakeStream {
  constructor(signal) {
    this.body = new ReadableStream({start: controller => (this.controller = controller), cancel: () => (this.isCancelled = true)})
    signal?.addEventListener("abort", () => this.fail(signal.reason))
  }
  write(text) { this.controller.enqueue(new TextEncoder().encode(text)) }
  event(event, data) { this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`) }
  fail(error) { try { this.controller.error(error) } catch {} }
  end() { this.controller.close() }
}

export const problem = (status, code, {retryAfter, ...more} = {}) =>
  ({status, body: {code, detail: `about ${code}`, status, ...more}, headers: retryAfter ? {"Retry-After": String(retryAfter)} : {}})

export class World {
  constructor() {
    Object.assign(this, {time: 0, timers: new Map(), number: 0, requests: [], sockets: [], routes: new Map(), isDown: false})
    FakeSocket.made = socket => this.sockets.push(socket)
    this.env = {
      random: () => 1, now: () => this.time, WebSocket: FakeSocket, fetch: (...values) => this.fetch(...values),
      setTimeout: (fn, wait) => (this.timers.set((this.number += 1), {at: this.time + wait, fn}), this.number),
      clearTimeout: timer => this.timers.delete(timer),
    }
    this.answer("POST /v1/feed/ticket", () => ({body: {ticket: "t"}}))
  }

  nexus(options) { return new Nexus("https://chat.example.com/", {as: "ada", env: this.env, ...options}) }

  /** `reply(request)` returns {status, body, headers}, a FakeStream, or throws as a broken network. */
  answer(route, reply) { this.routes.set(route, reply) }
  asked(route) { return this.requests.filter(request => request.route === route) }

  async fetch(address, {method, headers, body, signal}) {
    const url = new URL(address)
    const route = `${method} ${url.pathname}`
    const request = {route, query: Object.fromEntries(url.searchParams), headers, body: typeof body === "string" ? JSON.parse(body) : body, signal}
    this.requests.push(request)
    if (this.isDown) throw new TypeError("fetch failed")
    const handler = this.routes.get(route)
    if (!handler) throw new Error(`no answer for ${route}`)
    const never = new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
    const found = await Promise.race([handler(request), never])
    if (found instanceof FakeStream) return new Response(found.body, {headers: {"Content-Type": "text/event-stream"}})
    const {status = 200, body: text, headers: more = {}, cookies = []} = found ?? {status: 204}
    const reply = new Response(status === 204 ? null : text instanceof Blob ? text : JSON.stringify(text), {status, headers: more})
    reply.headers.getSetCookie = () => cookies
    return reply
  }

  async pass(milliseconds) {
    const end = this.time + milliseconds
    await settle()
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0]
      if (!due) break
      this.timers.delete(due[0])
      this.time = Math.max(this.time, due[1].at)
      due[1].fn()
      await settle()
    }
    this.time = end
  }
}

/** Keeps what an iterator gives. */
export const collect = iterator => {
  const seen = []
  const end = (async () => { for await (const event of iterator) seen.push(event) })().then(() => "ended", error => error)
  return Object.defineProperty(seen, "end", {value: end})
}

export const entry = (id, more) => ({
  id, name: id, kind: "group", head: 0, readSeq: 0, unreadCount: 0, mentionCount: 0, activeAt: "2026-01-01T00:00:00.000Z",
  preferences: {pinned: false, muted: false, archived: false}, ...more,
})
export const message = (seq, text = `text ${seq}`, more) => ({
  id: `m${seq}`, seq, text, conversationId: "pier", senderId: "ben", senderName: "Ben", kind: "text", attachments: [], reactions: [],
  timestamp: `2026-01-01T00:00:${String(seq).padStart(2, "0")}.000Z`, ...more,
})
export const frame = (pos, ...changes) => ({v: 1, lane: 0, prev: pos - 1, pos, cursor: `e-${pos}`, changes})
export const said = (pos, ...messages) => frame(pos, ...messages.map(one => ({type: "message", message: one})))
export const snapshot = (pos, ...conversations) => ({cursor: `e-${pos}`, conversations, notifications: [], settings: {}})
