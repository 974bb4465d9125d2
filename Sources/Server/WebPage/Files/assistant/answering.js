// An answer while it is written. It outlives the screen that asked, and has the fields of a stored turn.
import {store} from "../data/store.js"

export class Answering {
  answer = ""
  citations = []
  sources = []
  phase = "searching"
  askedAt = new Date().toISOString()
  key = Math.random()
  watchers = new Set()
  controller = new AbortController()

  constructor(path, body, question) {
    Object.assign(this, {path, body, question})
  }
  get isRunning() {
    return ["searching", "writing"].includes(this.phase)
  }
  changed() {
    for (const watcher of this.watchers) watcher(this)
  }
  stop() {
    this.phase = "stopped"
    this.controller.abort()
    this.changed()
  }
  async run() {
    let count = 0
    try {
      for await (const {event, data} of store.api.events(this.path, this.body, {signal: this.controller.signal})) {
        if (!this.isRunning) break
        count++
        this.take(event, data)
        this.changed()
      }
      // A server or proxy without streams replies with the whole answer.
      if (this.isRunning && !count) {
        this.take("done", await store.api.request("POST", this.path, {body: this.body, signal: this.controller.signal}))
      }
      if (this.isRunning) this.take("error", {status: 0})
    } catch (error) {
      if (this.phase !== "stopped") Object.assign(this, {phase: "failed", error})
    }
    this.changed()
    return this
  }
  take(event, data) {
    if (event === "progress") this.progress = data
    else if (event === "retrieval") this.sources = data.sources
    else if (event === "reading") this.readShare = data.share
    else if (event === "delta") [this.answer, this.phase] = [this.answer + data.text, "writing"]
    else if (event === "citation") {
      this.citations.push(data)
      const {messageId, conversationId} = data
      const source = this.sources.find(one => one.messageId === messageId && one.conversationId === conversationId)
      if (source) source.number = data.number
    } else if (event === "support") {
      Object.assign(this, data)
      for (const source of this.sources) {
        const same = one => one.messageId === source.messageId && one.conversationId === source.conversationId
        source.number = data.citations.find(same)?.number
      }
    } else if (event === "done") Object.assign(this, data, {phase: "done"})
    else if (event === "error") Object.assign(this, {phase: "failed", error: data})
  }
}
