// What a client knows after a snapshot, frames and pages: the same as NexusModel's ChatState.
// Frames that come twice change nothing, a missing one is found. Lists of messages change in place.

// The cursor: an epoch, a hyphen, and the positions of its lanes separated by full stops.
export const readCursor = text => {
  const match = /^([^-]+)-(\d+(?:\.\d+)*)$/.exec(text ?? "")
  return match && {text, epoch: match[1], positions: match[2].split(".").map(Number)}
}
// Grows with every frame of one log.
export const cursorSum = text => readCursor(text)?.positions.reduce((a, b) => a + b, 0) ?? 0

// History by its own time, then live messages by their position.
export const compare = (a, b) => {
  if (a.seq && b.seq) return a.seq - b.seq
  if (a.seq || b.seq) return a.seq ? 1 : -1
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

// Merges a batch into a sorted list, in place. O(1) for one message that is later than all.
export const mergeInto = (list, batch) => {
  const last = list.at(-1)
  if (batch.length === 1 && batch[0].seq && (!last || compare(last, batch[0]) < 0)) {
    const old = list.findIndex(message => message.id === batch[0].id)
    if (old >= 0) list.splice(old, 1)
    list.push(batch[0])
    return
  }
  if (!batch.length) return
  const changed = new Map(batch.map(message => [message.id, message]))
  const kept = []
  for (const message of list) {
    const next = changed.get(message.id)
    if (!next) kept.push(message)
    else if (!compare(next, message)) {
      kept.push(next)
      changed.delete(message.id)
    }
  }
  const added = [...changed.values()].sort(compare)
  list.length = 0
  let i = 0
  for (const message of added) {
    while (i < kept.length && compare(kept[i], message) < 0) list.push(kept[i++])
    list.push(message)
  }
  while (i < kept.length) list.push(kept[i++])
}

export const COUNT_LIMIT = 100

export class Conversation {
  constructor(entry) {
    Object.assign(this, {
      entry, members: entry.members ?? [], receipts: new Map(), list: [], isLoaded: false, hasEarlier: null,
      head: entry.head, readSeq: entry.readSeq, deleted: new Map(), deletedSeqs: new Map(), aside: new Map(),
      mentioning: new Set(), stamps: new Map(), receiptStamp: 0, hasRoster: false, unloads: 0,
    })
  }

  setReceipts(list) {
    this.receipts = new Map(list.map(receipt => [receipt.userId, receipt]))
    this.receiptStamp += 1
  }

  // The time of the newest message that is known.
  get activeAt() {
    const last = this.list.at(-1)
    return last?.seq && last.timestamp > this.entry.activeAt ? last.timestamp : this.entry.activeAt
  }

  unreadCount(userId) { return this.count(this.entry.unreadCount, message => message.senderId !== userId) }
  mentionCount(userId) {
    return this.count(this.entry.mentionCount, m => m.senderId !== userId && this.mentioning.has(m.id))
  }

  // Exact if all messages after the read position are known, or if nothing moved since the server counted.
  count(counted, isCounted) {
    const {list, readSeq, head, entry} = this
    let [total, own, later] = [0, 0, 0]
    for (let i = list.length - 1; i >= 0 && (list[i].seq ?? 0) > readSeq; i -= 1) {
      total += 1
      if (!isCounted(list[i])) continue
      own += 1
      if (list[i].seq > entry.head) later += 1
    }
    const reachesBack = this.hasEarlier === false || (list.length > 0 && (list[0].seq ?? 0) <= readSeq + 1)
    if (!reachesBack) for (const seq of this.deletedSeqs.keys()) if (seq > readSeq) total += 1
    if (reachesBack || total >= head - readSeq) return Math.min(own, COUNT_LIMIT)
    if (readSeq === entry.readSeq) return Math.min(counted + later, COUNT_LIMIT)
    // Reading on only makes fewer.
    return Math.min(COUNT_LIMIT, head - readSeq, readSeq > entry.readSeq ? counted + later : COUNT_LIMIT)
  }

  // How many of the others who were members read a message of this position, how many it reached, how many they are.
  readers(seq, sender) {
    let [read, delivered, members] = [0, 0, 0]
    for (const receipt of this.receipts.values()) {
      if (receipt.userId === sender || receipt.joinedSeq >= seq) continue
      members += 1
      if (receipt.readSeq >= seq) read += 1
      if (receipt.deliveredSeq >= seq) delivered += 1
    }
    return {read, delivered, members}
  }

  take(batch) {
    mergeInto(this.list, batch.filter(message => !this.deleted.has(message.id)))
    for (const message of batch) {
      this.head = Math.max(this.head, message.seq ?? 0)
      this.aside.delete(message.id)
    }
  }

  // Messages of a frame, without those that would leave a gap before the known ones.
  takeFromFrame(batch, head) {
    const first = this.list[0]
    if (!this.isLoaded || this.hasEarlier === false || head === undefined || !first) return this.take(batch)
    const known = new Set(this.list.map(message => message.id))
    const isOlder = m => (m.seq ?? 0) <= head && compare(m, first) < 0 && !known.has(m.id)
    const rest = batch.length === 1 && compare(first, batch[0]) < 0 ? batch : batch.filter(message => {
      if (isOlder(message)) this.aside.set(message.id, message)
      return !isOlder(message)
    })
    this.take(rest)
  }

  delete(id, seq, userId) {
    const at = this.list.findLastIndex(message => message.id === id)
    const [known] = at < 0 ? [] : this.list.splice(at, 1)
    const isForeign = known ? known.senderId !== userId : this.deleted.get(id) ?? true
    const position = seq ?? known?.seq
    this.deleted.set(id, isForeign)
    this.aside.delete(id)
    if (position) {
      this.deletedSeqs.set(position, isForeign)
      this.head = Math.max(this.head, position)
    }
    this.mentioning.delete(id)
  }

  takeEntry(entry) {
    this.entry = entry
    this.head = Math.max(this.head, entry.head)
    this.readSeq = entry.readSeq
    if (entry.members) this.members = entry.members
  }

  // Drops messages before a page, because others may be missing between them.
  dropBefore(page) {
    if (!page.length) return
    const first = page.reduce((a, b) => (compare(b, a) < 0 ? b : a))
    const at = this.list.findIndex(message => compare(message, first) >= 0)
    this.list.splice(0, at < 0 ? this.list.length : at)
  }

  // Keeps the newest messages in memory.
  trim(count, userId) {
    if (this.list.length <= count) return
    this.rebase(userId)
    this.list.splice(0, this.list.length - count)
    this.hasEarlier = true
  }

  // The entry of the list as of now.
  summary(userId) {
    const {entry, list, members, readSeq, head} = this
    const last = list.at(-1)
    const {lastMessage} = entry
    const isGone = lastMessage && this.deleted.has(lastMessage.id)
    const isLater = last && (isGone || !lastMessage || last.timestamp >= lastMessage.timestamp)
    const pick = ({id, senderId, senderName, text, timestamp, attachments}) =>
      ({id, senderId, senderName, text: text.slice(0, 300), timestamp, hasFiles: Boolean(attachments?.length)})
    const unreadCount = this.unreadCount(userId)
    const isUnread = message => (message.seq ?? 0) > readSeq && message.senderId !== userId
    const isKnown = this.hasEarlier === false || (list.length > 0 && (list[0].seq ?? 0) <= readSeq + 1)
    const first = list.find(isUnread)?.id
    return {
      ...entry, admins: entry.admins ?? [], members, readSeq, head, unreadCount, mentionCount: this.mentionCount(userId),
      firstUnreadId: unreadCount ? (isKnown ? first : entry.readSeq === readSeq ? entry.firstUnreadId ?? first : first) : undefined,
      lastMessage: isLater ? pick(last) : isGone ? undefined : lastMessage, activeAt: this.activeAt,
    }
  }

  // Counts that the known messages no longer tell become part of the entry.
  rebase(userId) {
    const {members, ...entry} = this.summary(userId)
    this.entry = entry
  }

  // Its messages are not known any more, and some may not be read any more: they are asked for again.
  unload() {
    this.list = []
    this.unloads += 1
    Object.assign(this, {isLoaded: false, hasEarlier: null, deletedSeqs: new Map(), aside: new Map()})
  }

  // Messages of a page that was requested after the frame `start`. Messages that changed since then have newer versions
  // here: the list has those already, but a separate list (`isApart`) gets them.
  newest(page, start, isApart = true) {
    const known = message => this.aside.get(message.id) ?? (isApart ? this.list.find(({id}) => id === message.id) : undefined)
    return page.map(m => ((this.stamps.get(m.id) ?? 0) <= start ? m : known(m))).filter(m => m && !this.deleted.has(m.id))
  }

  // The frame in which a message ("" for the members, "\0user" for a receipt) last changed; bounded.
  stamp(key, frame) {
    this.stamps.delete(key)
    this.stamps.set(key, frame)
    if (this.stamps.size > 4000) for (const old of this.stamps.keys()) {
      if (this.stamps.size <= 3000) break
      this.stamps.delete(old)
    }
  }
}

export class ChatState {
  constructor(userId = null) {
    Object.assign(this, {
      userId, cursor: null, conversations: new Map(), settings: null, notifications: [], frameCount: 0,
    })
  }

  // Pinned ones first, then by last activity.
  get list() {
    return [...this.conversations.values()]
      .map(c => ({c, pinned: c.entry.preferences.pinned, at: c.activeAt}))
      .sort((a, b) => b.pinned - a.pinned || (a.at < b.at ? 1 : a.at > b.at ? -1 : a.c.entry.id < b.c.entry.id ? -1 : 1))
      .map(({c}) => c)
  }

  reset(snapshot) {
    this.cursor = snapshot.cursor
    this.conversations = new Map(snapshot.conversations.map(entry => [entry.id, new Conversation(entry)]))
    if (snapshot.settings) this.settings = snapshot.settings
    this.notifications = snapshot.notifications ?? []
  }

  // "applied", "known" (it was applied before) or "gap" (a frame before it is missing).
  outcome(frame) {
    const [own, next] = [readCursor(this.cursor), readCursor(frame.cursor)]
    const position = own?.positions[frame.lane ?? 0]
    if (!own || !next || own.epoch !== next.epoch || position === undefined) return "gap"
    if (frame.pos <= position) return "known"
    return frame.prev === position ? "applied" : "gap"
  }

  // Returns the outcome. `touched` collects the ids of changed conversations.
  apply(frame, touched = new Set()) {
    const outcome = this.outcome(frame)
    if (outcome !== "applied") return outcome
    this.frameCount += 1
    this.applyChanges(frame.changes, touched)
    for (const id of frame.limited ?? []) {
      this.conversations.get(id)?.unload()
      touched.add(id)
    }
    this.cursor = frame.cursor
    return "applied"
  }

  // Nothing changed up to a cursor.
  move(text) {
    const [own, next] = [readCursor(this.cursor), readCursor(text)]
    const isLater = own && next && own.epoch === next.epoch && own.positions.length === next.positions.length &&
      next.positions.every((position, lane) => position >= own.positions[lane])
    if (isLater) this.cursor = text
    return Boolean(isLater)
  }

  // Adds a page of the history; what frames brought since `start` is newer.
  merge(page, id, start) {
    const c = this.conversations.get(id)
    if (!c) return
    const hasOlder = page.hasOlder ?? Boolean(page.next)
    if (!c.isLoaded && hasOlder) c.dropBefore(page.messages)
    const oldest = c.list[0]
    c.take(c.newest(page.messages, start, false))
    c.isLoaded = true
    // Only a page that begins earlier says what is before it.
    if (c.hasEarlier === null || c.list[0] !== oldest) c.hasEarlier = hasOlder
  }

  setMembers(members, receipts, id, start) {
    const c = this.conversations.get(id)
    if (!c || (c.stamps.get("") ?? 0) > start) return
    c.members = members.filter(member => !member.leftAt)
    c.hasRoster = true
    const newer = [...c.receipts.values()].filter(receipt => (c.stamps.get("\0" + receipt.userId) ?? 0) > start)
    c.setReceipts([...receipts, ...newer])
  }

  // Messages of one conversation that follow each other are one batch.
  applyChanges(changes, touched) {
    const batches = new Map()
    const heads = new Map()
    const flush = id => {
      const batch = batches.get(id)
      if (!batch) return
      batches.delete(id)
      this.conversations.get(id)?.takeFromFrame(batch, heads.get(id))
    }
    for (const change of changes) {
      const id = change.message?.conversationId ?? change.conversation?.id ?? change.conversationId
      if (id === undefined || change.type === "notification") {
        this.applyPersonal(change)
        continue
      }
      touched.add(id)
      const c = this.conversations.get(id)
      if (!heads.has(id)) heads.set(id, c?.head)
      if (change.type !== "message") {
        flush(id)
        this.applyOne(change, id)
        continue
      }
      if (!batches.has(id)) batches.set(id, [])
      batches.get(id).push(change.message)
      c?.stamp(change.message.id, this.frameCount)
      const mentionsUser = (change.mentions ?? []).some(mention => mention.userId === this.userId)
      c?.mentioning[mentionsUser ? "add" : "delete"](change.message.id)
    }
    for (const id of [...batches.keys()]) flush(id)
  }

  applyPersonal(change) {
    if (change.type === "settings") this.settings = change.settings
    if (change.type === "notifications") this.notifications = change.notifications ?? []
    if (change.type === "notification") {
      const {notification} = change
      const others = this.notifications.filter(({id}) => id !== notification.id)
      this.notifications = [notification, ...others].sort((a, b) => b.id - a.id).slice(0, 100)
    }
  }

  applyOne(change, id) {
    let c = this.conversations.get(id)
    switch (change.type) {
      case "conversation":
        if (!c) this.conversations.set(id, (c = new Conversation(change.conversation)))
        c.stamp("", this.frameCount)
        c.takeEntry(change.conversation)
        c.members = change.members ?? []
        c.hasRoster = true
        c.setReceipts(change.receipts ?? [])
        break
      case "departure":
        this.conversations.delete(id)
        break
      case "deletion":
        c?.stamp(change.messageId, this.frameCount)
        c?.delete(change.messageId, change.seq, this.userId)
        break
      case "receipt":
        if (!c) break
        c.stamp("\0" + change.receipt.userId, this.frameCount)
        c.receipts.set(change.receipt.userId, change.receipt)
        c.receiptStamp += 1
        if (change.receipt.userId === this.userId) c.readSeq = change.receipt.readSeq
    }
  }
}
