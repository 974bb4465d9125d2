// The assistant: questions to everything in threads, or inside one conversation.
import {h, View} from "../lib/dom.js"
import {announce, attempt, toast} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {link} from "../lib/router.js"
import {shortTime, t} from "../lib/text.js"
import {iconButton} from "../lib/ui.js"
import {store} from "../data/store.js"
import {answerView} from "./answer.js"
import {Answering} from "./answering.js"
import {
  at, button, call, dialogForm, failure, field, filterBody, filters, filterText, hasModel, insideOf, isSure, known, modelHint, nameOf,
  read, timeZone, waiting,
} from "./common.js"
import {openSchedules} from "./schedules.js"
import {catchUp} from "./summaries.js"

const running = new Map()   // answers that are being written, by thread or conversation
const seen = new Set()      // answers of the feed that were shown
const HINTS = ["missed", "decided", "mine", "deadlines"]

class Assistant {
  threadId = null
  thread = null
  threads = []
  next = null
  past = null
  turns = []
  older = null
  live = null
  elsewhere = null
  filter = {}
  suggestions = []
  isLoading = false
  isFiltered = false
  isListOpen = false
  isOpen = true
  error = null
  askedAt = 0
  generation = 0
  update = () => this.view?.update()

  constructor(container, route) {
    const id = this.conversationId = insideOf(route)
    this.container = container
    this.draft = route.query?.get("q") ?? ""
    this.summary = id && catchUp(id, this.update)
    this.view = new View(container, () => this.render(), ["conversations"], store)
    this.offs = [store.on("threads", () => this.loadThreads()), store.on("answers", () => this.follow()),
      store.on("outdated", () => this.refresh())]
    if (id) {
      this.loadTurns()
      read(this.path("suggestions")).then(reply => {
        // The page has its own button for a summary.
        this.suggestions = reply.suggestions.filter(one => one.id !== "summary")
        this.update()
      }, () => {})
    } else {
      this.loadThreads()
      this.open(route.id || null)
    }
  }
  close() {
    this.isOpen = false
    this.live?.watchers.delete(this.update)
    for (const off of this.offs) off()
    this.summary?.close()
    this.view.close()
  }
  path(...more) {
    return at("conversations", this.conversationId, "assistant", ...more)
  }
  get key() {
    return this.conversationId ? `c/${this.conversationId}` : this.threadId && `t/${this.threadId}`
  }
  async guard(work) {
    try {
      this.error = null
      await work()
    } catch (error) {
      this.error = error
    }
    if (this.isOpen) this.update()
  }
  loadThreads(after) {
    return !this.conversationId && this.guard(async () => {
      const page = await read("/v1/threads", {limit: 30, after})
      this.threads = after ? [...this.threads, ...page.threads] : page.threads
      this.next = page.next
      this.thread = this.threads.find(one => one.id === this.threadId) ?? this.thread
    })
  }
  open(threadId) {
    this.live?.watchers.delete(this.update)
    const thread = this.threads.find(one => one.id === threadId) ?? null
    Object.assign(this, {threadId, thread, turns: [], isListOpen: false})
    this.older = this.live = this.elsewhere = this.error = null
    this.update()
    if (threadId) this.loadTurns()
  }
  async loadTurns(before) {
    const generation = ++this.generation
    this.isLoading = true
    this.attach()
    this.update()
    await this.guard(async () => {
      const page = await (this.conversationId ? read(this.path(), {limit: 20, before})
        : read("/v1/turns", {limit: 20, threadId: this.threadId, before}))
      if (generation !== this.generation) return
      const known = new Map(this.turns.map(turn => [turn.turnId, turn]))
      const turns = page.turns.reverse().map(turn =>
        Object.assign(known.get(turn.turnId) ?? {}, {outdated: undefined}, turn))
      this.turns = before ? [...turns, ...this.turns] : turns
      this.older = page.next ?? null
      if (this.turns.some(turn => turn.turnId === this.live?.turnId)) this.live = null
      if (this.threadId) this.thread ??= await read(at("threads", this.threadId))
    })
    if (generation === this.generation) this.isLoading = false
    this.update()
  }

  // Reads the shown answers again that a later message made wrong.
  refresh() {
    const turns = this.turns.filter(one => store.outdated.has(one.turnId))
    return turns.length > 0 && this.guard(async () => {
      for (const turn of turns) Object.assign(turn, await read(at("turns", turn.turnId)))
    })
  }
  // Shows the answer that is being written here, if there is one.
  attach() {
    this.live?.watchers.delete(this.update)
    this.live = running.get(this.key) ?? null
    this.live?.watchers.add(this.update)
  }
  // Shows an answer that another device of this person asked for. Deltas of own questions come too, also a little late.
  follow() {
    const isAsking = running.has(this.key) || Date.now() - this.askedAt < 5_000
    for (const [id, answer] of store.answers) {
      const {conversationId, messageId, threadId, text, done} = answer
      const isHere = this.conversationId ? conversationId === this.conversationId && !messageId
        : this.threadId && threadId === this.threadId
      if (!isHere || seen.has(id)) continue
      if (isAsking || done) seen.add(id)
      if (isAsking) continue
      const question = t("assistant.elsewhere")
      this.elsewhere = done ? null : {key: id, question, answer: text, sources: [], citations: [], phase: "writing"}
      if (done) this.loadTurns()
      this.update()
    }
  }
  async ask(question) {
    if (!question.trim() || this.live?.isRunning) return
    await this.guard(async () => {
      if (!this.key) {
        this.thread = await call("POST", "/v1/threads", {})
        this.threadId = this.thread.id
        history.replaceState(history.state, "", link("assistant", this.threadId))
      }
      const inside = this.conversationId ?? this.thread?.conversationId
      const live = inside
        ? new Answering(at("conversations", inside, "assistant"), {text: question, timeZone: timeZone()}, question)
        : new Answering("/v1/ask", {question, threadId: this.threadId, ...filterBody(this.filter)}, question)
      const {key} = this
      // What was written before a stop stays until the page is left.
      if (this.live?.phase === "stopped") this.turns = [...this.turns, this.live]
      running.set(key, live)
      this.draft = ""
      this.attach()
      this.view.now()
      // The turn is as high as the pane, so the question goes to the top and the answer is written below it.
      this.container.querySelector(".turn.asked")?.scrollIntoView({block: "start"})
      live.run().then(() => this.answered(live, key))
    })
  }
  answered(live, key) {
    const isDone = live.phase === "done"
    if (live.phase !== "failed" && running.get(key) === live) running.delete(key)
    else if (!this.draft) this.draft = live.question
    this.askedAt = Date.now()
    if (!this.isOpen || this.live !== live) return
    announce(t(isDone ? "assistant.ready" : "assistant.notReady"))
    // The answer stays where it is while it becomes a stored turn.
    if (isDone) {
      if (!this.turns.some(turn => turn.turnId === live.turnId)) this.turns = [...this.turns, live]
      this.live = null
      this.loadThreads()
    }
    this.update()
  }

  // Asks before `work` deletes something.
  async remove(what, action, work) {
    if (await isSure(t(`assistant.${what}`), t(`assistant.${what}Text`), t(`assistant.${action}`))) await attempt(work)
    this.update()
  }
  removeTurn = turn => this.remove("deleteTurn", "delete", async () => {
    await call("DELETE", at("turns", turn.turnId))
    this.turns = this.turns.filter(one => one.turnId !== turn.turnId)
    this.past = this.past?.filter(one => one.turnId !== turn.turnId)
  })
  // A question can be asked again, as it was or changed, while no other answer is written.
  get actions() {
    const remove = this.removeTurn
    return this.live?.isRunning ? {remove} : {remove, again: ({question}) => this.ask(question), edit: this.editQuestion}
  }
  editQuestion = ({question}) => {
    this.draft = question
    this.view.now()
    this.container.querySelector(".ask textarea")?.focus()
  }
  forget = () => this.remove("forget", "forget", async () => {
    await call("DELETE", this.path())
    this.turns = []
  })
  removeThread = () => this.remove("deleteThread", "delete", async () => {
    await call("DELETE", at("threads", this.threadId))
    this.threads = this.threads.filter(one => one.id !== this.threadId)
    location.hash = link("assistant")
  })
  rename = () => {
    let title = this.thread?.title ?? ""
    const save = async close => {
      const stored = await attempt(() => call("PATCH", at("threads", this.threadId), {title: title.trim() || null}))
      if (!stored) return
      this.thread = stored
      close()
      this.loadThreads()
    }
    dialogForm(t("assistant.rename"), save, () => [
      field(t("assistant.title"), title, text => (title = text), {maxlength: 200}),
      h("p", {class: "quiet"}, t("assistant.titleHint")),
    ])
  }
  exportThread = () => attempt(async () => {
    const reply = await store.api.send("GET", `${at("threads", this.threadId)}/export`)
    const anchor = document.createElement("a")
    anchor.href = URL.createObjectURL(new Blob([await reply.text()], {type: "text/markdown"}))
    anchor.download = `${(this.thread?.title ?? "").replace(/[^\p{L}\p{N} _-]/gu, "").slice(0, 60) || "thread"}.md`
    anchor.click()
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000)
    toast(t("assistant.exported"))
  })
  toggle(name) {
    this[name] = !this[name]
    this.update()
  }
  loadPast = event => event.target.open && !this.past && this.guard(async () => {
    this.past = (await read("/v1/turns", {limit: 50})).turns
  })
  showTurn(turn) {
    this.open(null)
    this.turns = [turn]
    this.update()
  }

  list() {
    const entry = (id, threadId, title, time, isCurrent) => h("li", {key: id},
      h("a", {href: link("assistant", threadId), "aria-current": isCurrent ? "page" : null},
        h("span", {dir: "auto"}, title || t("assistant.untitled")),
        h("time", {class: "quiet", datetime: time}, shortTime(time))))
    return h("nav", {class: `threads ${this.isListOpen ? "open" : ""}`, "aria-label": t("assistant.threads")},
      h("a", {class: "button primary", href: link("assistant"), on: {click: () => this.open(null)}},
        icon("add"), t("assistant.new")),
      button(t("schedules.name"), () => openSchedules(this.turns.at(-1)?.question ?? ""), {symbol: "clock"}),
      h("h2", null, t("assistant.threads")),
      h("ul", null, this.threads.map(({id, title, updatedAt, conversationId}) => entry(id, id,
        conversationId ? `${nameOf(conversationId)}: ${title}` : title, updatedAt, id === this.threadId))),
      !this.threads.length && h("p", {class: "quiet"}, t("assistant.noThreads")),
      this.next && button(t("assistant.more"), () => this.loadThreads(this.next)),
      h("details", {on: {toggle: this.loadPast}},
        h("summary", null, t("assistant.past")),
        h("ul", null, this.past?.map(turn => turn.threadId
          ? entry(turn.turnId, turn.threadId, turn.question, turn.askedAt)
          : h("li", {key: turn.turnId}, button(turn.question || t("assistant.untitled"), () => this.showTurn(turn),
            {class: "plain", dir: "auto"}))))))
  }
  head() {
    return this.conversationId
      ? h("div", {class: "row inside-head"},
        h("a", {href: link("items", {in: this.conversationId})}, t("assistant.items")),
        this.turns.length > 0 && iconButton("trash", t("assistant.forget"), this.forget))
      : h("header", {class: "head"},
        iconButton("list", t("assistant.threads"), () => this.toggle("isListOpen"),
          {class: "narrow", "aria-expanded": String(this.isListOpen)}),
        h("h1", {class: "grow cut", dir: "auto"}, this.thread?.title || t("assistant.name")),
        this.threadId && [
          iconButton("edit", t("assistant.rename"), this.rename),
          iconButton("download", t("assistant.export"), this.exportThread),
          iconButton("trash", t("assistant.deleteThread"), this.removeThread),
        ])
  }
  turn(turn) {
    const isAsked = turn.key !== undefined && turn === (this.live ?? this.turns.at(-1))
    return h("article", {class: isAsked ? "turn asked" : "turn", key: turn.key ?? turn.turnId},
      h("h2", {class: "question", dir: "auto"}, turn.question || t("assistant.untitled")),
      answerView(turn, this.update, this.actions))
  }
  prompts() {
    const all = !hasModel() ? [] : this.conversationId
      ? this.suggestions.map(({id, title, text}) => [id, known("assistant.suggestion", id, title), text])
      : HINTS.map(id => [id, t(`assistant.hint.${id}`), t(`assistant.hint.${id}`)])
    return h("div", {class: "prompts"},
      !this.turns.length
        && h("p", {class: "quiet"}, t(this.conversationId ? "assistant.introInside" : "assistant.intro")),
      !this.conversationId && modelHint(),
      all.length > 0 && h("ul", {"aria-label": t("assistant.prompts")}, all.map(([id, title, text]) =>
        h("li", {key: id}, button(title, () => this.ask(text), {symbol: "spark"})))))
  }
  form() {
    const submit = event => {
      event.preventDefault()
      this.ask(this.draft)
    }
    const label = t(this.turns.length ? "assistant.followUp" : "assistant.question")
    const text = {rows: 2, maxlength: 8000, dir: "auto", value: this.draft, "aria-label": label, placeholder: label,
      ref: element => matchMedia("(pointer: fine)").matches && element.focus()}
    return h("form", {class: "ask", on: {submit}},
      this.isFiltered && filters(this.filter, value => {
        this.filter = value
        this.update()
      }, this.update),
      h("div", {class: "row"},
        h("textarea", {...text, on: {
          input: event => {
            this.draft = event.target.value
            this.update()
          },
          keydown: event => event.key === "Enter" && !event.shiftKey && !event.isComposing && submit(event),
        }}),
        this.live?.isRunning ? button(t("assistant.stop"), () => this.live.stop(), {symbol: "stop", key: "stop"})
          : h("button", {class: "primary with-icon", key: "ask", disabled: !this.draft.trim()},
            icon("send"), t("assistant.ask"))),
      !this.conversationId && !this.thread?.conversationId && button(filterText(this.filter) || t("assistant.filter"),
        () => this.toggle("isFiltered"), {class: "small", symbol: "search", "aria-expanded": String(this.isFiltered)}))
  }
  render() {
    const all = [...this.turns, this.live ?? this.elsewhere].filter(Boolean)
    return h("section", {class: "assistant-page"},
      !this.conversationId && this.list(),
      h("div", {class: "talk"},
        this.head(),
        h("div", {class: "turns"},
          this.summary?.render(),
          this.older && button(t("assistant.older"), () => this.loadTurns(this.older)),
          all.map(turn => this.turn(turn)),
          waiting(this.isLoading && !all.length, t("assistant.loading")),
          failure(this.error),
          !this.live && !this.isLoading && (this.conversationId || !this.turns.length) && this.prompts()),
        this.form()))
  }
}

export const mount = (container, route) => {
  const screen = new Assistant(container, route)
  return {
    close: () => screen.close(),
    update({name, id}) {
      if (name === "assistant" && (id || null) !== screen.threadId) screen.open(id || null)
    },
  }
}
