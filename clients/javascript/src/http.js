import {NexusError, failure} from "./errors.js"
import {backoff, deadline, pathOf, queryOf, sleep} from "./tools.js"

const isBytes = body => body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body)

/** Requests with the credentials of the session; those that can be repeated without harm are repeated. */
export class Http {
  constructor(url, {retryFor = 30_000, timeout = 60_000}, env) {
    Object.assign(this, {url: String(url).replace(/\/+$/, ""), retryFor, timeout, env, session: null, waiting: new Set()})
    if (!/^https?:\/\//.test(this.url)) throw new TypeError(`the address of the server needs https:// or http://: ${url}`)
  }

  /** Returns a Response of success. `isSafe`: the request may be repeated although the server may have performed it. */
  async send(method, path, options = {}) {
    const {isSafe = ["GET", "PUT", "DELETE"].includes(method), signal, retryFor = this.retryFor} = options
    const end = this.env.now() + retryFor
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.authorized(method, path, options)
      } catch (error) {
        const wait = backoff(attempt, error.retryAfter ?? 0, this.env.random)
        if (!mayRepeat(error, isSafe) || this.env.now() + wait > end) throw error
        await this.wait(wait, error.retryAfter, signal)
      }
    }
  }

  // Ends early when there is a connection again, unless the server has said how long to wait.
  async wait(milliseconds, isAsked, signal) {
    const controller = new AbortController()
    const wake = () => controller.abort()
    if (!isAsked) this.waiting.add(wake)
    signal?.addEventListener("abort", wake)
    try {
      await sleep(this.env, milliseconds, controller.signal).catch(() => {})
    } finally {
      this.waiting.delete(wake)
      signal?.removeEventListener("abort", wake)
    }
    if (signal?.aborted) throw signal.reason
  }

  wake() { for (const wake of [...this.waiting]) wake() }

  async authorized(method, path, options) {
    if (options.isPublic) return this.once(method, path, options, {})
    for (let refused = null; ; ) {
      const headers = await this.session.headers(refused)
      try {
        return await this.once(method, path, options, headers)
      } catch (error) {
        if (error.code === "account_disabled") throw this.session.end("accountDisabled", error)
        if (error.status !== 401 || !(error instanceof NexusError)) throw error
        if (refused) throw this.session.end("tokenRefused", error)
        refused = headers
      }
    }
  }

  // `read` takes the body, within the time limit of the request.
  async once(method, path, {body, query, headers, signal, redirect, timeout = this.timeout, read = reply => reply}, credentials) {
    const address = this.url + pathOf(path) + queryOf(query)
    const isJSON = body !== undefined && !isBytes(body)
    const limit = deadline(this.env, timeout, signal)
    try {
      const reply = await this.env.fetch(address, {
        method, redirect, cache: "no-store", signal: limit.signal, body: isJSON ? JSON.stringify(body) : body,
        headers: {...(isJSON && {"Content-Type": "application/json"}), ...headers, ...credentials},
      })
      const isRedirect = redirect && (reply.status === 302 || reply.type === "opaqueredirect")
      if (reply.ok || isRedirect) return await read(reply)
      throw failure(reply.status, await reply.text(), reply.headers.get("Retry-After"))
    } catch (error) {
      throw failureOf(error, limit.signal, signal)
    } finally {
      limit.end()
    }
  }

  /** Returns the JSON of the reply, or null if it has none. */
  json(method, path, options) { return this.send(method, path, {...options, read: readJSON}) }

  /** Server-sent events as `{id, event, data}`, with `data` as JSON. A stream that is silent for `silence` ends with an error. */
  async *events(method, path, {silence = 60_000, signal, ...options} = {}) {
    const limit = deadline(this.env, silence, signal)
    let reader
    try {
      const headers = {Accept: "text/event-stream", ...options.headers}
      const reply = await this.send(method, path, {...options, headers, signal: limit.signal, timeout: Infinity})
      reader = reply.body.getReader()
      yield* eventsOf(reader, limit)
    } catch (error) {
      throw failureOf(error, limit.signal, signal)
    } finally {
      limit.end()
      reader?.cancel().catch(() => {})
    }
  }
}

const mayRepeat = (error, isSafe) => {
  if (!(error instanceof NexusError) || !error.isTransient) return false
  // A server that says when to come again has done nothing.
  return isSafe || ([429, 503].includes(error.status) && error.retryAfter > 0)
}

const readJSON = async reply => {
  const text = await reply.text()
  return text ? JSON.parse(text) : null
}

/** The caller's own abort is passed on as it is. */
const failureOf = (error, own, signal) => {
  if (error instanceof NexusError) return error
  if (signal?.aborted) return signal.reason
  if (own.aborted) return own.reason
  if (error instanceof SyntaxError) return new NexusError(0, {code: "unreadable", detail: "the reply is no JSON"}, {cause: error})
  return new NexusError(0, {code: "unreachable", detail: "the server cannot be reached"}, {cause: error})
}

async function* eventsOf(reader, limit) {
  const decoder = new TextDecoder()
  let rest = ""
  let fields = {event: "message", data: []}
  for (;;) {
    const {value, done} = await reader.read()
    limit.expect()
    const lines = (rest + decoder.decode(value, {stream: !done})).split(/\r?\n/)
    rest = lines.pop()
    for (const line of lines) {
      const [, name, text] = /^([^:]*):? ?(.*)$/s.exec(line)
      if (name === "data") fields.data.push(text)
      else if (name === "event" || name === "id") fields[name] = text
      else if (!line) {
        if (fields.data.length) yield {...fields, data: JSON.parse(fields.data.join("\n"))}
        fields = {event: "message", data: []}
      }
    }
    if (done) return
  }
}
