// The assistant: questions to everything in threads, or inside one conversation.
import {h, View} from "../lib/dom.js"
import {announce, attempt, confirm, openDialog, toast} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {link} from "../lib/router.js"
import {shortTime, t} from "../lib/text.js"
import {iconButton} from "../lib/ui.js"
import {store} from "../data/store.js"
import {answerView} from "./answer.js"
import {Answering} from "./answering.js"
import {button, failure, field, filterBody, filters, filterText, insideOf, nameOf, timeZone, waiting} from "./common.js"
import {catchUp} from "./summaries.js"

const running = new Map()   // answers that are being written, by thread or conversation
const path = (...segments) => `/v1/${segments.map(encodeURIComponent).join("/")}`
const hints = ["missed", "decided", "mine", "deadlines"]

class Assistant {
  constructor(container, route) {
    const conversationId = insideOf(route)
    const {id} = route
    Object.assign(this, {container, conversationId, threadId: null, thread: null, turns: [], threads: [], past: null,
      next: null, older: null, live: null, filter: {}, draft: route.query?.get("q") ?? "", suggestions: [], isLoading: false, error: null,
      isFiltered: false, isListOpen: false, isOpen: true, generation: 0,
      elsewhere: null, seen: null})
    this.update = () => this.view?.update()
    this.summary = conversationId && catchUp(conversationId, this.update)
    this.view = new View(container, () => this.render(), ["conversations"], store)
    this.offs = [
      store.on("threads", () => this.loadThreads()),
      store.on("answers", () => this.follow()),
    ]
    if (conversationId) {
      this.loadTurns()
      this.suggest()
    } else {
      this.loadThreads()
      this.open(id || null)
    }
  }
  close() {
    this.isOpen = false
    this.live?.watchers.delete(this.watch)
    for (const off of this.offs) off()
    this.summary?.close()
    this.view.close()
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
  async suggest() {
    try {
      this.suggestions = (await store.api.request("GET", path("conversations", this.conversationId, "assistant", "suggestions"))).suggestions
      this.update()
    } catch {
      this.suggestions = []
    }
  }
  loadThreads(after) {
    if (this.conversationId) return
    return this.guard(async () => {
      const page = await store.api.request("GET", "/v1/threads", {query: {limit: 30, ...(after && {after})}})
      this.threads = after ? [...this.threads, ...page.threads] : page.threads
      this.next = page.next
      if (this.threadId) this.thread = this.threads.find(one => one.id === this.threadId) ?? this.thread
    })
  }
  open(threadId) {
    this.live?.watchers.delete(this.watch)
    Object.assign(this, {threadId, turns: [], older: null, live: null, thread: this.threads.find(one => one.id === threadId) ?? null,
      isListOpen: false, error: null})
    this.update()
    if (threadId) this.loadTurns()
  }
  async loadTurns(before) {
    const generation = ++this.generation
    this.isLoading = true
    this.attach()
    this.update()
    await this.guard(async () => {
      const [where, more] = this.conversationId ? [path("conversations", this.conversationId, "assistant"), {}]
        : ["/v1/turns", {threadId: this.threadId}]
      const page = await store.api.request("GET", where, {query: {limit: 20, ...more, ...(before && {before})}})
      if (generation !== this.generation) return
      const known = new Map(this.turns.map(turn => [turn.turnId, turn]))
      const turns = page.turns.reverse().map(turn => Object.assign(known.get(turn.turnId) ?? {}, turn))
      this.turns = before ? [...turns, ...this.turns] : turns
      this.older = page.next ?? null
      if (!this.live?.isRunning && this.turns.some(turn => turn.turnId === this.live?.turnId)) this.live = null
      if (this.threadId && !this.thread) this.thread = await store.api.request("GET", path("threads", this.threadId))
    })
    if (generation === this.generation) this.isLoading = false
    this.update()
  }
  async loadPast() {
    await this.guard(async () => {
      this.past = (await store.api.request("GET", "/v1/turns", {query: {limit: 50}})).turns
    })
  }

  // Shows the answer that is being written here, if there is one.
  attach() {
    const live = running.get(this.key)
    if (!live || live === this.live) return
    this.live?.watchers.delete(this.watch)
    this.live = live
    this.watch ??= () => this.update()
    live.watchers.add(this.watch)
  }
  // Shows an answer that another device of this person asked for.
  follow() {
    if (running.get(this.key)?.isRunning) return
    for (const answer of store.answers.values()) {
      const isHere = this.conversationId ? answer.conversationId === this.conversationId && !answer.messageId && !answer.threadId
        : this.threadId && answer.threadId === this.threadId
      if (!isHere || this.turns.some(turn => turn.turnId === answer.turnId) || this.seen === answer) continue
      if (answer.done) {
        this.seen = answer
        this.elsewhere = null
        this.loadTurns()
      } else this.elsewhere = {key: "elsewhere", question: t("assistant.elsewhere"), answer: answer.text, sources: [], citations: [], phase: "writing"}
      this.update()
    }
  }
  async ask(question) {
    if (!question.trim() || this.live?.isRunning) return
    await this.guard(async () => {
      if (!this.conversationId && !this.threadId) {
        const thread = await store.api.request("POST", "/v1/threads", {body: {}})
        this.thread = thread
        this.threadId = thread.id
        history.replaceState(history.state, "", link("assistant", thread.id))
      }
      const inside = this.conversationId ?? this.thread?.conversationId
      const live = inside
        ? new Answering(path("conversations", inside, "assistant"), {text: question, timeZone: timeZone()}, question)
        : new Answering("/v1/ask", {question, threadId: this.threadId, ...filterBody(this.filter)}, question)
      const key = this.key
      running.set(key, live)
      this.draft = ""
      this.attach()
      this.update()
      requestAnimationFrame(() => requestAnimationFrame(() => this.container.querySelector(".turn:last-child")?.scrollIntoView({block: "start"})))
      live.run().then(() => {
        if (live.phase === "failed" && !this.draft) this.draft = question
        if (running.get(key) === live && live.phase !== "failed") running.delete(key)
        if (!this.isOpen || this.live !== live) return
        announce(t(live.phase === "done" ? "assistant.ready" : "assistant.notReady"))
        if (live.phase === "done") this.keep(live)
        this.update()
      })
    })
  }
  // The answer stays where it is while it becomes a stored turn.
  keep(live) {
    if (!this.turns.some(turn => turn.turnId === live.turnId)) this.turns = [...this.turns, live]
    this.live = null
    this.loadThreads()
  }
  async removeTurn(turn) {
    if (!await confirm({title: t("assistant.deleteTurn"), text: t("assistant.deleteTurnText"), action: t("assistant.delete"), isDangerous: true})) return
    await attempt(async () => {
      await store.api.request("DELETE", path("turns", turn.turnId))
      this.turns = this.turns.filter(one => one !== turn)
      this.past = this.past?.filter(one => one.turnId !== turn.turnId)
    })
    this.update()
  }
  async forget() {
    if (!await confirm({title: t("assistant.forget"), text: t("assistant.forgetText"), action: t("assistant.forget"), isDangerous: true})) return
    await attempt(async () => {
      await store.api.request("DELETE", path("conversations", this.conversationId, "assistant"))
      this.turns = []
    })
    this.update()
  }
  rename() {
    let title = this.thread?.title ?? ""
    openDialog({title: t("assistant.rename"), class: "small", render: close => h("form", {on: {submit: async event => {
      event.preventDefault()
      const stored = await attempt(() => store.api.request("PATCH", path("threads", this.threadId), {body: {title: title.trim() || null}}))
      if (!stored) return
      this.thread = stored
      close()
      this.loadThreads()
    }}},
      field(t("assistant.title"), title, text => (title = text), {maxlength: 200}),
      h("p", {class: "quiet"}, t("assistant.titleHint")),
      h("footer", {class: "actions"}, h("button", {class: "primary"}, t("assistant.save"))))})
  }
  async removeThread() {
    if (!await confirm({title: t("assistant.deleteThread"), text: t("assistant.deleteThreadText"), action: t("assistant.delete"), isDangerous: true})) return
    await attempt(async () => {
      await store.api.request("DELETE", path("threads", this.threadId))
      this.threads = this.threads.filter(one => one.id !== this.threadId)
      location.hash = link("assistant")
    })
  }
  async exportThread() {
    await attempt(async () => {
      const reply = await store.api.send("GET", `${path("threads", this.threadId)}/export`)
      const anchor = document.createElement("a")
      anchor.href = URL.createObjectURL(new Blob([await reply.text()], {type: "text/markdown"}))
      anchor.download = `${(this.thread?.title ?? "thread").replace(/[^\p{L}\p{N} _-]/gu, "").slice(0, 60) || "thread"}.md`
      anchor.click()
      setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000)
      toast(t("assistant.exported"))
    })
  }

  list() {
    const entry = (id, href, title, time, isCurrent) => h("li", {key: id},
      h("a", {href, "aria-current": isCurrent ? "page" : null}, h("span", {dir: "auto"}, title || t("assistant.untitled")),
        h("time", {class: "quiet", datetime: time}, shortTime(time))))
    return h("nav", {class: `threads ${this.isListOpen ? "open" : ""}`, "aria-label": t("assistant.threads")},
      h("a", {class: "button primary", href: link("assistant"), on: {click: () => this.threadId && this.open(null)}},
        icon("add"), t("assistant.new")),
      h("h2", null, t("assistant.threads")),
      this.threads.length ? h("ul", null, this.threads.map(one =>
        entry(one.id, link("assistant", one.id), one.conversationId ? `${nameOf(one.conversationId)}: ${one.title}` : one.title,
          one.updatedAt, one.id === this.threadId))) : h("p", {class: "quiet"}, t("assistant.noThreads")),
      this.next && button(t("assistant.more"), () => this.loadThreads(this.next)),
      h("details", {on: {toggle: event => event.target.open && !this.past && this.loadPast()}},
        h("summary", null, t("assistant.past")),
        h("ul", null, (this.past ?? []).map(turn => turn.threadId
          ? entry(turn.turnId, link("assistant", turn.threadId), turn.question, turn.askedAt)
          : h("li", {key: turn.turnId}, h("button", {type: "button", class: "plain", dir: "auto", on: {click: () => {
            this.open(null)
            this.turns = [turn]
            this.update()
          }}}, turn.question || t("assistant.untitled")))))))
  }
  head() {
    if (this.conversationId) {
      return h("div", {class: "row wrap inside-head"},
        h("a", {href: link("items", {in: this.conversationId})}, t("assistant.items")),
        this.turns.length > 0 && iconButton("trash", t("assistant.forget"), () => this.forget()))
    }
    return h("header", {class: "head"},
      iconButton("list", t("assistant.threads"), () => {
        this.isListOpen = !this.isListOpen
        this.update()
      }, {class: "narrow", "aria-expanded": String(this.isListOpen)}),
      h("h1", {class: "grow cut", dir: "auto"}, this.thread?.title || t("assistant.name")),
      this.threadId && [
        iconButton("edit", t("assistant.rename"), () => this.rename()),
        iconButton("download", t("assistant.export"), () => this.exportThread()),
        iconButton("trash", t("assistant.deleteThread"), () => this.removeThread()),
      ])
  }
  turn(turn) {
    return h("article", {class: "turn", key: turn.turnId ?? turn.key},
      h("h3", {class: "question", dir: "auto"}, turn.question || t("assistant.untitled")),
      answerView(turn, this.update, turn.turnId ? one => this.removeTurn(one) : null))
  }
  empty() {
    const prompts = this.conversationId ? this.suggestions.map(one => [one.id, known(one), one.text])
      : hints.map(id => [id, t(`assistant.hint.${id}`), t(`assistant.hint.${id}`)])
    return h("div", {class: "prompts"},
      !this.turns.length && h("p", {class: "quiet"}, t(this.conversationId ? "assistant.introInside" : "assistant.intro")),
      h("ul", {"aria-label": t("assistant.prompts")}, prompts.map(([id, title, text]) => h("li", {key: id},
        button(title, () => this.ask(text), {symbol: "spark"})))))
  }
  form() {
    const isRunning = this.live?.isRunning
    const filterLine = filterText(this.filter)
    return h("form", {class: "ask", on: {submit: event => {
      event.preventDefault()
      this.ask(this.draft)
    }}},
      this.isFiltered && !this.conversationId && filters(this.filter, value => {
        this.filter = value
        this.update()
      }),
      h("div", {class: "row"},
        h("textarea", {rows: 2, maxlength: 8000, dir: "auto", value: this.draft, "aria-label": t("assistant.question"),
          placeholder: t(this.turns.length ? "assistant.followUp" : "assistant.question"), on: {
            input: event => {
              this.draft = event.target.value
              this.update()
            },
            keydown: event => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
              event.preventDefault()
              this.ask(this.draft)
            },
          }}),
        isRunning ? button(t("assistant.stop"), () => this.live.stop(), {symbol: "stop"})
          : h("button", {type: "submit", class: "primary with-icon", disabled: !this.draft.trim()}, icon("send"), t("assistant.ask"))),
      !this.conversationId && !this.thread?.conversationId && h("div", {class: "row"},
        button(filterLine || t("assistant.filter"), () => {
          this.isFiltered = !this.isFiltered
          this.update()
        }, {class: "plain", "aria-expanded": String(this.isFiltered)})))
  }
  render() {
    const all = [...this.turns, ...(this.live ? [this.live] : []), ...(this.elsewhere && !this.live ? [this.elsewhere] : [])]
    return h("section", {class: `assistant-page ${this.conversationId ? "inside" : ""}`},
      !this.conversationId && this.list(),
      h("div", {class: "talk"},
        this.head(),
        h("div", {class: "turns"},
          this.summary?.render(),
          this.older && button(t("assistant.older"), () => this.loadTurns(this.older)),
          all.map(turn => this.turn(turn)),
          waiting(this.isLoading && !all.length, t("assistant.loading")),
          failure(this.error),
          !this.live && !this.isLoading && (this.conversationId || !this.turns.length) && this.empty()),
        this.form()))
  }
}
const known = ({id, title}) => {
  const text = t(`assistant.suggestion.${id}`)
  return text.startsWith("assistant.") ? title : text
}

export const mount = (container, route) => {
  const screen = new Assistant(container, route)
  return {
    close: () => screen.close(),
    update: next => !screen.conversationId && next.name === "assistant" && (next.id || null) !== screen.threadId && screen.open(next.id || null),
  }
}
