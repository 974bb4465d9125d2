// What this browser keeps. Of each conversation the messages of one range without gaps, up to the newest one.
const VERSION = 1
const LIMIT = 2000
const wait = request =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
const order = message => [message.conversationId, message.seq ?? 0, message.seq ? "" : message.timestamp, message.id]
const row = (message, at) => ({c: message.conversationId, i: message.id, o: order(message), at, message})
const STORES = ["meta", "conversations", "messages", "ranges", "outbox", "drafts"]

export class Disk {
  constructor(factory = globalThis.indexedDB, ranges = globalThis.IDBKeyRange) {
    Object.assign(this, {factory, ranges, db: null})
  }

  async open() {
    const request = this.factory.open("nexus", VERSION)
    request.onupgradeneeded = () => {
      const db = request.result
      db.createObjectStore("meta")
      db.createObjectStore("conversations", {keyPath: "id"})
      db.createObjectStore("messages", {keyPath: ["c", "i"]}).createIndex("order", "o")
      db.createObjectStore("ranges", {keyPath: "c"})
      db.createObjectStore("outbox", {keyPath: "number", autoIncrement: true})
      db.createObjectStore("drafts")
    }
    this.db = await wait(request)
    this.db.onversionchange = () => this.db.close()
    return this
  }

  // Runs `work` in a transaction; resolves when it is committed.
  async run(names, mode, work) {
    const transaction = this.db.transaction(names, mode, {durability: "relaxed"})
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error)
    })
    done.catch(() => {})
    const stores = Object.fromEntries(names.map(name => [name, transaction.objectStore(name)]))
    try {
      const result = await work(stores)
      if (mode === "readwrite") await done
      return result
    } catch (error) {
      try { transaction.abort() } catch {}
      throw error
    }
  }

  // Everything that is shown first.
  boot() {
    return this.run(["meta", "conversations", "outbox", "drafts"], "readonly", async ({meta, conversations, outbox, drafts}) => {
      const [keys, values, records, rows, places, texts] = await Promise.all(
        [meta.getAllKeys(), meta.getAll(), conversations.getAll(), outbox.getAll(), drafts.getAllKeys(), drafts.getAll()]
          .map(wait))
      const drafted = new Map(places.map((place, i) => [place, texts[i]]))
      return {...Object.fromEntries(keys.map((key, i) => [key, values[i]])), conversations: records, outbox: rows, drafts: drafted}
    })
  }

  put(values) {
    return this.run(["meta"], "readwrite", ({meta}) => Object.entries(values).forEach(([key, value]) => meta.put(value, key)))
  }

  setDraft(id, text) {
    return this.run(["drafts"], "readwrite", ({drafts}) => (text ? drafts.put(text, id) : drafts.delete(id)))
  }

  // Frames: `messages` are [{message, isNew}], `deletions` [[conversation, id, seq]], `confirmed` numbers of the outbox.
  commit({meta: values, records = [], removed = [], unloaded = [], messages = [], deletions = [], confirmed = [], at}) {
    const names = ["meta", "conversations", "messages", "ranges", "outbox"]
    return this.run(names, "readwrite", async ({meta, conversations, messages: rows, ranges, outbox}) => {
      for (const [key, value] of Object.entries(values)) meta.put(value, key)
      for (const record of records) conversations.put(record)
      for (const id of removed) conversations.delete(id)
      for (const id of [...removed, ...unloaded]) this.clear(rows, ranges, id)
      for (const number of confirmed) outbox.delete(number)
      const known = new Map()
      for (const {message, isNew} of messages) {
        const id = message.conversationId
        if (!known.has(id)) known.set(id, await wait(ranges.get(id)))
        if (!known.get(id) && isNew) {
          known.set(id, {c: id, first: order(message), hasEarlier: true})
          ranges.put(known.get(id))
        }
        const range = known.get(id)
        if (range && this.factory.cmp(order(message), range.first) >= 0) rows.put(row(message, at))
      }
      // A page that was asked for earlier must not bring them back.
      for (const [c, i, seq] of deletions) rows.put({c, i, o: [c, seq ?? 0, "", i], at, message: null})
    })
  }

  clear(rows, ranges, id) {
    rows.delete(this.ranges.bound([id], [id, []]))
    ranges.delete(id)
  }

  // A page that the server sent. Without `before` it is the newest one. `at`: the feed's position when it was asked for.
  async keepPage(id, {messages, hasOlder}, at, before) {
    if (!messages.length) return
    return this.run(["messages", "ranges"], "readwrite", async ({messages: rows, ranges}) => {
      const orders = messages.map(order)
      const oldest = orders.reduce((a, b) => (this.factory.cmp(b, a) < 0 ? b : a))
      let range = await wait(ranges.get(id))
      const isNext = range && (!before || before === range.first[3] || orders.some(o => this.factory.cmp(o, range.first) >= 0))
      if (range ? !isNext : before) return
      if (!range || this.factory.cmp(oldest, range.first) < 0) {
        range = {c: id, first: oldest, hasEarlier: hasOlder}
        ranges.put(range)
      }
      for (const message of messages) {
        const old = await wait(rows.get([id, message.id]))
        if (!old || old.at <= at) rows.put(row(message, at))
      }
    })
  }

  // Drops what is too much of a conversation.
  trim(id) {
    return this.run(["messages", "ranges"], "readwrite", async ({messages: rows, ranges}) => {
      const within = this.ranges.bound([id], [id, []])
      const index = rows.index("order")
      const surplus = (await wait(index.count(within))) - LIMIT
      const range = await wait(ranges.get(id))
      if (surplus <= 0 || !range) return
      const [keys, rest] = await Promise.all([wait(index.getAllKeys(within, surplus)), wait(index.getAll(within, surplus + 1))])
      for (const key of keys) rows.delete(key)
      ranges.put({c: id, first: rest.at(-1).o, hasEarlier: true})
    })
  }

  // Up to `count` messages before or after one, oldest first; without one, the newest. Null if they are not kept.
  page(id, count, {before, after} = {}) {
    return this.run(["messages", "ranges"], "readonly", async ({messages: rows, ranges}) => {
      const range = await wait(ranges.get(id))
      const from = before ?? after
      if (!range || (from && this.factory.cmp(order(from), range.first) < (before ? 1 : 0))) return null
      const bounds = before ? this.ranges.bound([id], order(before), false, true)
        : after ? this.ranges.bound(order(after), [id, []], true) : this.ranges.bound([id], [id, []])
      const found = []
      const request = rows.index("order").openCursor(bounds, after ? "next" : "prev")
      for (let at = await wait(request); at && found.length < count; at = await wait(request)) {
        if (at.value.message) found.push(at.value.message)
        at.continue()
      }
      const isFull = found.length === count
      if (!after) found.reverse()
      return {messages: found, hasOlder: before || !after ? isFull || range.hasEarlier : true, hasNewer: Boolean(after) && isFull}
    })
  }

  async message(c, i) {
    return (await this.run(["messages"], "readonly", ({messages}) => wait(messages.get([c, i]))))?.message ?? null
  }

  // Kept messages that a test wants, newest first.
  find(isWanted, count) {
    return this.run(["messages"], "readonly", async ({messages}) => {
      const found = []
      const request = messages.openCursor()
      for (let at = await wait(request); at; at = await wait(request)) {
        const {message} = at.value
        if (message && isWanted(message)) found.push(message)
        at.continue()
      }
      return found.sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1)).slice(0, count)
    })
  }

  outbox() { return this.run(["outbox"], "readonly", ({outbox}) => wait(outbox.getAll())) }
  // Changes rows in one transaction: `change(rows)` gets all rows by number and returns {put, remove}.
  // New rows have no number; resolves with all rows.
  changeOutbox(change) {
    return this.run(["outbox"], "readwrite", async ({outbox}) => {
      const {put = [], remove = []} = change(await wait(outbox.getAll()))
      for (const number of remove) outbox.delete(number)
      for (const item of put) outbox.put(item)
      return wait(outbox.getAll())
    })
  }

  // Replaces conversations and messages by a snapshot.
  reset(meta, records, confirmed) {
    return this.run(STORES, "readwrite", stores => {
      for (const name of ["conversations", "messages", "ranges"]) stores[name].clear()
      for (const record of records) stores.conversations.put(record)
      for (const [key, value] of Object.entries(meta)) stores.meta.put(value, key)
      for (const number of confirmed) stores.outbox.delete(number)
    })
  }

  erase() {
    return this.run(STORES, "readwrite", stores => STORES.forEach(name => stores[name].clear()))
  }
}

// For a browser that keeps nothing: the outbox lasts as long as the page.
export class NoDisk {
  constructor() { Object.assign(this, {rows: [], number: 0}) }
  async boot() { return {conversations: [], outbox: [...this.rows], drafts: new Map()} }
  async outbox() { return [...this.rows] }
  async changeOutbox(change) {
    const {put = [], remove = []} = change([...this.rows])
    for (const item of put) item.number ??= this.number += 1
    const numbers = new Set([...remove, ...put.map(item => item.number)])
    this.rows = [...this.rows.filter(item => !numbers.has(item.number)), ...put].sort((a, b) => a.number - b.number)
    return [...this.rows]
  }
  async commit({confirmed = []}) { this.rows = this.rows.filter(({number}) => !confirmed.includes(number)) }
  async reset(meta, records, confirmed) { return this.commit({confirmed}) }
  async erase() { this.rows = [] }
  async page() { return null }
  async message() { return null }
  async find() { return [] }
  async put() {}
  async setDraft() {}
  async keepPage() {}
  async trim() {}
}
