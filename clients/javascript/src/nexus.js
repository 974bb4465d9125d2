import {Asking} from "./ask.js"
import {Chat} from "./chat.js"
import {NexusError} from "./errors.js"
import {Feed} from "./feed.js"
import {Http} from "./http.js"
import {Account, Token, toElsewhere, unexpected} from "./session.js"
import {makeID, surroundings} from "./tools.js"

/** A person at a server. */
export class Nexus {
  constructor(url, {as, token, retryFor, timeout, env} = {}) {
    this.http = new Http(url, {retryFor, timeout}, surroundings(env))
    this.http.session = new Token({as, token})
    this.order = new Map()
  }

  // --- The session ---

  /** With an account of the server. */
  static signIn(url, {userId, password, ...options}) {
    return Nexus.withAccount(url, options, account => account.open(["session"], {userId, password}))
  }

  /** Sets the password with the code of a link, and signs in. */
  static acceptInvitation(url, {code, password, name, ...options}) {
    return Nexus.withAccount(url, options, account => account.open(["invitations", code], {password, name}))
  }

  /** Begins to sign in with the server's OpenID Connect service, where a program sees the addresses that a browser opens. */
  static async beginOpenID(url, {env} = {}) {
    const {redirect, cookies} = await new Nexus(url, {env}).http.send("GET", ["session", "oidc", "start"], toElsewhere)
    if (!/^https?:/.test(redirect) || !cookies["nexus-oidc"]) throw unexpected()
    return {url: redirect, binding: cookies["nexus-oidc"]}
  }

  /** Signs in with the address to which the service sent the browser back. */
  static finishOpenID(url, {begun, redirectedTo, ...options}) {
    return Nexus.withAccount(url, options, account => account.take(begun, redirectedTo))
  }

  /** Where a page of the server's own origin begins to sign in with OpenID Connect: it comes back to `/`, to `resume`. */
  static openIDAddress(url) { return new Nexus(url).http.url + "/v1/session/oidc/start" }

  /** Continues the session that the browser, or `keep`, has. */
  static resume(url, options = {}) { return Nexus.withAccount(url, options, account => account.renew()) }

  static async withAccount(url, {keep, ...options}, open) {
    const nexus = new Nexus(url, options)
    const account = (nexus.http.session = new Account(nexus.http, keep))
    await open(account)
    return nexus
  }

  /** How people sign in at a server. */
  static methods(url, {env} = {}) { return new Nexus(url, {env}).http.json("GET", ["session", "methods"], {isPublic: true}) }

  /** Why the session is over, or null. */
  get signedOut() { return this.http.session.ended?.reason ?? null }

  /** Calls the listener with the reason when the session ends; returns a function that ends this. */
  onSignedOut(listener) {
    this.http.session.listeners.add(listener)
    return () => this.http.session.listeners.delete(listener)
  }

  /** Ends the session here, and on the server; false if the server could not be reached. */
  async signOut() {
    const {session} = this.http
    const isTold = await session.close().then(() => true, () => false)
    session.end("person")
    return isTold
  }

  me(options) { return this.http.json("GET", ["session"], options).then(({user}) => user) }

  /** The id of the person who asks. */
  async userId(options) { return this.http.session.user?.userId ?? this.http.session.as ?? (await this.me(options)).userId }

  sessions() { return this.http.json("GET", ["sessions"]).then(({sessions}) => sessions) }
  async endSession(id) { await this.http.json("DELETE", ["sessions", id]) }
  async changePassword({current, next}) { await this.http.json("PUT", ["account", "password"], {body: {current, new: next}, isSafe: false}) }

  /** Any request, also for what is newer than this library: `["conversations", id, "name"]` or "/v1/…". */
  request(method, path, options) { return this.http.json(method, path, options) }

  // --- The live part ---

  sync() { return this.http.json("GET", ["sync"]) }
  feed(options) { return new Feed(this.http, options) }
  chat(options) { return new Chat(this, options) }

  // --- Conversations and people ---

  conversations(query) { return this.http.json("GET", ["conversations"], {query}) }
  conversation(id) { return this.http.json("GET", ["conversations", id]) }

  direct(userId) { return this.http.json("POST", ["direct"], {body: {with: userId}, isSafe: true}) }

  /** `members`: ids, or `{userId, name}`. */
  createGroup(name, members = [], options = {}) {
    const body = {name, members: members.map(member => (typeof member === "string" ? {userId: member} : member)), ...options}
    return this.http.json("POST", ["conversations"], {body, ...repeatable()})
  }

  async rename(id, name) { await this.http.json("PUT", ["conversations", id, "name"], {body: {name}}) }
  setPreferences(id, changes) { return this.http.json("PUT", ["conversations", id, "preferences"], {body: changes}) }
  async setHistory(id, history) { await this.http.json("PUT", ["conversations", id, "history"], {body: {history}}) }

  members(id, query) { return this.http.json("GET", ["conversations", id, "members"], {query}) }
  async addMember(id, userId, member = {}) { await this.http.json("PUT", ["conversations", id, "members", userId], {body: member}) }
  async removeMember(id, userId) { await this.http.json("DELETE", ["conversations", id, "members", userId]) }
  async leave(id) { await this.removeMember(id, await this.userId()) }
  async setRole(id, userId, role) { await this.http.json("PUT", ["conversations", id, "members", userId, "role"], {body: {role}}) }

  people(q, query) { return this.http.json("GET", ["people"], {query: {q, ...query}}).then(({people}) => people) }

  // --- Messages ---

  messages(id, query) { return this.http.json("GET", ["conversations", id, "messages"], {query}) }
  message(id, messageId) { return this.http.json("GET", ["conversations", id, "messages", messageId]) }
  replies(id, messageId, query) { return this.http.json("GET", ["conversations", id, "messages", messageId, "replies"], {query}) }

  /** Sends a message once, however often it is tried. Messages of one conversation are sent in the order of the calls. */
  post(id, draft, options) {
    const body = {localId: makeID(), ...(typeof draft === "string" ? {text: draft} : draft)}
    const send = () => this.http.json("POST", ["conversations", id, "messages"], {...options, body, isSafe: true})
    const before = this.order.get(id)
    const sent = (before ? before.then(send, send) : send()).catch(error => { throw named(error, body.localId) })
    this.order.set(id, sent)
    const forget = () => this.order.get(id) === sent && this.order.delete(id)
    sent.then(forget, forget)
    return sent
  }

  edit(id, messageId, change) {
    const body = typeof change === "string" ? {text: change} : change
    return this.http.json("PATCH", ["conversations", id, "messages", messageId], {body, isSafe: true})
  }

  /** What is deleted already stays so. */
  async delete(id, messageId) {
    await this.http.json("DELETE", ["conversations", id, "messages", messageId]).catch(error => {
      if (!["message_deleted", "message_not_found"].includes(error.code)) throw error
    })
  }

  async react(id, messageId, emoji) { await this.http.json("PUT", ["conversations", id, "messages", messageId, "reactions", emoji]) }
  async unreact(id, messageId, emoji) { await this.http.json("DELETE", ["conversations", id, "messages", messageId, "reactions", emoji]) }
  reactions(id, messageId) { return this.http.json("GET", ["conversations", id, "messages", messageId, "reactions"]).then(reply => reply.reactions) }

  /** Nobody else sees what a person saved. */
  async save(id, messageId, reminder) {
    await this.http.json("PUT", ["conversations", id, "messages", messageId, "saved"], reminder ? {body: reminder, isSafe: true} : undefined)
  }
  async endSaving(id, messageId) { await this.http.json("DELETE", ["conversations", id, "messages", messageId, "saved"]) }
  saved(query) { return this.http.json("GET", ["saved"], {query}) }

  /** Nobody else sees a scheduled message before it is sent. */
  scheduled() { return this.http.json("GET", ["scheduled"]).then(reply => reply.messages) }
  /** A page of them; `next` of a page is the `after` of the next one. */
  scheduledPage({limit, after} = {}) { return this.http.json("GET", ["scheduled"], {query: {limit, after}}) }
  schedule(id, message) { return this.http.json("POST", ["conversations", id, "scheduled"], {body: message, isSafe: Boolean(message.id)}) }
  changeScheduled(id, changes) { return this.http.json("PATCH", ["scheduled", id], {body: changes, isSafe: true}) }
  async sendScheduled(id) { await this.http.json("POST", ["scheduled", id, "send"]) }
  async deleteScheduled(id) { await this.http.json("DELETE", ["scheduled", id]) }

  async markRead(id, messageId) { await this.http.json("POST", ["conversations", id, "read"], {body: {upTo: messageId}, isSafe: true}) }
  async markUnread(id, messageId) { await this.http.json("POST", ["conversations", id, "unread"], {body: {from: messageId}, isSafe: true}) }

  /** Positions of all members, or the names for one message. */
  receipts(id, messageId) {
    if (messageId !== undefined) return this.http.json("GET", ["conversations", id, "messages", messageId, "receipts"])
    return this.http.json("GET", ["conversations", id, "receipts"]).then(reply => reply.receipts)
  }

  // --- The person ---

  notifications() { return this.http.json("GET", ["notifications"]).then(reply => reply.notifications) }

  /** `ids` of notifications, or all of them. */
  async dismissNotifications(ids) {
    await this.http.json("POST", ["notifications", "dismiss"], {body: ids ? {ids} : {all: true}, isSafe: true})
  }

  settings() { return this.http.json("GET", ["settings"]) }
  changeSettings(changes) { return this.http.json("PUT", ["settings"], {body: changes}) }
  registerDevice(device) { return this.http.json("POST", ["devices"], {body: device, isSafe: true}) }
  devices() { return this.http.json("GET", ["devices"]).then(reply => reply.devices) }
  async removeDevice(id) { await this.http.json("DELETE", ["devices", id]) }

  // --- Files ---

  /** `body`: a File, a Blob or bytes. Returns what `attachments: [id]` of a message names. */
  upload(body, {name = body.name, type = body.type, ...options} = {}) {
    const headers = {"Content-Type": type || "application/octet-stream"}
    return this.http.json("POST", ["files"], {timeout: 600_000, ...options, body, headers, query: {name}})
  }

  /** Returns a Blob. */
  download(id, options) { return this.http.send("GET", ["files", id], {timeout: 600_000, ...options, read: reply => reply.blob()}) }
  async deleteFile(id) { await this.http.json("DELETE", ["files", id]) }
  fileUse() { return this.http.json("GET", ["files"]) }

  // --- Search and the assistant ---

  search(query, filters, options) { return this.http.json("POST", ["search"], {...options, body: {query, ...filters}, isSafe: true}) }

  /** What messages state about a subject, newest first, with what later ones replace. */
  timeline(subject, filters, options) { return this.http.json("POST", ["timeline"], {...options, body: {subject, ...filters}, isSafe: true}) }

  /** Says that a message replaced an earlier one, that the earlier one still holds, or takes back what was said. */
  async setVerdict(verdict, options) { await this.http.json("POST", ["timeline", "verdicts"], {...options, body: verdict, isSafe: true}) }

  /** Asks all conversations, or with `conversationId` the assistant of one. */
  ask(question, {conversationId, signal, ...fields} = {}) {
    const isOne = conversationId !== undefined
    const path = isOne ? ["conversations", conversationId, "assistant"] : ["ask"]
    const body = isOne ? {text: question, ...fields} : {question, ...fields}
    return new Asking(this.http.events("POST", path, {body, signal}))
  }

  /** A summary of a conversation, or of the messages that the fields select. */
  summarize(id, {signal, ...fields} = {}) {
    return new Asking(this.http.events("POST", ["conversations", id, "summary"], {body: fields, signal}))
  }

  turns(query) { return this.http.json("GET", ["turns"], {query}) }
  async rate(turnId, rating, reason) { await this.http.json("POST", ["turns", turnId, "feedback"], {body: {rating, reason}, isSafe: true}) }

  // --- Items: "action-items", "decisions" or "deadlines" ---

  items(kind, {conversationId, ...query} = {}) {
    return this.http.json("GET", conversationId === undefined ? [kind] : ["conversations", conversationId, kind], {query})
  }

  extractItems(kind, id, fields = {}) {
    return this.http.json("POST", ["conversations", id, kind, "extract"], {body: fields, timeout: 600_000})
  }

  changeItem(kind, id, itemId, changes) {
    return this.http.json("PATCH", ["conversations", id, kind, itemId], {body: changes, isSafe: true})
  }

  async deleteItem(kind, id, itemId) { await this.http.json("DELETE", ["conversations", id, kind, itemId]) }
}

// The server stores the first reply under the key.
const repeatable = () => ({headers: {"Idempotency-Key": makeID()}, isSafe: true})

const named = (error, localId) => (error instanceof NexusError ? Object.assign(error, {localId}) : error)
