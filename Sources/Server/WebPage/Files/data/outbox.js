import {APIError} from "./api.js"
import {Backoff} from "./feed.js"
import {isSameEmoji} from "./overlay.js"

const path = (row, ...rest) =>
  ["/v1/conversations", row.conversationId, "messages", ...rest].map((part, i) => (i ? encodeURIComponent(part) : part)).join("/")

// What a person writes: on disk, in order, one in flight in each conversation. The leading page sends.
// A row: {number, localId, conversationId, kind: "send"|"edit"|"delete"|"react", state: "queued"|"sending"|"sent"|"failed",
// attempts, failure, target | targetLocal, text, files, …}. A "sent" row waits for its message in the feed.
export class Outbox {
  // `host` has api, disk, tabs, env, maySend(), messageId(conversation, localId); outboxChanged(conversations) and made(row) tell it.
  constructor(host) {
    Object.assign(this, {host, rows: [], busy: new Set(), timers: new Map(), backoffs: new Map(), progress: new Map()})
    this.gone = new Set()
  }

  in(id) { return this.rows.filter(row => row.conversationId === id) }
  find(localId) { return this.rows.find(row => row.localId === localId) }

  show(rows) {
    const places = new Set([...this.rows, ...rows].map(row => row.conversationId))
    this.rows = rows.filter(row => !this.gone.has(row.number))
    this.host.outboxChanged(places)
  }

  // Another page changed the rows on disk.
  async reload() {
    this.show(await this.host.disk.outbox())
    this.pumpAll()
  }

  async change(change) {
    try {
      this.show(await this.host.disk.changeOutbox(change))
    } catch {
      throw new APIError(507, "device_store")
    }
    this.host.tabs.post({type: "outbox"})
  }

  async update(row, changes, isFinal = () => false) {
    let result = null
    await this.change(rows => {
      const present = rows.find(({number}) => number === row.number)
      if (!present || isFinal(present)) return {}
      result = {...present, ...changes}
      return {put: [result]}
    })
    return result
  }

  async send(conversationId, message) {
    const row = {
      kind: "send", localId: this.host.env.id(), conversationId, state: "queued", attempts: 0, failure: null,
      timestamp: new Date(this.host.env.now()).toISOString(), ...message,
    }
    await this.change(() => ({put: [row]}))
    this.pump(conversationId)
    return row.localId
  }

  // An edit, a deletion or a reaction. A message that was never tried is changed or dropped at once; an edit replaces an
  // earlier one that waits, and a deletion all other changes.
  async submit(conversationId, messageId, change) {
    const localId = this.host.env.id()
    await this.change(rows => {
      const own = rows.find(row => row.kind === "send" && row.localId === messageId)
      const isUntried = own && (own.state === "failed" || (own.state === "queued" && !own.attempts))
      if (isUntried && change.kind === "delete") return {remove: this.withDependents(rows, own)}
      if (isUntried && change.kind === "edit") return {put: [{...own, text: change.text, state: "queued", failure: null}]}
      const target = own ? own.messageId : this.host.messageId(conversationId, messageId) ?? messageId
      const isReplaced = row => row.kind !== "send" && row.state !== "sending" && row.conversationId === conversationId &&
        (target ? row.target === target : row.targetLocal === own.localId) &&
        (change.kind === "delete" || (row.kind === change.kind && isSameEmoji(row.emoji, change.emoji)))
      const row = {localId, conversationId, state: "queued", attempts: 0, failure: null, target, targetLocal: own?.localId, ...change}
      return {put: [row], remove: rows.filter(isReplaced).map(({number}) => number)}
    })
    this.pump(conversationId)
    return localId
  }

  withDependents(rows, own) {
    return rows.filter(row => row === own || row.targetLocal === own.localId).map(({number}) => number)
  }

  async retry(localId) {
    const row = this.find(localId)
    if (!row) return
    this.backoffs.delete(row.conversationId)
    await this.update(row, {state: "queued", failure: null}, present => present.state !== "failed")
    this.pump(row.conversationId, true)
  }

  // A message whose reply may have been lost is deleted on the server when its turn has come.
  async discard(localId) {
    const row = this.find(localId)
    if (!row) return
    if (row.kind === "send" && row.state !== "failed") return this.submit(row.conversationId, localId, {kind: "delete"})
    await this.change(rows => {
      const present = rows.find(({number}) => number === row.number)
      return present && present.state !== "sending" ? {remove: this.withDependents(rows, present)} : {}
    })
    this.pump(row.conversationId)
  }

  // Numbers of the rows whose messages came back.
  confirmed(messages, userId) {
    const own = new Map(messages.filter(m => m.localId && m.senderId === userId).map(m => [m.localId, m.id]))
    return this.rows.filter(row => row.kind === "send" && own.has(row.localId)).map(row => ({...row, messageId: own.get(row.localId)}))
  }

  // The person left the conversation.
  drop(id) {
    if (this.in(id).length) return this.change(rows => ({remove: rows.filter(r => r.conversationId === id).map(r => r.number)}))
  }

  // Takes rows off that are done, in memory; the disk dropped them.
  forget(rows) {
    if (!rows.length) return
    for (const {number} of rows) this.gone.add(number)
    const ids = new Map(rows.map(row => [row.localId, row.messageId]))
    this.show(this.rows.map(row =>
      row.targetLocal && !row.target && ids.get(row.targetLocal) ? {...row, target: ids.get(row.targetLocal)} : row))
  }

  // The page has become the leader: what was on its way may have arrived, and is sent again.
  async recover() {
    await this.change(rows => ({put: rows.filter(row => row.state === "sending").map(row => ({...row, state: "queued"}))}))
    this.pumpAll()
  }

  // The network is back.
  wake() {
    this.backoffs.clear()
    for (const id of this.timers.keys()) this.host.env.clearTimeout(this.timers.get(id))
    this.timers.clear()
    this.pumpAll()
  }

  pumpAll() { for (const id of new Set(this.rows.map(row => row.conversationId))) this.pump(id) }

  async pump(id, isUrgent = false) {
    const {host} = this
    if (isUrgent) {
      host.env.clearTimeout(this.timers.get(id))
      this.timers.delete(id)
    }
    if (!host.maySend() || this.busy.has(id) || this.timers.has(id)) return
    this.busy.add(id)
    let wait = null
    try {
      for (let row; wait === null && host.maySend() && (row = await this.claim(id)); ) wait = await this.attempt(row)
    } catch {
      wait = this.nextWait(id)
    } finally {
      this.busy.delete(id)
    }
    if (wait !== null) this.timers.set(id, host.env.setTimeout(() => this.pump(id, true), wait))
    else if (this.next(this.rows, id)) this.pump(id)
  }

  nextWait(id, retryAfter) {
    if (!this.backoffs.has(id)) this.backoffs.set(id, new Backoff(this.host.env.random))
    return this.backoffs.get(id).next(retryAfter)
  }

  // The next row; a message that failed stops those behind it, a change that failed does not.
  next(rows, id) {
    for (const row of rows) {
      if (row.conversationId !== id || row.state === "sent") continue
      if (row.state === "failed" && row.kind === "send") return null
      if (row.state === "queued") return row
      if (row.state === "sending") return null
    }
    return null
  }

  async claim(id) {
    let claimed = null
    await this.change(rows => {
      const remove = []
      for (;;) {
        const row = this.next(rows.filter(({number}) => !remove.includes(number)), id)
        if (!row) return {remove}
        const target = row.target ?? (row.targetLocal && (rows.find(({localId}) => localId === row.targetLocal)?.messageId ??
          this.host.messageId(id, row.targetLocal)))
        if (row.kind !== "send" && !target) {
          remove.push(row.number)
          continue
        }
        claimed = {...row, target, state: "sending", attempts: row.attempts + 1}
        return {remove, put: [claimed]}
      }
    })
    return claimed
  }

  // Sends one row. Returns how long to wait before the next attempt, null for not at all.
  async attempt(row) {
    try {
      if (row.kind === "send") await this.post(row)
      else await this.make(row)
      this.backoffs.delete(row.conversationId)
      return null
    } catch (error) {
      if (!(error instanceof APIError)) throw error
      if ((error.isTransient || error.status === 401) && error.code !== "device_store") {
        await this.update(row, {state: "queued"})
        return this.nextWait(row.conversationId, error.retryAfter)
      }
      if (error.isGone) {
        // It was stored and deleted before the reply came, or there is nothing left to change.
        await this.change(rows => ({remove: rows.filter(r => r.number === row.number || (row.kind === "send" && r.targetLocal === row.localId)).map(r => r.number)}))
      } else {
        const files = row.files?.map(file => ({...file, fileId: null}))
        await this.update(row, {state: "failed", failure: {status: error.status, code: error.code}, ...(files && {files})})
      }
      return null
    }
  }

  async post(row) {
    const {api} = this.host
    const files = [...(row.files ?? [])]
    for (const [i, file] of files.entries()) {
      if (file.fileId) continue
      const {id} = JSON.parse(await api.upload(file.blob, (loaded, total) => this.noteProgress(row, i, loaded / total),
        {query: {name: file.name}}))
      files[i] = {...file, fileId: id}
      await this.update(row, {files})
    }
    const {localId, text, replyTo, threadRoot} = row
    const attachments = files.length ? files.map(({fileId}) => fileId) : undefined
    const reply = await api.request("POST", path(row), {body: {localId, text, replyTo, threadRoot, attachments}})
    this.progress.delete(localId)
    await this.change(rows => {
      const dependents = rows.filter(({targetLocal}) => targetLocal === localId).map(r => ({...r, target: reply.messageId}))
      const own = rows.find(({number}) => number === row.number)
      return {put: own ? [{...own, state: "sent", messageId: reply.messageId, seq: reply.seq}, ...dependents] : dependents}
    })
  }

  noteProgress(row, index, share) {
    if (!this.progress.has(row.localId)) this.progress.set(row.localId, [])
    this.progress.get(row.localId)[index] = share
    this.host.outboxChanged([row.conversationId])
  }

  async make(row) {
    const {api} = this.host
    if (row.kind === "edit") await api.request("PATCH", path(row, row.target), {body: {text: row.text}})
    if (row.kind === "delete") await api.request("DELETE", path(row, row.target))
    if (row.kind === "react") await api.request(row.isOn ? "PUT" : "DELETE", path(row, row.target, "reactions", row.emoji))
    this.host.made(row)
    await this.change(rows => ({
      remove: rows.filter(r => r.number === row.number || (row.kind === "delete" && r.target === row.target && r.state !== "sending")).map(r => r.number),
    }))
  }
}
