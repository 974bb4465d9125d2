import {NexusError, SignedOutError} from "./errors.js"

/** What a person wrote and the server does not have yet: kept in a store, and sent in order for each conversation. */
export class Outbox {
  constructor(nexus, store, {tell, fail}) {
    Object.assign(this, {nexus, store, tell, fail, entries: [], sending: new Set(), number: 0, owner: null, ended: null, last: Promise.resolve()})
    /** Fulfilled when it is known what an earlier run left. */
    this.opened = new Promise((resolve, reject) => Object.assign(this, {resolve, reject}))
    this.opened.catch(() => {})
    // A person whose session only ran out finds what was written after the next sign-in.
    nexus.onSignedOut(reason => ["person", "erased"].includes(reason) && this.clear())
  }

  /** Takes over what an earlier run of this person at this server left. */
  async open(userId) {
    this.owner = [this.nexus.http.url, userId]
    const left = await this.stored(async () => [...await this.store.entries()].map(pair => this.read(...pair)).filter(Boolean))
    left?.sort((a, b) => a.number - b.number)
    this.number = left?.at(-1)?.number ?? 0
    const isNew = entry => !this.entries.some(other => other.draft.localId === entry.draft.localId)
    this.entries = [...(left ?? []).filter(isNew), ...this.entries]
    this.resolve()
    this.tell(...this.places())
    for (const id of this.places()) this.send(id)
  }

  places() { return new Set(this.entries.map(({conversationId}) => conversationId)) }

  isOf(key, userId) {
    try {
      const [url, id] = JSON.parse(key)
      return url === this.nexus.http.url && id === userId
    } catch {
      return false
    }
  }

  read(key, text) {
    if (!this.isOf(key, this.owner[1])) return null
    try {
      const {conversationId, draft, number, error} = JSON.parse(text)
      if (![conversationId, draft.localId].every(id => typeof id === "string") || !Number.isFinite(number)) return null
      return {conversationId, draft, number, isKept: true, kept: this.opened, ...(error && {error: new NexusError(error.status, error)})}
    } catch {
      return null
    }
  }

  /** In the order of writing. */
  shown(isWanted = () => true) {
    return this.entries.filter(isWanted).map(({conversationId, draft, id, seq, error}) =>
      ({...draft, conversationId, pending: true, ...(id && {id, seq}), ...(error && {error})}))
  }

  of(conversationId) { return this.shown(entry => entry.conversationId === conversationId) }

  find(conversationId, localId) {
    return this.entries.find(entry => entry.conversationId === conversationId && entry.draft.localId === localId)
  }

  /** Puts a message at the end; one with the same id is replaced. */
  post(conversationId, draft) {
    if (this.ended) return Promise.reject(this.ended)
    const old = this.find(conversationId, draft.localId)
    const entry = {conversationId, draft}
    const sent = new Promise((resolve, reject) => Object.assign(entry, {resolve, reject}))
    this.entries = [...this.entries.filter(other => other !== old), entry]
    entry.kept = this.opened.then(() => this.keep(Object.assign(entry, {number: (this.number += 1)})))
    entry.kept.catch(() => {})
    this.tell(conversationId)
    this.send(conversationId)
    return sent
  }

  /** Nothing is sent any more; what waits stays in the store. */
  close(error = new NexusError(0, {code: "closed", detail: "the chat was closed before the message was sent"})) {
    this.ended ??= error
    this.reject(error)
    for (const entry of this.entries) {
      entry.attempt?.abort()
      if (!entry.error) entry.reject?.(error)
    }
  }

  discard(conversationId, localId) {
    const entry = this.find(conversationId, localId)
    if (entry) this.drop(entry)
  }

  /** A message that the server has: the feed or a page brought it. */
  arrived({conversationId, senderId, localId, id, seq}) {
    const entry = localId && senderId === this.owner?.[1] && this.find(conversationId, localId)
    if (!entry) return
    entry.resolve?.({messageId: id, seq, localId, status: "unchanged"})
    this.drop(entry)
  }

  drop(entry) {
    this.entries = this.entries.filter(other => other !== entry)
    // The next one does not wait for a reply that is lost.
    entry.attempt?.abort()
    entry.reject?.(new NexusError(0, {code: "discarded", detail: "the message was discarded before it was sent"}))
    this.forget(entry)
    this.tell(entry.conversationId)
  }

  clear() {
    const {entries, nexus: {http: {session}}} = this
    this.entries = []
    for (const entry of entries) entry.reject?.(session.ended)
    // Also what an earlier run left there, or another tab.
    const userId = this.owner?.[1] ?? session.user?.userId ?? session.as
    const isOwn = ([key]) => this.isOf(key, userId)
    this.stored(async () => {
      for (const [key] of [...await this.store.entries()].filter(isOwn)) await this.store.delete(key)
    })
  }

  // --- The store ---

  key({draft}) { return JSON.stringify([...this.owner, draft.localId]) }

  // One access after the other. A store that fails, or is full, does not keep a message from being sent.
  stored(work) { return (this.last = this.last.then(work).catch(error => void this.fail(error))) }

  keep(entry) {
    const {conversationId, draft, number, error} = entry
    return this.stored(async () => {
      if (!this.entries.includes(entry)) return
      await this.store.set(this.key(entry), JSON.stringify({conversationId, draft, number, ...(error && {error: plain(error)})}))
      entry.isKept = true
    })
  }

  forget(entry) { return this.stored(() => entry.isKept && this.store.delete(this.key(entry))) }

  // Another tab with the same store may have sent it, or dropped it.
  async isOpen(entry) {
    const keys = await this.stored(async () => [...await this.store.entries()].map(([key]) => key))
    return !entry.isKept || !keys || keys.includes(this.key(entry))
  }

  // --- Sending ---

  async send(conversationId) {
    if (this.sending.has(conversationId)) return
    this.sending.add(conversationId)
    // What an earlier run left goes first.
    await this.opened.catch(() => {})
    const isNext = entry => entry.conversationId === conversationId && !entry.id && !entry.error
    for (let entry; !this.ended && (entry = this.entries.find(isNext)); ) {
      await this.attempt(entry)
      this.tell(conversationId)
    }
    this.sending.delete(conversationId)
  }

  async attempt(entry) {
    const {signal} = entry.attempt = new AbortController()
    try {
      await entry.kept
      if (!this.entries.includes(entry)) return
      if (!await this.isOpen(entry)) return this.drop(entry)
      const reply = await this.nexus.post(entry.conversationId, entry.draft, {retryFor: Infinity, signal})
      Object.assign(entry, {id: reply.messageId, seq: reply.seq})
      await this.forget(entry)
      entry.resolve?.(reply)
    } catch (error) {
      if (error instanceof SignedOutError) return this.close(error)
      if (signal.aborted) return
      entry.error = error
      await this.keep(entry)
      entry.reject?.(error)
    }
  }
}

const plain = ({status = 0, code = "", message, detail = message, field}) => ({status, code, detail, field})
