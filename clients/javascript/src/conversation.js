/** History by its own time, then live messages by their position. */
export const compare = (a, b) => {
  if (a.seq && b.seq) return a.seq - b.seq
  if (a.seq || b.seq) return a.seq ? 1 : -1
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** One conversation of a Chat: its entry in the list, and its messages from the first one that was loaded. */
export class Conversation {
  constructor(entry) {
    Object.assign(this, {entry, members: entry.members ?? [], receipts: [], readSeq: entry.readSeq, head: entry.head, later: new Map()})
    Object.assign(this, {known: new Map(), sorted: null, isOpen: false, hasOlder: false, loads: new Set(), typing: new Map()})
    Object.assign(this, {fresh: new Set(), rosters: 0})
  }

  get list() { return (this.sorted ??= [...this.known.values()].sort(compare)) }

  put(message) {
    this.known.set(message.id, message)
    this.sorted = null
  }

  drop(id) {
    this.known.delete(id)
    this.sorted = null
  }

  clear() {
    this.known = new Map()
    Object.assign(this, {sorted: null, isOpen: false})
    this.loads.clear()
  }

  /** Unread messages of others: what the server counted, and what came since. An upper bound while the position is in between. */
  unread(userId) {
    const {entry, readSeq} = this
    const came = [...this.later].filter(([seq, sender]) => seq > readSeq && sender !== userId).length
    if (readSeq >= entry.head) return came
    return came + (readSeq === entry.readSeq ? entry.unreadCount : Math.min(entry.unreadCount, entry.head - readSeq))
  }

  message(message) {
    for (const load of this.loads) load.set(message.id, message)
    if (message.seq > this.entry.head) this.later.set(message.seq, message.senderId)
    const isLast = message.seq >= this.head || this.entry.lastMessage?.id === message.id
    if (isLast) this.entry = {...this.entry, lastMessage: message, activeAt: message.timestamp}
    this.head = Math.max(this.head, message.seq ?? 0)
    this.typing.delete(message.senderId)
    // Between an older message and the first one here others may be missing.
    if (this.isOpen && (this.known.has(message.id) || this.reaches(message))) this.put(message)
  }

  reaches(message) { return !this.hasOlder || (this.list.length > 0 && compare(this.list[0], message) < 0) }

  deletion({messageId, seq}, userId) {
    for (const load of this.loads) load.set(messageId, null)
    const isCounted = seq > this.readSeq && seq <= this.entry.head && this.known.get(messageId)?.senderId !== userId
    if (isCounted) this.entry = {...this.entry, unreadCount: Math.max(0, this.entry.unreadCount - 1)}
    this.drop(messageId)
    this.later.delete(seq)
    if (this.entry.lastMessage?.id === messageId) this.entry = {...this.entry, lastMessage: this.list.at(-1)}
  }

  update({conversation, members, receipts}) {
    Object.assign(this, {entry: conversation, readSeq: conversation.readSeq, head: Math.max(this.head, conversation.head)})
    for (const seq of this.later.keys()) if (seq <= conversation.head) this.later.delete(seq)
    if (members) this.members = members
    if (receipts) Object.assign(this, {receipts, rosters: this.rosters + 1})
  }

  receipt(receipt, userId) {
    this.fresh.add(receipt.userId)
    this.receipts = [...this.receipts.filter(other => other.userId !== receipt.userId), receipt]
    if (receipt.userId === userId) this.readSeq = receipt.readSeq
  }

  /** Takes the receipts that `read` asks for, but for those that the feed brings meanwhile. */
  async loadReceipts(read) {
    const {rosters} = this
    const fresh = (this.fresh = new Set())
    const receipts = await read()
    if (rosters !== this.rosters || fresh !== this.fresh) return
    this.receipts = [...receipts.filter(({userId}) => !fresh.has(userId)), ...this.receipts.filter(({userId}) => fresh.has(userId))]
  }

  /** How far a message has come among the others who were members when it was sent. */
  delivery({seq, senderId}) {
    const others = this.receipts.filter(({userId, joinedSeq}) => userId !== senderId && joinedSeq < seq)
    if (others.some(({readSeq}) => readSeq >= seq)) return "read"
    return others.some(({deliveredSeq}) => deliveredSeq >= seq) ? "delivered" : "sent"
  }

  /** Adds a page that `read` asks for; what the feed brings meanwhile is newer. False if a limit made the page void. */
  async load(read, isFirst) {
    const load = new Map()
    this.loads.add(load)
    try {
      const page = await read()
      if (!this.loads.has(load)) return false
      this.merge(page, load, isFirst)
      return true
    } finally {
      this.loads.delete(load)
    }
  }

  merge({messages, hasOlder}, newer, isFirst) {
    if (isFirst) this.clear()
    const ids = new Set(messages.map(({id}) => id))
    for (const message of messages) if (!newer.has(message.id)) this.put(message)
    Object.assign(this, {isOpen: true, hasOlder})
    const first = [...messages].sort(compare)[0]
    const isInside = message => ids.has(message.id) || (isFirst && (!hasOlder || (first && compare(first, message) < 0)))
    for (const message of newer.values()) if (message && isInside(message)) this.put(message)
  }
}
