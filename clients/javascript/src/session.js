import {NexusError, SignedOutError} from "./errors.js"

const asBytes = text => String.fromCharCode(...new TextEncoder().encode(text))

/** Who asks, and how the session ends. Subclasses give the headers of requests. */
class Session {
  constructor() { Object.assign(this, {ended: null, listeners: new Set()}) }

  /** Ends the session once; returns the error for requests. */
  end(reason, error) {
    if (this.ended) return this.ended
    this.ended = new SignedOutError(reason, error)
    for (const listener of [...this.listeners]) listener(reason)
    return this.ended
  }

  /** Headers of a request; `refused` are those that the server answered with 401. */
  async headers(refused) {
    if (this.ended) throw this.ended
    return this.make(refused)
  }

  async close() {}
}

/** A server without sign-in, which trusts the name; or a token, with the name that a key needs. */
export class Token extends Session {
  constructor({as, token}) {
    super()
    Object.assign(this, {as, source: token, token: typeof token === "string" ? token : null, asking: null})
  }

  async make(refused) {
    const name = this.as === undefined ? {} : {"X-Nexus-User": asBytes(this.as)}
    if (!this.source) return refused ? this.refuse() : name
    const old = refused?.Authorization?.slice(7)
    if (!this.token || this.token === old) await (this.asking ??= this.ask(old).finally(() => (this.asking = null)))
    return {...name, Authorization: `Bearer ${this.token}`}
  }

  refuse() { throw this.end("tokenRefused") }

  // One question for all requests that wait.
  async ask(refused = null) {
    if (typeof this.source === "string") this.refuse()
    let token
    try {
      token = await this.source(refused)
    } catch (error) {
      if (error instanceof SignedOutError) throw this.end(error.reason, error)
      throw new NexusError(0, {code: "token_unavailable", detail: "the app's function gave no token"}, {cause: error})
    }
    if (!token || token === refused) this.refuse()
    this.token = token
  }
}

/** An account of the server: an access token that a cookie renews. A browser keeps the cookie itself. */
export class Account extends Session {
  constructor(http, keep) { super(); Object.assign(this, {http, keep, token: null, expiresAt: 0, user: null, cookies: null, renewing: null}) }

  async make(refused) {
    const isOld = refused?.Authorization === `Bearer ${this.token}`
    if (!this.token || isOld || this.http.env.now() >= this.expiresAt - 30_000) await this.renew()
    return {Authorization: `Bearer ${this.token}`}
  }

  /** POST of a route that answers with a session. */
  async open(path, body) {
    this.cookies ??= (await this.keep?.load()) ?? ""
    const read = async reply => ({body: await reply.json(), cookies: cookiesOf(reply)})
    const headers = this.cookies && {Cookie: this.cookies}
    const reply = await this.http.send("POST", path, {body, headers, read, isPublic: true, isSafe: path.at(-1) === "refresh"})
    const {accessToken, expiresAt, user} = reply.body
    Object.assign(this, {token: accessToken, expiresAt: Date.parse(expiresAt), user})
    await this.store({...parse(this.cookies), ...reply.cookies})
  }

  /** Takes the session that a service's redirect back to the server opens. */
  async take({binding}, redirectedTo) {
    this.cookies ??= (await this.keep?.load()) ?? ""
    const query = Object.fromEntries(new URL(redirectedTo).searchParams)
    const headers = {Cookie: `nexus-oidc=${binding}`}
    const reply = await this.http.send("GET", ["session", "oidc", "callback"], {...toElsewhere, query, headers, isSafe: false})
    if (!reply.cookies["nexus-session"]) throw unexpected()
    await this.store({...parse(this.cookies), "nexus-session": reply.cookies["nexus-session"]})
    await this.renew()
  }

  // A cookie is good once, so all requests that wait share one renewal.
  renew() { return (this.renewing ??= this.renewOnce().finally(() => (this.renewing = null))) }

  async renewOnce() {
    if (this.ended) throw this.ended
    try {
      await this.open(["session", "refresh"])
    } catch (error) {
      if (error.code === "account_disabled") throw await this.over("accountDisabled", error)
      if (error.status === 401) throw await this.over("sessionEnded", error)
      throw error
    }
  }

  async over(reason, error) {
    await this.forget()
    return this.end(reason, error)
  }

  /** Ends the session on the server. */
  async close() {
    const headers = this.cookies && {Cookie: this.cookies}
    try {
      await this.http.send("DELETE", ["session"], {headers, isPublic: true})
    } finally {
      await this.forget()
    }
  }

  // Stays: the cookie that only says that this device is known.
  forget() {
    this.token = null
    return this.store({...parse(this.cookies ?? ""), "nexus-session": undefined})
  }

  async store(cookies) {
    const pairs = Object.entries(cookies).filter(([, value]) => value)
    this.cookies = pairs.map(pair => pair.join("=")).join("; ")
    await this.keep?.save(this.cookies)
  }
}

const parse = text => Object.fromEntries(text.split("; ").filter(Boolean).map(pair => pair.split(/=(.*)/s).slice(0, 2)))

// A browser hides these from scripts and sends them by itself.
const cookiesOf = reply => {
  const lines = reply.headers.getSetCookie?.() ?? (reply.headers.get("Set-Cookie") ?? "").split(/,(?=\s*nexus-)/)
  return parse(lines.map(line => line.split(";")[0].trim()).join("; "))
}

export const unexpected = () =>
  new NexusError(0, {code: "unreadable", detail: "the reply begins no sign-in; a browser hides it: use Nexus.openIDAddress(url)"})

const redirectOf = async reply => {
  const redirect = reply.headers.get("Location") ?? ""
  const [, code] = redirect.split("/#/sign-in?error=")
  if (code) throw new NexusError(401, {code, detail: "signing in with OpenID Connect failed"})
  return {redirect, cookies: cookiesOf(reply)}
}

/** For requests whose reply is a redirect, which is read instead of followed. */
export const toElsewhere = {isPublic: true, redirect: "manual", read: redirectOf}
