// Requests to the server. Credentials come from the session.
export class APIError extends Error {
  constructor(status, code = "", detail = "", retryAfter = 0) {
    super(code || String(status))
    Object.assign(this, {name: "APIError", status, code, detail, retryAfter})
  }
  // Status 0: the server was not reached.
  get isTransient() { return !this.status || [408, 425, 429].includes(this.status) || this.status >= 500 }
  get isGone() { return ["message_deleted", "message_not_found"].includes(this.code) }
}

const failure = (status, text, header) => {
  let body = {}
  try { body = JSON.parse(text) } catch {}
  return new APIError(status, body.code, body.detail, Math.max(0, Number(header) || 0))
}

const queryText = query => {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value != null)
  return pairs.length ? "?" + pairs.map(pair => pair.map(encodeURIComponent).join("=")).join("&") : ""
}

export class API {
  constructor(fetch = (...args) => globalThis.fetch(...args)) {
    this.fetch = fetch
    // Returns headers; gets those that the server refused with 401.
    this.credentials = async () => ({})
  }

  // A Response with a status of success.
  async send(method, path, {body, query, signal, headers, isPublic, cache = "no-store"} = {}) {
    let refused
    for (;;) {
      const credentials = isPublic ? {} : await this.credentials(refused)
      const init = {
        method, credentials: "same-origin", cache,
        headers: {...(body === undefined ? {} : {"Content-Type": "application/json"}), ...headers, ...credentials},
        body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
        signal: signal ?? AbortSignal.timeout?.(60_000),
      }
      let reply
      try {
        reply = await this.fetch(path + queryText(query), init)
      } catch (error) {
        if (signal?.aborted) throw error
        throw new APIError(0, "unreachable")
      }
      if (reply.ok) return reply
      if (reply.status === 401 && !isPublic && !refused) {
        refused = credentials
        continue
      }
      throw failure(reply.status, await reply.text().catch(() => ""), reply.headers.get("Retry-After"))
    }
  }

  async request(method, path, options) {
    const reply = await this.send(method, path, options)
    try {
      const text = await reply.text()
      return text ? JSON.parse(text) : null
    } catch (error) {
      if (options?.signal?.aborted) throw error
      throw error instanceof SyntaxError ? new APIError(502, "unreadable") : new APIError(0, "unreachable")
    }
  }

  // The lines of a reply, as they come.
  async *stream(path, body, {signal = new AbortController().signal, query, headers} = {}) {
    const reply = await this.send("POST", path, {body, signal, query, headers})
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ""
    try {
      for (;;) {
        const {value = "", done} = await reader.read()
        const lines = (rest + value).split(/\r?\n/)
        rest = lines.pop()
        yield* lines
        if (done) break
      }
      if (rest) yield rest
    } catch (error) {
      throw signal.aborted ? error : new APIError(0, "unreachable")
    } finally {
      reader.cancel().catch(() => {})
    }
  }

  // Server-sent events of a POST.
  async *events(path, body, options) {
    let [event, data] = ["message", []]
    for await (const line of this.stream(path, body, {...options, headers: {Accept: "text/event-stream"}})) {
      const [, name, text] = /^([^:]*):? ?(.*)$/s.exec(line)
      if (name === "event") event = text
      else if (name === "data") data.push(text)
      else if (!line) {
        if (data.length) yield {event, data: JSON.parse(data.join("\n"))}
        ;[event, data] = ["message", []]
      }
    }
  }

  // application/x-ndjson.
  async *lines(path, body, options) {
    for await (const line of this.stream(path, body, options)) if (line.trim()) yield JSON.parse(line)
  }

  // XMLHttpRequest, because fetch tells no progress of an upload.
  // Returns the text of the reply; `onText` gets what came of it so far.
  async upload(file, onProgress = () => {}, {path = "/v1/files", query = {name: file.name}, signal, onText = () => {}} = {}) {
    let refused
    for (;;) {
      const credentials = await this.credentials(refused)
      const {status, text, retryAfter} = await new Promise((resolve, reject) => {
        const request = new XMLHttpRequest()
        request.open("POST", path + queryText(query))
        const headers = {"Content-Type": file.type || "application/octet-stream", ...credentials}
        for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
        request.upload.onprogress = event => onProgress(event.loaded, event.total)
        request.onprogress = () => request.status === 200 && onText(request.responseText)
        request.onload = () =>
          resolve({status: request.status, text: request.responseText, retryAfter: request.getResponseHeader("Retry-After")})
        request.onerror = request.onabort = () => reject(new APIError(0, signal?.aborted ? "cancelled" : "unreachable"))
        signal?.addEventListener("abort", () => request.abort())
        request.send(file)
      })
      if (status >= 200 && status < 300) return text
      if (status !== 401 || refused) throw failure(status, text, retryAfter)
      refused = credentials
    }
  }
}
