import {APIError} from "./api.js"

// Waits of 1, 2, 4, 8, 16, 30 s with full jitter; not shorter than the server asks, at most five minutes.
export class Backoff {
  constructor(random) { Object.assign(this, {random, attempt: 0}) }
  next(retryAfter = 0) {
    const step = [1, 2, 4, 8, 16, 30][Math.min(this.attempt, 5)]
    this.attempt += 1
    return 1000 * Math.max(step * this.random(), Math.min(retryAfter, 300))
  }
  reset() { this.attempt = 0 }
}

// The socket of the leading page.
export class Feed {
  // `host` has api, env, tabs, state, and handles snapshot(reply), frame(frame), moved(), ephemeral(message), live().
  constructor(host) {
    Object.assign(this, {host, backoff: new Backoff(host.env.random), state: "offline", retryAt: null, socket: null})
    Object.assign(this, {isWanted: false, generation: 0, lastAck: null, askedUntil: 0})
  }

  set(state, retryAt = null) {
    if (this.state === state && this.retryAt === retryAt) return
    Object.assign(this, {state, retryAt})
    this.host.connectionChanged({state, retryAt})
  }

  start() {
    if (this.isWanted) return
    this.isWanted = true
    this.connect()
  }

  stop() {
    this.isWanted = false
    this.drop()
    this.backoff.reset()
    this.set("offline")
  }

  drop() {
    const {env} = this.host
    this.generation += 1
    for (const timer of [this.timer, this.silence, this.ackTimer]) env.clearTimeout(timer)
    this.ackTimer = null
    this.socket?.close()
    this.socket = null
  }

  // Connects now instead of waiting. A server that asked for time gets it, whatever network there is.
  retryNow(isAsked) {
    if (!isAsked && this.host.env.now() < this.askedUntil) return
    this.backoff.reset()
    if (this.isWanted && this.state === "offline") this.connect()
  }

  restart() {
    this.drop()
    if (this.isWanted) this.connect()
  }

  async connect() {
    this.drop()
    const {host, generation} = this
    const isStale = () => generation !== this.generation
    this.set("connecting")
    try {
      const isFresh = !host.state.cursor
      if (isFresh) {
        const snapshot = await host.api.request("GET", "/v1/sync")
        if (isStale()) return
        await host.snapshot(snapshot)
      }
      const {ticket} = await host.api.request("POST", "/v1/feed/ticket")
      if (isStale()) return
      this.open(ticket, isFresh)
    } catch (error) {
      if (!isStale()) this.wait(error instanceof APIError ? error : new APIError(0, "fault"))
    }
  }

  open(ticket, isFresh) {
    const {host, generation} = this
    const {env} = host
    const query = new URLSearchParams({ticket, cursor: host.state.cursor, device: host.device})
    const socket = (this.socket = new env.WebSocket(`${env.socketOrigin}/v1/socket?${query}`, ["nexus.v1"]))
    const guard = fn => event => generation === this.generation && fn(event)
    this.expectSign()
    socket.onopen = guard(() => {
      this.set(isFresh ? "live" : "catchingUp")
      this.lastAck = null
      host.greet()
      this.acknowledge()
      if (isFresh) this.becomeLive()
      // What was missed comes first.
      else this.timer = env.setTimeout(() => this.becomeLive(), 1000)
    })
    socket.onmessage = guard(({data}) => {
      this.expectSign()
      try {
        this.take(JSON.parse(data))
      } catch {
        this.wait()
      }
    })
    socket.onclose = guard(({code}) => {
      this.socket = null
      if (code === 3003) return host.erased()
      if (code === 3000) host.tokenExpired()
      this.wait()
    })
    socket.onerror = () => {}
  }

  // The server says something every 25 s; a connection that is silent for a minute is lost.
  expectSign() {
    const {env} = this.host
    env.clearTimeout(this.silence)
    this.silence = env.setTimeout(() => this.wait(), 60_000)
  }

  wait(error) {
    if (!this.isWanted) return
    this.drop()
    if (error?.status === 401) return this.set("offline")
    const wait = this.backoff.next(error?.retryAfter)
    this.askedUntil = error?.retryAfter ? this.host.env.now() + wait : 0
    this.set("offline", this.host.env.now() + wait)
    this.timer = this.host.env.setTimeout(() => this.connect(), wait)
  }

  becomeLive() {
    this.backoff.reset()
    this.set("live")
    this.host.live()
  }

  take(message) {
    const {host} = this
    if (message.type === undefined) {
      const outcome = host.frame(message)
      if (outcome === "gap") return this.wait()
      if (this.state !== "live") this.becomeLive()
      this.acknowledge()
    } else if (message.type === "heartbeat") {
      if (host.state.move(message.cursor)) host.moved()
      if (this.state !== "live") this.becomeLive()
      this.acknowledge()
    } else if (message.type === "resync") {
      host.state.cursor = null
      this.restart()
    } else host.ephemeral(message)
  }

  say(message) {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message))
  }

  // Says what was received, at most every 2 s.
  acknowledge() {
    const {env, state} = this.host
    if (this.ackTimer || this.lastAck === state.cursor) return
    this.lastAck = state.cursor
    this.say({type: "ack", cursor: state.cursor})
    this.ackTimer = env.setTimeout(() => {
      this.ackTimer = null
      this.acknowledge()
    }, 2000)
  }
}
