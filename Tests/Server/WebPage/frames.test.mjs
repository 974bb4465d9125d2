// The reducers of the page against the frames of the server and the rules of NexusModel's ChatStateTests.
import assert from "node:assert/strict"
import {readFileSync} from "node:fs"
import {test} from "node:test"
import {ChatState, compare, mergeInto, readCursor} from "../../../Sources/Server/WebPage/Files/data/reducers.js"

const wire = name => JSON.parse(readFileSync(new URL(`../../Fixtures/Wire/${name}.json`, import.meta.url), "utf8"))
const entry = (id, {head = 0, unread = 0} = {}) => ({
  id, kind: "group", visibility: "members", name: id, head, activeAt: "2026-10-07", readSeq: 0, unreadCount: unread,
  mentionCount: 0, preferences: {muted: false, archived: false, pinned: false},
})
const state = (ids, {position = 0, ...fields} = {}) => {
  const made = new ChatState("ada")
  made.reset({cursor: `2f-${position}`, conversations: ids.map(id => entry(id, fields))})
  return made
}
const message = (seq, text = "text", {id = `m${seq ?? 0}`, by = "ben", place = "pier"} = {}) => ({
  id, conversationId: place, senderId: by, senderName: by, text, timestamp: "2026-10-07T10:20:53.000Z", ...(seq && {seq}),
})
const written = (seq, text, options, mentions) => ({type: "message", message: message(seq, text, options), ...(mentions && {mentions})})
const frame = (pos, changes, fields = {}) => ({v: 1, lane: 0, prev: pos - 1, pos, cursor: `2f-${pos}`, changes, ...fields})
const receipt = (userId, readSeq, fields = {}) => ({userId, readSeq, deliveredSeq: 0, joinedSeq: 0, ...fields})
const seen = made => [...made.conversations].sort().map(([id, c]) => ({
  id, entry: c.entry, members: c.members, list: c.list, head: c.head, readSeq: c.readSeq, isLoaded: c.isLoaded,
  hasEarlier: c.hasEarlier, receipts: [...c.receipts].sort(), deleted: [...c.deleted].sort(), mentioning: [...c.mentioning].sort(),
  deletedSeqs: [...c.deletedSeqs].sort((a, b) => a[0] - b[0]), aside: [...c.aside].sort(),
}))

test("the server's snapshot, frame and heartbeat", () => {
  const made = new ChatState("ada")
  made.reset(wire("sync"))
  const harbor = made.conversations.get("harbor")
  assert.deepEqual([harbor.unreadCount("ada"), harbor.mentionCount("ada"), harbor.members.length], [2, 1, 2])
  assert.equal(made.settings.hideLastSeen, true)

  const touched = new Set()
  assert.equal(made.apply(wire("frame"), touched), "applied")

  assert.deepEqual(harbor.list.map(({id, text, seq, localId}) => [id, text, seq, localId]), [["m4", "@Ada look", 4, "local-4"]])
  assert.deepEqual([harbor.head, harbor.mentioning.has("m4"), harbor.deletedSeqs.has(2)], [4, true, true])
  assert.deepEqual([harbor.receipts.get("ben").readSeq, harbor.receipts.get("ben").deliveredSeq], [3, 4])
  assert.deepEqual(made.conversations.get("pier").members.map(({userId}) => userId), ["ada"])
  assert.deepEqual([...touched].sort(), ["dock", "harbor", "pier", "quay"])
  assert.equal(made.cursor, "2f-12")
  assert.equal(made.move(wire("heartbeat").cursor), true)
  assert.equal(made.apply(wire("frame")), "known")
})

test("a change of a later server has no effect", () => {
  const made = state(["pier"])
  assert.equal(made.apply({...frame(1, [{type: "poll", poll: {id: 3}}, {type: "threads", more: 1}]), news: true}), "applied")
})

for (const text of ["", "-1", "2f", "2f-", "2f--1", "2f-1.x", "2f-1..2"]) {
  test(`no cursor: "${text}"`, () => assert.equal(readCursor(text), null))
}

test("a frame that comes twice changes nothing", () => {
  const made = state(["pier"])
  const next = frame(1, [written(1)])
  assert.equal(made.apply(next), "applied")
  const once = structuredClone(seen(made))
  assert.equal(made.apply(next), "known")
  assert.deepEqual(seen(made), once)
  assert.equal(made.cursor, "2f-1")
})

test("a missing frame is a gap and changes nothing", () => {
  const made = state(["pier"], {position: 4})
  assert.equal(made.apply(frame(6, [written(1)])), "gap")
  assert.equal(made.apply({...frame(5, []), cursor: "30-5"}), "gap")
  assert.equal(made.apply({...frame(5, []), lane: 1}), "gap")
  assert.deepEqual([made.conversations.get("pier").list, made.cursor], [[], "2f-4"])
})

test("a heartbeat moves the cursor only forward", () => {
  const made = state(["pier"], {position: 4})
  assert.deepEqual([made.move("2f-9"), made.move("2f-3"), made.move("30-12")], [true, false, false])
  assert.equal(made.cursor, "2f-9")
})

test("messages are in their order and a deleted one stays deleted", () => {
  const made = state(["pier"])
  const start = made.frameCount
  made.apply(frame(1, [written(3), written(1), written(2, "first"), {type: "deletion", conversationId: "pier", messageId: "m1", seq: 1}]))
  made.apply(frame(2, [written(2, "edited")]))
  made.merge({messages: [message(2, "first"), message(1), message(null, "text", {id: "old"})]}, "pier", start)

  const place = made.conversations.get("pier")
  assert.deepEqual(place.list.map(({id}) => id), ["old", "m2", "m3"])
  assert.equal(place.list[1].text, "edited")
  assert.deepEqual([place.isLoaded, place.hasEarlier, place.head], [true, false, 3])
})

test("a page that was asked for later is newer", () => {
  const made = state(["pier"])
  made.apply(frame(1, [written(1, "first")]))
  made.merge({messages: [message(1, "edited")], next: "m1"}, "pier", made.frameCount)
  assert.deepEqual(made.conversations.get("pier").list.map(({text}) => text), ["edited"])
  assert.equal(made.conversations.get("pier").hasEarlier, true)
})

test("an edit of a message before the known ones leaves no gap, and is newer than its page", () => {
  const made = state(["pier"], {head: 9})
  made.merge({messages: [message(9), message(8)], hasOlder: true}, "pier", made.frameCount)
  const start = made.frameCount
  made.apply(frame(1, [written(2, "edited"), written(10)]))
  assert.deepEqual(made.conversations.get("pier").list.map(({seq}) => seq), [8, 9, 10])
  made.merge({messages: [3, 2].map(seq => message(seq)), hasOlder: true}, "pier", start)
  assert.deepEqual(made.conversations.get("pier").list.map(({seq, text}) => `${seq} ${text}`).slice(0, 2), ["2 edited", "3 text"])
})

test("unread messages are counted from what the server counted", () => {
  const made = state(["pier"], {head: 5, unread: 2})
  const place = made.conversations.get("pier")
  const counts = () => [place.unreadCount("ada"), place.mentionCount("ada")]
  made.apply(frame(1, [written(6, "a", {}, [{userId: "ada", start: 0, end: 4}]), written(7, "b", {by: "ada"})]))
  assert.deepEqual(counts(), [3, 1])
  made.apply(frame(2, [{type: "receipt", conversationId: "pier", receipt: receipt("ada", 5)}]))
  assert.deepEqual(counts(), [1, 1])
  made.apply(frame(3, [{type: "deletion", conversationId: "pier", messageId: "m6", seq: 6}]))
  assert.deepEqual(counts(), [0, 0])
})

test("reading on among messages that are not known adds no mentions", () => {
  const made = state(["pier"], {head: 700, unread: 100})
  const place = made.conversations.get("pier")
  made.apply(frame(1, [{type: "receipt", conversationId: "pier", receipt: receipt("ada", 50)}]))
  assert.deepEqual([place.unreadCount("ada"), place.mentionCount("ada")], [100, 0])
})

test("counts survive that messages leave the memory", () => {
  const made = state(["pier"], {head: 5, unread: 2})
  const place = made.conversations.get("pier")
  made.apply(frame(1, [6, 7, 8].map(seq => written(seq))))
  place.trim(1, "ada")
  assert.equal(place.unreadCount("ada"), 5)
  made.apply(frame(2, [written(9)]))
  assert.equal(place.unreadCount("ada"), 6)
  assert.equal(place.summary("ada").lastMessage.id, "m9")
})

test("readers are those who were members and read so far", () => {
  const made = state(["pier"])
  const receipts = [receipt("ada", 4), receipt("ben", 4), receipt("cleo", 1, {deliveredSeq: 4}), receipt("dan", 4, {joinedSeq: 4})]
  made.apply(frame(1, [{type: "conversation", conversation: entry("pier"), members: [], receipts}]))
  assert.deepEqual(made.conversations.get("pier").readers(3, "ada"), {read: 1, delivered: 1, members: 2})
})

test("a limited conversation is loaded again and a departed one is gone", () => {
  const made = state(["pier", "quay"])
  made.apply(frame(1, [written(1)]))
  made.merge({messages: []}, "pier", made.frameCount)
  made.apply(frame(2, [{type: "departure", conversationId: "quay"}], {limited: ["pier"]}))
  assert.deepEqual([...made.conversations.keys()], ["pier"])
  assert.deepEqual([made.conversations.get("pier").isLoaded, made.conversations.get("pier").list], [false, []])
})

test("notifications are added, replaced and bounded", () => {
  const made = state(["pier"])
  const news = Array.from({length: 120}, (_, i) => ({type: "notification", notification: {id: i + 1, text: "a", conversationId: "pier"}}))
  made.apply(frame(1, news))
  made.apply(frame(2, [{type: "notification", notification: {id: 120, text: "b", conversationId: "pier"}}]))
  assert.deepEqual([made.notifications.length, made.notifications[0].text, made.notifications[1].id], [100, "b", 119])
  made.apply(frame(3, [{type: "notifications", notifications: []}]))
  assert.deepEqual(made.notifications, [])
})

const random = seed => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
  return (value ^ (value >>> 14)) >>> 0
}
const anyChange = next => {
  const [place, seq, user] = [["pier", "quay"][next() % 2], (next() % 30) + 1, ["ada", "ben", "cleo"][next() % 3]]
  const kind = next() % 10
  if (kind === 0) return {type: "deletion", conversationId: place, messageId: `m${seq}`, seq}
  if (kind === 1) return {type: "receipt", conversationId: place, receipt: receipt(user, seq)}
  if (kind === 2) {
    const conversation = entry(place, {head: seq, unread: seq})
    return {type: "conversation", conversation, members: [{userId: user, name: user}], receipts: [receipt(user, seq)]}
  }
  if (kind === 3) return {type: "poll"}
  if (kind === 4) return next() % 8 ? {type: "threads"} : {type: "departure", conversationId: place}
  const mentions = next() % 3 ? [] : [{userId: "ada", start: 0, end: 4}]
  return written(seq, `text ${next() % 5}`, {by: ["ada", "ben", "cleo"][seq % 3], place}, mentions)
}
test("changes may come twice and frames in any pieces", () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const next = random(seed)
    const changes = Array.from({length: 200}, () => anyChange(next))
    const [once, twice, pieces] = [1, 2, 3].map(() => state(["pier", "quay"]))
    for (const [i, change] of changes.entries()) {
      assert.equal(once.apply(structuredClone(frame(i + 1, [change]))), "applied")
      assert.equal(twice.apply(structuredClone(frame(i + 1, [change, change]))), "applied")
      assert.equal(twice.apply(frame(i + 1, [change])), "known")
    }
    for (let at = 0; at < changes.length; ) {
      const end = Math.min(at + 1 + (next() % 9), changes.length)
      assert.equal(pieces.apply({...frame(end, changes.slice(at, end)), prev: at}), "applied")
      at = end
    }
    assert.deepEqual(seen(twice), seen(once))
    assert.deepEqual(seen(pieces), seen(once))
    for (const {list} of once.conversations.values()) {
      const positions = list.map(({seq}) => seq)
      assert.deepEqual(positions, [...new Set(positions)].sort((a, b) => a - b))
    }
  }
})

test("a batch that is merged equals a sort", () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const next = random(seed)
    const all = new Map()
    const list = []
    for (let i = 0; i < 20; i += 1) {
      const batch = Array.from({length: next() % 4}, () => {
        const seq = next() % 40
        return seq < 10 ? message(null, `t${next()}`, {id: `h${seq}`}) : message(seq, `t${next()}`)
      })
      for (const one of batch) all.set(one.id, one)
      mergeInto(list, batch)
      assert.deepEqual(list, [...all.values()].sort(compare))
    }
  }
})
