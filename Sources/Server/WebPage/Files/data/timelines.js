import {sentence} from "./errors.js"
import {echo, overlaid} from "./overlay.js"
import {compare, cursorSum, mergeInto} from "./reducers.js"

const PAGE = 50
// The most messages of a window, and of a conversation that is not on the screen.
const WINDOW = 400
const IDLE = 100

// The messages of conversations as they are on the screen: the newest known ones (`list` of the conversation's state),
// or an island of older ones, {items, hasOlder, hasNewer}. Neither has gaps.
export class Timelines {
  constructor(host) { Object.assign(this, {host, views: new Map()}) }

  clear() { this.views = new Map() }
  drop(id) { this.views.delete(id) }
  c(id) { return this.host.state.conversations.get(id) }

  view(id) {
    if (!this.views.has(id)) this.views.set(id, {island: null, isLoading: false, error: null, anchor: null, held: null, shown: null, cache: new WeakMap()})
    return this.views.get(id)
  }

  touch(id) {
    const view = this.views.get(id)
    if (view) view.shown = null
  }

  change(id, changes) {
    Object.assign(this.view(id), changes, {shown: null})
    this.host.announce("messages:" + id)
  }

  // A conversation that was not loaded can have gaps between what frames brought.
  items(id) {
    const c = this.c(id)
    return this.view(id).island?.items ?? (c?.isLoaded ? c.list : [])
  }
  find(id, messageId) { return this.items(id).find(message => message.id === messageId) ?? this.c(id)?.list.find(m => m.id === messageId) }

  // --- What is shown ---

  messages(id) {
    const view = this.view(id)
    return (view.shown ??= this.build(id, view))
  }

  build(id, view) {
    const {host} = this
    const [c, user, rows] = [this.c(id), host.account.user, host.outbox.in(id)]
    const items = []
    const changes = new Map()
    for (const row of rows) {
      if (row.kind === "send") continue
      const target = row.target ?? row.targetLocal
      if (!changes.has(target)) changes.set(target, [])
      changes.get(target).push(row)
    }
    for (const message of this.items(id)) {
      const shown = this.shown(message, changes.get(message.id), c, view)
      if (shown) items.push(shown)
    }
    const hasNewer = Boolean(view.island?.hasNewer)
    if (!hasNewer && user) for (const row of rows) {
      if (row.kind !== "send" || (changes.get(row.localId) ?? []).some(change => change.kind === "delete")) continue
      if (c?.list.some(message => message.localId === row.localId && message.senderId === user.id)) continue
      const message = echo(row, user, host.outbox.progress.get(row.localId), this.failure(row))
      items.push((changes.get(row.localId) ?? []).reduce((m, change) => overlaid(m, change, user.id), message))
    }
    return {
      items, hasOlder: view.island ? view.island.hasOlder : c?.hasEarlier !== false, hasNewer, isLoading: view.isLoading,
      error: view.error, anchor: view.anchor, gaps: [],
    }
  }

  failure(row) {
    return row.state === "failed" ? {code: row.failure.code, sentence: sentence(row.failure), localId: row.localId} : undefined
  }

  // The same object as before if nothing about the message changed; null for one that is being deleted.
  shown(message, changes, c, view) {
    const userId = this.host.state.userId
    const isOwn = message.senderId === userId && message.seq
    if (!changes && !isOwn) return message
    const known = view.cache.get(message)
    if (known && !changes && known.stamp === c.receiptStamp) return known.shown
    let shown = message
    let failure
    for (const row of changes ?? []) {
      if (row.state === "failed") failure = {...this.failure(row), kind: row.kind}
      else if (row.kind === "delete") return null
      else shown = {...overlaid(shown, row, userId), isPending: true}
    }
    if (isOwn && c) {
      const {read, delivered} = c.readers(message.seq, userId)
      const status = read ? "read" : delivered ? "delivered" : "sent"
      if (!changes && known?.shown.status === status && known.shown.readBy === read) {
        known.stamp = c.receiptStamp
        return known.shown
      }
      shown = {...shown, status, readBy: read}
    }
    if (failure) shown = {...shown, failure}
    if (!changes) view.cache.set(message, {stamp: c?.receiptStamp, shown})
    return shown
  }

  // --- Changes that came ---

  replace(message) {
    const items = this.views.get(message.conversationId)?.island?.items
    const place = items?.findIndex(({id}) => id === message.id) ?? -1
    if (place >= 0) items[place] = message
  }

  remove(id, messageId) {
    const island = this.views.get(id)?.island
    if (island) island.items = island.items.filter(message => message.id !== messageId)
  }

  // The server did what a row asks; the feed says so a moment later.
  made(row) {
    const c = this.c(row.conversationId)
    const message = this.find(row.conversationId, row.target)
    if (!message) return
    if (row.kind === "delete") {
      c.delete(row.target, message.seq, this.host.state.userId)
      this.remove(row.conversationId, row.target)
    } else {
      const next = overlaid(message, row, this.host.state.userId)
      const place = c.list.findIndex(({id}) => id === row.target)
      if (place >= 0) c.list[place] = next
      this.replace(next)
    }
    this.host.touch([row.conversationId])
  }

  unload(id) {
    if (this.views.has(id)) this.change(id, {island: null})
    if (this.host.openId === id) this.load(id).catch(() => {})
  }

  // The first message on the screen, null at the end: what is on the screen stays while new messages arrive.
  hold(id, messageId) { this.view(id).held = messageId }

  // It is not on the screen any more.
  leave(id) {
    this.change(id, {island: null, held: null, anchor: null})
    this.c(id)?.trim(IDLE, this.host.state.userId)
  }

  // Bounds what is in memory after new messages.
  shorten(id) {
    const [c, view] = [this.c(id), this.views.get(id)]
    const {userId} = this.host.state
    if (!c) return
    if (this.host.openId !== id || !view || view.island) {
      if (c.list.length > 2 * IDLE) c.trim(IDLE, userId)
      return
    }
    if (c.list.length < WINDOW + IDLE) return
    const held = view.held ? c.list.findIndex(message => message.id === view.held) : -1
    if (held >= 0 && held < c.list.length - WINDOW + PAGE) this.detach(c, view)
    else c.trim(WINDOW, userId)
  }

  // The window stays at older messages while the newest ones go on without it.
  detach(c, view) {
    view.island = {items: c.list.slice(0, WINDOW), hasOlder: c.hasEarlier !== false, hasNewer: true}
    c.trim(IDLE, this.host.state.userId)
  }

  trimDisk(messages) {
    this.counts ??= new Map()
    for (const {message: {conversationId: id}} of messages) {
      this.counts.set(id, (this.counts.get(id) ?? 0) + 1)
      if (this.counts.get(id) < 200) continue
      this.counts.delete(id)
      this.host.disk.trim(id).catch(() => {})
    }
  }

  // --- Loading ---

  fetch(id, query) {
    const path = `/v1/conversations/${encodeURIComponent(id)}/messages`
    return this.host.api.request("GET", path, {query: {limit: PAGE, ...query}})
  }

  // A page that can be the newest one; then the disk keeps it.
  async fetchEnd(id, query, sum) {
    const [start, mark] = [this.host.state.frameCount, this.mark(id)]
    const page = await this.fetch(id, query)
    if (!page.hasNewer && !this.isOld(id, mark)) this.keep(id, {...page, messages: this.c(id).newest(page.messages, start)}, sum)
    return page
  }

  // Runs one load of a conversation at a time; a second call waits for the first and does not load twice.
  async once(id, name, work) {
    const view = this.view(id)
    if (view.work?.name === name) return view.work.promise
    await view.work?.promise.catch(() => {})
    const run = async () => {
      this.change(id, {isLoading: true, error: null})
      try {
        await work(view)
        if (this.views.get(id) === view) this.change(id, {isLoading: false})
      } catch (error) {
        if (this.views.get(id) === view) this.change(id, {isLoading: false, error})
        throw error
      } finally {
        view.work = null
      }
    }
    const promise = run()
    view.work = {name, promise}
    return promise
  }

  load(id) {
    return this.once(id, "load", async view => {
      if (!this.c(id)) await this.host.arrival(id)
      view.island = null
      view.anchor = null
      let c = this.c(id)
      if (!c) return
      if (!c.isLoaded) await this.fromDisk(id)
      c = this.c(id)
      const isEnough = c?.isLoaded && (c.hasEarlier === false || c.list.length >= PAGE)
      await Promise.all([isEnough ? null : this.newest(id), c?.hasRoster ? null : this.loadRoster(id)])
      // `limited` came meanwhile.
      while (this.c(id)?.isLoaded === false) await this.newest(id)
    })
  }

  // What is known now, for a page that is asked for now.
  mark(id) { return {state: this.host.state, unloads: this.c(id)?.unloads} }

  // A snapshot or `limited` came since the mark, or the conversation went: the page may have what must not be shown.
  isOld(id, {state, unloads}) { return state !== this.host.state || !this.c(id) || this.c(id).unloads !== unloads }

  // The disk knows at least the frames of this page: the leader waits for its own writing, the others hear afterwards.
  async fromDisk(id) {
    await this.host.flushing
    const mark = this.mark(id)
    const page = await this.host.disk.page(id, PAGE)
    if (!page?.messages.length || this.isOld(id, mark) || this.c(id).isLoaded) return
    this.merge(id, page, this.host.state.frameCount)
  }

  merge(id, page, start) {
    page.messages = this.c(id).newest(page.messages, start)
    this.host.state.merge(page, id, start)
    this.settle(page.messages)
    this.host.touch([id])
  }

  // Own messages of a page were sent.
  settle(messages) {
    const {outbox, disk, state} = this.host
    const confirmed = outbox.confirmed(messages, state.userId)
    if (!confirmed.length) return
    outbox.forget(confirmed)
    disk.changeOutbox(() => ({remove: confirmed.map(row => row.number)})).catch(() => {})
  }

  async newest(id) {
    const {state} = this.host
    const [start, sum, mark] = [state.frameCount, cursorSum(state.cursor), this.mark(id)]
    const page = await this.fetch(id)
    if (this.isOld(id, mark)) return
    this.merge(id, page, start)
    this.keep(id, page, sum)
  }

  keep(id, page, sum, before) {
    this.host.disk.keepPage(id, page, sum, before).then(() => this.host.disk.trim(id)).catch(() => {})
  }

  async loadRoster(id) {
    const {host} = this
    const start = host.state.frameCount
    const path = "/v1/conversations/" + encodeURIComponent(id)
    // Somebody who only reads an open conversation may see no receipts.
    const ask = what => host.api.request("GET", what).catch(error => {
      if (error.isTransient || error.status === 401) throw error
      return {}
    })
    const [{members = []}, {receipts = []}] = await Promise.all([ask(path), ask(path + "/receipts")])
    host.state.setMembers(members, receipts, id, start)
    host.touch([id])
    const c = this.c(id)
    if (c) host.disk.commit({meta: {}, records: [host.record(c)]}).catch(() => {})
  }

  loadOlder(id) {
    return this.once(id, "older", async view => {
      const first = this.items(id)[0]
      const c = this.c(id)
      if (!first || !c || !(view.island ? view.island.hasOlder : c.hasEarlier !== false)) return
      const {state, disk} = this.host
      await this.host.flushing
      const [start, sum, mark] = [state.frameCount, cursorSum(state.cursor), this.mark(id)]
      let page = await disk.page(id, PAGE, {before: first})
      const isKept = page?.messages.length
      if (!isKept) page = await this.fetch(id, {before: first.id})
      if (this.isOld(id, mark) || this.view(id) !== view) return
      page.messages = c.newest(page.messages, start)
      if (!isKept) this.keep(id, page, sum, first.id)
      if (view.island) {
        mergeInto(view.island.items, page.messages)
        view.island.hasOlder = page.hasOlder
        if (view.island.items.length > WINDOW) {
          view.island.items.length = WINDOW
          view.island.hasNewer = true
        }
      } else {
        this.merge(id, page, start)
        if (!page.messages.length) c.hasEarlier = false
        if (c.list.length > WINDOW) this.detach(c, view)
      }
    })
  }

  loadNewer(id) {
    return this.once(id, "newer", async view => {
      const {island} = view
      const last = island?.items.at(-1)
      if (!last) return
      await this.host.flushing
      const start = this.host.state.frameCount
      const sum = cursorSum(this.host.state.cursor)
      let page = await this.host.disk.page(id, PAGE, {after: last})
      if (!page?.messages.length) page = await this.fetchEnd(id, {after: last.id}, sum)
      if (view.island === island && this.c(id)) this.extend(id, view, page, start)
    })
  }

  // Puts a page at the end of the island; where it meets the newest messages they are one list again.
  extend(id, view, page, start) {
    const [c, {island}] = [this.c(id), view]
    mergeInto(island.items, c.newest(page.messages, start))
    const [first, last] = [c.list[0], island.items.at(-1)]
    if (!page.hasNewer || (first && c.isLoaded && compare(last, first) >= 0)) return this.join(id, view)
    island.hasNewer = true
    const surplus = island.items.length - WINDOW
    if (surplus > 0) {
      island.items.splice(0, surplus)
      island.hasOlder = true
    }
  }

  join(id, view) {
    const c = this.c(id)
    if (!c.isLoaded) c.dropBefore(view.island.items)
    const known = new Set(c.list.map(message => message.id))
    mergeInto(c.list, view.island.items.filter(message => !known.has(message.id)))
    c.isLoaded = true
    c.hasEarlier = view.island.hasOlder
    view.island = null
    c.trim(WINDOW, this.host.state.userId)
    this.host.touch([id])
  }

  jump(id, messageId) {
    return this.once(id, "jump " + messageId, async view => {
      if (!this.c(id)) await this.host.arrival(id)
      const c = this.c(id)
      const has = list => list.some(message => message.id === messageId)
      if (!has(this.items(id))) {
        if (c?.isLoaded && has(c.list)) view.island = null
        else await this.around(id, view, messageId)
      }
      if (c && !c.hasRoster) await this.loadRoster(id)
      view.anchor = messageId
    })
  }

  async around(id, view, messageId) {
    const {disk, state} = this.host
    await this.host.flushing
    const [start, mark] = [state.frameCount, this.mark(id)]
    const kept = await disk.message(id, messageId)
    const pages = kept ? await Promise.all([disk.page(id, PAGE / 2, {before: kept}), disk.page(id, PAGE / 2, {after: kept})]) : []
    const [before, after] = pages
    const page = before && after
      ? {messages: [...before.messages, kept, ...after.messages], hasOlder: before.hasOlder, hasNewer: after.hasNewer}
      : await this.fetchEnd(id, {around: messageId}, cursorSum(state.cursor))
    if (this.isOld(id, mark)) return
    view.island = {items: [], hasOlder: page.hasOlder, hasNewer: page.hasNewer}
    this.extend(id, view, page, start)
  }

  // Loads what failed while there was no connection.
  loadFailed() {
    for (const [id, view] of this.views) if (view.error?.isTransient && !view.isLoading) this.load(id).catch(() => {})
  }
}
