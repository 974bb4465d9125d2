import {NexusError, SignedOutError} from "./errors.js"
import {isLater, placeOf} from "./position.js"
import {backoff, makeID, sleep} from "./tools.js"

const SILENCE = 60_000
const BEAT = 25_000
const ACK = 2_000

/** What changes for the person: an asynchronous iterator of events that survives broken connections. */
export class Feed {
  constructor(http, {cursor = null, device = makeID(), transport = "auto", isActive = true, signal} = {}) {
    Object.assign(this, {http, env: http.env, position: cursor, cursor, device, transport, isActive, queue: [], wake: null})
    Object.assign(this, {attempt: 0, gaps: 0, unopened: 0, said: new Map(), tell: null, ackedAt: -Infinity, acked: cursor})
    this.controller = new AbortController()
    if (signal?.aborted) this.close()
    else signal?.addEventListener("abort", () => this.close(), {once: true})
    if (transport === "socket" && !this.env.WebSocket) throw new TypeError("there is no WebSocket here: leave transport out")
    this.ended = () => this.controller.abort()
    http.session.listeners.add(this.ended)
  }

  [Symbol.asyncIterator]() { return this }

  /** The next event. Asking for it says that the event before it was applied: `cursor` moves, and the server hears of it. */
  async next() {
    this.running ??= this.run()
    if (this.taken) this.applied(this.taken)
    while (!this.queue.length && !this.isOver) await new Promise(resolve => (this.wake = resolve))
    this.taken = this.queue.shift()
    if (this.taken) return {value: this.taken, done: false}
    if (this.error) throw this.error
    return {value: undefined, done: true}
  }

  async return() {
    this.close()
    return {value: undefined, done: true}
  }

  close() {
    this.controller.abort()
    this.finish()
  }

  finish(error) {
    if (this.isOver) return
    Object.assign(this, {isOver: true, error})
    this.http.session.listeners.delete(this.ended)
    if (!error) this.queue.length = 0
    this.env.clearTimeout(this.ackTimer)
    this.wake?.()
  }

  put(event) {
    this.queue.push(event)
    this.wake?.()
  }

  applied({cursor}) {
    this.taken = null
    if (!cursor) return
    this.cursor = cursor
    this.acknowledge()
  }

  // --- What the client says; it is said again on each new connection ---

  /** This conversation is on the screen; without an id, none. */
  open(conversationId) { this.say({type: "open", conversationId}) }

  /** The person types; `false` ends it. Said at most once in 3 s by an app that calls it for each key. */
  typing(conversationId, isTyping = true) {
    const key = `${conversationId} ${isTyping}`
    if (isTyping && this.typed === key && this.env.now() < this.typedAt + 3_000) return
    Object.assign(this, {typed: key, typedAt: this.env.now()})
    this.tell?.({type: "typing", conversationId, typing: isTyping})
  }

  /** Asks for the presence of these people. */
  watch(userIds) { this.say({type: "watch", userIds}) }

  /** Whether the person is at the device, or away. */
  active(isActive) {
    this.isActive = isActive
    this.tell?.({type: "active", active: isActive})
  }

  say(message) {
    this.said.set(message.type, message)
    this.tell?.(message)
  }

  greet(tell) {
    this.tell = tell
    if (this.isActive) tell({type: "active", active: true})
    for (const message of this.said.values()) tell(message)
    this.acknowledge()
  }

  // At most every two seconds; what came before is then delivered.
  acknowledge() {
    if (!this.tell || this.ackTimer || this.acked === this.cursor || !this.cursor) return
    const wait = Math.max(0, this.ackedAt + ACK - this.env.now())
    this.ackTimer = this.env.setTimeout(() => {
      this.ackTimer = null
      if (!this.tell || this.isOver) return
      Object.assign(this, {ackedAt: this.env.now(), acked: this.cursor})
      this.tell({type: "ack", cursor: this.cursor})
      this.acknowledge()
    }, wait)
  }

  // --- The connection ---

  async run() {
    const {signal} = this.controller
    while (!this.isOver) {
      let error
      this.connection("connecting")
      try {
        if (!this.position) await this.snapshot()
        await this.connect()
      } catch (thrown) {
        error = thrown
      }
      this.tell = null
      if (this.isOver) return
      if (error instanceof Resync && this.gaps < 3) continue
      if (this.http.session.ended || isFinal(error)) return this.finish(this.http.session.ended ?? error)
      const wait = backoff(this.attempt, error?.retryAfter ?? 0, this.env.random)
      this.attempt += 1
      this.connection("offline", {retryAt: this.env.now() + wait, error})
      await sleep(this.env, wait, signal).catch(() => {})
    }
  }

  connection(state, more) { this.put({type: "connection", state, ...more}) }

  async snapshot() {
    const snapshot = await this.http.json("GET", ["sync"], {signal: this.controller.signal, retryFor: 0})
    this.position = snapshot.cursor
    this.put({type: "snapshot", snapshot, cursor: snapshot.cursor})
  }

  // A network may let sockets not through: after one that did not open, a stream of events is tried.
  async connect() {
    const isSocket = this.transport === "socket" || (this.transport === "auto" && this.env.WebSocket && this.unopened % 2 === 0)
    return isSocket ? this.overSocket() : this.overEvents()
  }

  live() {
    this.attempt = 0
    this.connection("live")
    this.http.wake()
  }

  async overSocket() {
    const {signal} = this.controller
    const {ticket} = await this.http.json("POST", ["feed", "ticket"], {signal, retryFor: 0})
    const query = new URLSearchParams({ticket, cursor: this.position, device: this.device})
    if (this.isOver) return
    this.unopened += 1
    const socket = new this.env.WebSocket(`${this.http.url.replace(/^http/, "ws")}/v1/socket?${query}`, ["nexus.v1"])
    try {
      await this.carry(socket, signal)
    } finally {
      for (const name of ["onopen", "onmessage", "onclose", "onerror"]) socket[name] = null
      socket.close()
    }
  }

  carry(socket, signal) {
    let silence, beat, stop
    const {env} = this
    const run = new Promise((resolve, reject) => {
      const expect = () => {
        env.clearTimeout(silence)
        silence = env.setTimeout(() => reject(new NexusError(0, {code: "timed_out"})), SILENCE)
      }
      const tell = message => socket.readyState === 1 && socket.send(JSON.stringify(message))
      const keepBeating = () => {
        beat = env.setTimeout(() => {
          if (this.isActive) tell({type: "active", active: true})
          keepBeating()
        }, BEAT)
      }
      stop = resolve
      signal.addEventListener("abort", stop)
      socket.onopen = () => {
        this.unopened = 0
        this.greet(tell)
        keepBeating()
        this.live()
      }
      socket.onmessage = ({data}) => {
        expect()
        try { this.take(JSON.parse(data)) } catch (error) { reject(error) }
      }
      // Node 22 reports a refused socket by this event alone.
      socket.onerror = () => reject(new NexusError(0, {code: "closed", detail: "the socket failed"}))
      socket.onclose = ({code}) => {
        if (code === 3003) this.http.session.end("erased")
        reject(new NexusError(0, {code: "closed", detail: `the socket was closed (${code})`}))
      }
      expect()
    })
    return run.finally(() => {
      signal.removeEventListener("abort", stop)
      for (const timer of [silence, beat]) env.clearTimeout(timer)
    })
  }

  async overEvents() {
    const {signal} = this.controller
    const query = {cursor: this.position, device: this.device}
    for await (const {event, data} of this.http.events("GET", ["feed"], {query, signal, silence: SILENCE, retryFor: 0})) {
      if (event === "stream") {
        this.unopened = 0
        this.greet(message => this.post({...message, stream: data.stream}))
        this.live()
      } else if (event === "end") {
        if (data.reason === "user_erased") this.http.session.end("erased")
        return
      } else this.take(event === "frame" ? data : {...data, type: event})
    }
  }

  post(body) { this.http.send("POST", ["feed", "say"], {body, signal: this.controller.signal, retryFor: 0}).catch(() => {}) }

  take(message) {
    if (message.type === undefined) return this.frame(message)
    if (message.type === "resync") {
      this.gaps += 1
      this.position = null
      throw new Resync()
    }
    if (message.type !== "heartbeat") return this.put(message)
    this.gaps = 0
    if (isLater(message.cursor, this.position)) this.position = message.cursor
  }

  // A frame that is missing is asked for again from the last position; if that does not help, all is asked for.
  frame({changes, limited = [], ...frame}) {
    const place = placeOf(frame, this.position)
    if (place === "known") return
    if (place === "gap") {
      this.gaps += 1
      if (this.gaps > 1) this.position = null
      throw new Resync()
    }
    Object.assign(this, {gaps: 0, position: frame.cursor})
    this.put({type: "changes", changes, limited, cursor: frame.cursor})
  }
}

class Resync extends Error {}

// Errors that another attempt does not mend.
const isFinal = error => error instanceof SignedOutError ||
  (error instanceof NexusError && error.status >= 400 && error.status < 500 && !error.isTransient)
