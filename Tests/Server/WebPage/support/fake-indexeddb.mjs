// As much of IndexedDB as Disk uses, in memory; transactions run one after the other.
export const cmp = (a, b) => {
  const rank = value => (Array.isArray(value) ? 2 : typeof value === "string" ? 1 : 0)
  if (rank(a) !== rank(b)) return rank(a) < rank(b) ? -1 : 1
  if (!Array.isArray(a)) return a < b ? -1 : a > b ? 1 : 0
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const order = cmp(a[i], b[i])
    if (order) return order
  }
  return Math.sign(a.length - b.length)
}

export const KeyRange = {
  bound: (lower, upper, lowerOpen = false, upperOpen = false) => ({
    has: key => cmp(key, lower) >= (lowerOpen ? 1 : 0) && cmp(key, upper) <= (upperOpen ? -1 : 0),
  }),
}
const within = (range, key) => range === undefined || range === null || (range.has ? range.has(key) : cmp(range, key) === 0)
const clone = value => structuredClone(value)

class Table {
  constructor({keyPath, autoIncrement} = {}) { Object.assign(this, {keyPath, autoIncrement, rows: new Map(), number: 0, indexes: {}}) }
  key(value) { return Array.isArray(this.keyPath) ? this.keyPath.map(name => value[name]) : value[this.keyPath] }
  // [key, value, primary key], sorted.
  sorted(index) {
    const rows = [...this.rows.values()]
    return rows.map(({key, value}) => [index ? value[index] : key, value, key]).sort((a, b) => cmp(a[0], b[0]))
  }
}

class View {
  constructor(transaction, table, index) { Object.assign(this, {transaction, table, indexName: index}) }
  createIndex(name, keyPath) { this.table.indexes[name] = keyPath }
  index(name) { return new View(this.transaction, this.table, this.table.indexes[name]) }
  ask(work) { return this.transaction.ask(work) }
  found(range, count = Infinity) { return this.table.sorted(this.indexName).filter(([key]) => within(range, key)).slice(0, count) }
  get(key) { return this.ask(() => clone(this.table.rows.get(JSON.stringify(key))?.value)) }
  getAll(range, count) { return this.ask(() => clone(this.found(range, count).map(([, value]) => value))) }
  getAllKeys(range, count) { return this.ask(() => clone(this.found(range, count).map(([, , key]) => key))) }
  count(range) { return this.ask(() => this.found(range).length) }
  delete(range) { return this.ask(() => { if (!range.has) this.table.rows.delete(JSON.stringify(range)); else for (const [, , key] of this.found(range)) this.table.rows.delete(JSON.stringify(key)) }) }
  clear() { return this.ask(() => this.table.rows.clear()) }
  put(value, ownKey) {
    const kept = clone(value)
    return this.ask(() => {
      const {table} = this
      if (table.autoIncrement && kept[table.keyPath] === undefined) kept[table.keyPath] = table.number += 1
      const key = ownKey ?? table.key(kept)
      table.rows.set(JSON.stringify(key), {key, value: kept})
      return key
    })
  }
  openCursor(range, direction = "next") {
    let found, at = -1
    const step = () => {
      found ??= direction === "prev" ? this.found(range).reverse() : this.found(range)
      at += 1
      return found[at] ? {value: clone(found[at][1]), continue: () => this.transaction.ask(step, request)} : null
    }
    const request = this.ask(step)
    return request
  }
}

class Transaction {
  constructor(db, names) {
    Object.assign(this, {db, queue: [], error: null})
    this.before = names.map(name => [db.tables[name], new Map(db.tables[name].rows)])
  }
  objectStore(name) { return new View(this, this.db.tables[name]) }
  ask(work, request = {}) {
    this.queue.push([work, request])
    return request
  }
  abort() {
    this.queue.length = 0
    this.isAborted = true
  }
  async run() {
    for (;;) {
      await new Promise(setImmediate)
      const next = this.queue.shift()
      if (!next) break
      const [work, request] = next
      request.result = work()
      request.onsuccess?.()
    }
    if (this.isAborted) for (const [table, rows] of this.before) table.rows = rows
    if (this.isAborted) this.onabort?.()
    else this.oncomplete?.()
  }
}

export class FakeIndexedDB {
  constructor() { Object.assign(this, {tables: null, cmp, last: Promise.resolve(), isFailing: false}) }
  open() {
    const request = {}
    setImmediate(() => {
      request.result = this
      if (!this.tables) {
        this.tables = {}
        request.onupgradeneeded?.()
      }
      request.onsuccess?.()
    })
    return request
  }
  createObjectStore(name, options) { return new View({ask: work => work()}, (this.tables[name] = new Table(options))) }
  transaction(names) {
    if (this.isFailing) throw new Error("the disk is broken")
    const transaction = new Transaction(this, names)
    this.last = this.last.then(() => {
      transaction.before = names.map(name => [this.tables[name], new Map(this.tables[name].rows)])
      return transaction.run()
    })
    return transaction
  }
}
