import {APIError} from "./api.js"

const asBytes = text => String.fromCharCode(...new TextEncoder().encode(text))

// The user of the page: signed in by an access token that a cookie renews, or picked if the server needs no sign-in.
export class Session {
  // `host` has api, disk, tabs, env, and handles userChanged(user) and sessionEnded().
  constructor(host) {
    Object.assign(this, {host, status: "starting", user: null, methods: null, error: null, passwordLink: null, token: null, expiresAt: 0})
    host.api.credentials = refused => this.credentials(refused)
  }

  get isOpen() { return this.methods?.authentication === "none" }

  set(changes) {
    Object.assign(this, changes)
    this.host.announce("session")
  }

  // `kept` is what the disk knows: its user reads and writes offline until the server says otherwise.
  async start(kept) {
    this.kept = kept
    if (kept?.user) this.set({status: "signedIn", user: kept.user})
    try {
      await this.discover()
    } catch (error) {
      this.set({error, status: kept?.user ? "signedIn" : "signedOut"})
      const wait = Math.max(3, error.retryAfter ?? 0) * 1000
      this.host.env.setTimeout(() => this.methods || this.start(kept), wait)
    }
  }

  discover() { return (this.discovering ??= this.ask().finally(() => (this.discovering = null))) }

  async ask() {
    const {api} = this.host
    const methods = await api.request("GET", "/v1/session/methods", {isPublic: true})
    this.set({methods, error: null})
    const {defaultUser: id} = methods
    // The default user may be in no conversation yet.
    const picked = this.kept?.user ?? (id && (methods.users?.find(user => user.userId === id) ?? {userId: id, name: id}))
    if (this.isOpen && picked && !this.kept?.isSignedOut) return this.pick(picked)
    if (this.isOpen) return this.set({status: "signedOut", user: null})
    return this.refresh().catch(error => {
      if (error.status !== 401 && !this.kept?.user) throw error
    })
  }

  // Headers of a request; `refused` are those that the server answered with 401.
  async credentials(refused) {
    if (!this.methods) await this.discover()
    if (this.isOpen && refused) await this.learn()
    if (this.isOpen) {
      if (!this.user || refused) throw new APIError(401, "session_ended")
      return {"X-Nexus-User": asBytes(this.user.id)}
    }
    const isOld = refused && refused.Authorization === `Bearer ${this.token}`
    if (!this.token || isOld || this.host.env.now() >= this.expiresAt) await this.refresh(isOld ? this.token : null)
    return {Authorization: `Bearer ${this.token}`}
  }

  // Sign-in was turned on, here or elsewhere; a browser with a session keeps it.
  async learn() {
    await (this.turning ?? this.discover()).catch(() => {})
  }

  // Makes this person an administrator with a password; from then on everybody signs in.
  turnSignInOn(body) {
    const turn = async () => {
      const {api} = this.host
      const reply = await api.request("POST", "/v1/session/first", {body})
      this.set({methods: await api.request("GET", "/v1/session/methods", {isPublic: true})})
      await this.take(reply)
    }
    return (this.turning = turn().finally(() => (this.turning = null)))
  }

  // One request at a time in this browser: a refresh token is used once.
  refresh(refused = this.token) {
    return (this.refreshing ??= this.host.tabs.lock("nexus-refresh", async () => {
      if (this.token && this.token !== refused && this.host.env.now() < this.expiresAt) return
      try {
        await this.take(await this.host.api.request("POST", "/v1/session/refresh", {isPublic: true}))
      } catch (error) {
        if (error.status === 401) await this.end()
        throw error
      }
    }).finally(() => (this.refreshing = null)))
  }

  // The reply to a sign-in.
  async take({accessToken, expiresAt, user}, isOwn = true) {
    const {env, tabs} = this.host
    Object.assign(this, {token: accessToken, expiresAt: Date.parse(expiresAt)})
    env.clearTimeout(this.timer)
    const wait = Math.max(this.expiresAt - env.now() - 60_000, 15_000)
    if (tabs.isLeader) this.timer = env.setTimeout(() => this.refresh().catch(() => {}), Math.min(wait, 2 ** 31 - 1))
    if (isOwn) tabs.post({type: "token", reply: {accessToken, expiresAt, user}})
    await this.become({id: user.userId, name: user.name, role: user.role, hasPassword: user.hasPassword})
    this.readPasswordLink()
  }

  // With each token: whether a link that sets this person's password is open, and who made it.
  async readPasswordLink() {
    const {user} = this
    try {
      const {passwordLink = null} = await this.host.api.request("GET", "/v1/session")
      if (this.user === user && this.status === "signedIn") this.set({passwordLink})
    } catch {
      // The next token asks again.
    }
  }

  async become(user) {
    const isOther = this.user?.id !== user.id || this.status !== "signedIn"
    this.kept = {user}
    if (isOther) {
      this.passwordLink = null
      await this.host.userChanged(user)
    }
    this.set({user, status: "signedIn", error: null})
  }

  async pick(user, isOwn = true) {
    if (isOwn) this.host.tabs.post({type: "picked", user})
    const role = user.role ?? "administrator"
    await this.become({id: user.userId ?? user.id, name: user.name, role})
  }

  // A token or an end from another tab.
  async hear(message) {
    if (message.type === "token") await this.take(message.reply, false)
    if (message.type === "picked") await this.pick(message.user, false)
    if (message.type === "signedOut") await this.end(false)
  }

  async signIn({userId, password}) {
    await this.take(await this.host.api.request("POST", "/v1/session", {body: {userId, password}, isPublic: true}))
  }

  async pickUser(userId) {
    await this.pick(this.methods?.users?.find(user => user.userId === userId) ?? {userId, name: userId})
  }

  invitation(code) {
    return this.host.api.request("GET", "/v1/invitations/" + encodeURIComponent(code), {isPublic: true})
  }

  async acceptInvitation(code, {password, name}) {
    const path = "/v1/invitations/" + encodeURIComponent(code)
    await this.take(await this.host.api.request("POST", path, {body: {password, name}, isPublic: true}))
  }

  async signOut() {
    if (!this.isOpen) await this.host.api.request("DELETE", "/v1/session")
    await this.end()
  }

  // Everything of the person leaves this browser.
  async end(isOwn = true) {
    this.host.env.clearTimeout(this.timer)
    Object.assign(this, {token: null, kept: {isSignedOut: true}})
    if (isOwn) this.host.tabs.post({type: "signedOut"})
    const wasSignedIn = this.status === "signedIn"
    this.set({status: "signedOut", user: null})
    if (wasSignedIn) await this.host.sessionEnded()
  }
}
