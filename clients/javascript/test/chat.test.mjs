import assert from "node:assert/strict"
import {test} from "node:test"
import {SignedOutError} from "../src/index.js"
import {World, entry, frame, message, problem, said, settle, snapshot} from "./world.mjs"

const shown = chat => chat.messages("pier").map(({text, pending}) => text + (pending ? "…" : ""))

/** A chat with two conversations, of which `pier` is open with `history`. */
const opened = async ({history = [message(1), message(2)], hasOlder = false, isOpen = true, more = {}, store} = {}) => {
  const world = new World()
  const page = messages => ({messages: [...messages].reverse(), hasOlder, hasNewer: false})
  world.history = history
  world.answer("GET /v1/sync", () =>
    ({body: snapshot(1, entry("pier", {head: 2, activeAt: "2026-01-01T00:00:02.000Z", ...more}), entry("quay"))}))
  world.answer("GET /v1/conversations/pier/messages", () => ({body: page(world.history)}))
  world.receipts = []
  world.answer("GET /v1/conversations/pier/receipts", () => ({body: {receipts: world.receipts}}))
  const chat = world.nexus().chat({store})
  await chat.ready
  if (isOpen) await chat.open("pier")
  await settle()
  world.sockets[0].open()
  let position = 1
  world.say = async (...changes) => {
    world.sockets.at(-1).say(frame((position += 1), ...changes))
    await settle()
  }
  world.tell = (...messages) => world.say(...messages.map(one => ({type: "message", message: one})))
  return {world, chat}
}

test("what is written appears in order, edits and deletions too", async () => {
  const {world, chat} = await opened()
  const heard = []
  chat.onChange(ids => heard.push(...ids))
  await world.tell(message(4), message(3))
  await world.tell(message(3, "better"))
  await world.say({type: "deletion", conversationId: "pier", messageId: "m1", seq: 1})
  assert.deepEqual(shown(chat), ["text 2", "better", "text 4"])
  assert.deepEqual(new Set(heard), new Set(["pier"]))
})

test("the list is sorted: pinned ones, then the last activity", async () => {
  const {world, chat} = await opened()
  assert.deepEqual(chat.conversations.map(({id}) => id), ["pier", "quay"])
  await world.tell(message(1, "new", {id: "q1", conversationId: "quay", timestamp: "2026-02-01T00:00:00.000Z"}))
  assert.deepEqual(chat.conversations.map(({id, lastMessage}) => [id, lastMessage?.text]), [["quay", "new"], ["pier", undefined]])
  await world.say({type: "conversation", conversation: entry("pier", {head: 2, preferences: {pinned: true}})})
  assert.deepEqual(chat.conversations.map(({id}) => id), ["pier", "quay"])
})

test("unread messages are counted from the server's number", async () => {
  const {world, chat} = await opened({isOpen: false, more: {unreadCount: 2}})
  await world.tell(message(3), message(4, "own", {senderId: "ada"}), message(5))
  assert.deepEqual([chat.conversation("pier").unreadCount, chat.unreadCount], [4, 4])
  await world.tell(message(5, "edited"))
  await world.say({type: "deletion", conversationId: "pier", messageId: "m3", seq: 3})
  assert.equal(chat.conversation("pier").unreadCount, 3)
  await world.say({type: "receipt", conversationId: "pier", receipt: {userId: "ben", readSeq: 5}})
  assert.equal(chat.conversation("pier").unreadCount, 3)
  await world.say({type: "receipt", conversationId: "pier", receipt: {userId: "ada", readSeq: 4}})
  assert.equal(chat.conversation("pier").unreadCount, 1)
  await world.say({type: "receipt", conversationId: "pier", receipt: {userId: "ada", readSeq: 5}})
  assert.equal(chat.conversation("pier").unreadCount, 0)
})

test("an own message shows at once and is replaced by the one of the feed", async () => {
  const {world, chat} = await opened()
  let answer
  world.answer("POST /v1/conversations/pier/messages", ({body}) =>
    new Promise(resolve => (answer = () => resolve({body: {messageId: "m3", seq: 3, localId: body.localId}}))))
  const sent = chat.post("pier", "mine")
  await settle()
  assert.deepEqual(shown(chat), ["text 1", "text 2", "mine…"])
  const {localId} = world.asked("POST /v1/conversations/pier/messages")[0].body
  await world.tell(message(3, "mine", {senderId: "ada", localId}))
  assert.deepEqual(shown(chat), ["text 1", "text 2", "mine"])
  answer()
  await sent
  assert.deepEqual(shown(chat), ["text 1", "text 2", "mine"])
})

test("a message that was written offline is sent when there is a connection, once and in order", async () => {
  const {world, chat} = await opened()
  world.isDown = true
  world.sockets[0].end()
  const sent = [chat.post("pier", "one"), chat.post("pier", "two")]
  await world.pass(200_000)
  assert.deepEqual([shown(chat).slice(2), chat.connection.state], [["one…", "two…"], "offline"])
  const arrived = new Map()
  world.answer("POST /v1/conversations/pier/messages", ({body}) => {
    arrived.set(body.localId, body.text)
    return {body: {messageId: `m${arrived.size + 2}`, seq: arrived.size + 2}}
  })
  world.isDown = false
  await world.pass(chat.connection.retryAt - world.time)
  world.sockets.at(-1).open()
  await settle()
  await Promise.all(sent)
  assert.deepEqual([...arrived.values()], ["one", "two"])
})

test("a message that waits goes with the first connection, not at its own next attempt", async () => {
  const {world, chat} = await opened()
  world.isDown = true
  world.sockets[0].end()
  await world.pass(31_500)
  const sent = chat.post("pier", "mine")
  world.answer("POST /v1/conversations/pier/messages", () => ({body: {messageId: "m3", seq: 3}}))
  await world.pass(29_000)
  world.isDown = false
  await world.pass(chat.connection.retryAt - world.time)
  assert.equal(chat.messages("pier").at(-1).seq, undefined)
  world.sockets.at(-1).open()
  await settle()
  assert.equal(chat.messages("pier").at(-1).seq, 3)
  await sent
})

test("a refused message stays with its error, to be sent again or dropped", async () => {
  const {world, chat} = await opened()
  world.answer("POST /v1/conversations/pier/messages", () => problem(413, "too_large"))
  await assert.rejects(chat.post("pier", "long"), {code: "too_large"})
  const [{localId, error}] = chat.messages("pier").slice(-1)
  assert.equal(error.code, "too_large")
  world.answer("POST /v1/conversations/pier/messages", ({body}) => ({body: {messageId: "m3", seq: 3, ...body}}))
  assert.equal((await chat.retry("pier", localId)).localId, localId)
  assert.deepEqual(world.asked("POST /v1/conversations/pier/messages").at(-1).body, {localId, text: "long"})
  chat.discard("pier", localId)
  assert.deepEqual(shown(chat), ["text 1", "text 2"])
})

test("what the feed brings while a page is loading is newer than the page", async () => {
  const {world, chat} = await opened({isOpen: false})
  let answer
  world.answer("GET /v1/conversations/pier/messages", () => new Promise(resolve => (answer = body => resolve({body}))))
  const loading = chat.open("pier")
  await settle()
  await world.tell(message(2, "edited"), message(3, "new"))
  await world.say({type: "deletion", conversationId: "pier", messageId: "m1", seq: 1})
  answer({messages: [message(2), message(1)], hasOlder: false, hasNewer: false})
  await loading
  assert.deepEqual(shown(chat), ["edited", "new"])
})

test("older messages are not shown behind a hole, and loaded page by page", async () => {
  const {world, chat} = await opened({history: [message(7), message(8)], hasOlder: true})
  await world.tell(message(3, "edited"), message(9))
  assert.deepEqual(shown(chat), ["text 7", "text 8", "text 9"])
  world.answer("GET /v1/conversations/pier/messages", ({query}) =>
    ({body: {messages: [message(6)], hasOlder: query.before !== "m7", hasNewer: true}}))
  await chat.loadOlder("pier")
  assert.deepEqual([shown(chat), chat.hasOlder("pier")], [["text 6", "text 7", "text 8", "text 9"], false])
})

test("a limited conversation is emptied at once and loaded again", async () => {
  const {world, chat} = await opened()
  let answer
  world.answer("GET /v1/conversations/pier/messages", () => new Promise(resolve => (answer = body => resolve({body}))))
  world.sockets[0].say({...frame(2), limited: ["pier"]})
  await settle()
  assert.deepEqual(shown(chat), [])
  answer({messages: [message(2)], hasOlder: false})
  await settle()
  assert.deepEqual(shown(chat), ["text 2"])
})

test("a page that was requested before a limit is void", async () => {
  const {world, chat} = await opened({isOpen: false})
  const answers = []
  world.answer("GET /v1/conversations/pier/messages", () => new Promise(resolve => answers.push(body => resolve({body}))))
  const loading = chat.open("pier")
  await settle()
  world.sockets[0].say({...frame(2), limited: ["pier"]})
  await settle()
  answers[0]({messages: [message(1, "secret")], hasOlder: false})
  await settle()
  assert.deepEqual(shown(chat), [])
  for (const answer of answers.slice(1)) answer({messages: [message(2)], hasOlder: false})
  await settle()
  for (const answer of answers.slice(2)) answer({messages: [message(2)], hasOlder: false})
  await loading
  assert.deepEqual(shown(chat), ["text 2"])
})

test("a new snapshot keeps what is on the screen until it is loaded again, and what waits", async () => {
  const {world, chat} = await opened()
  world.answer("POST /v1/conversations/pier/messages", () => new Promise(() => {}))
  chat.post("pier", "mine").catch(() => {})
  await settle()
  let answer
  world.answer("GET /v1/conversations/pier/messages", () => new Promise(resolve => (answer = body => resolve({body}))))
  world.sockets[0].say({type: "resync"})
  await settle()
  assert.deepEqual(shown(chat), ["text 1", "text 2", "mine…"])
  answer({messages: [message(5)], hasOlder: false})
  await settle()
  assert.deepEqual(shown(chat), ["text 5", "mine…"])
})

test("a conversation that was opened without a connection is loaded by the next one", async () => {
  const {world, chat} = await opened({isOpen: false})
  world.isDown = true
  world.sockets[0].end()
  const opening = chat.open("pier").catch(error => error)
  await world.pass(40_000)
  assert.equal((await opening).code, "unreachable")
  world.isDown = false
  await world.pass(40_000)
  world.sockets.at(-1).open()
  await settle()
  assert.deepEqual(shown(chat), ["text 1", "text 2"])
})

test("a conversation that the person left is gone, a new one appears", async () => {
  const {world, chat} = await opened()
  await world.say({type: "departure", conversationId: "pier"}, {type: "conversation", conversation: entry("dock")})
  assert.deepEqual([chat.conversations.map(({id}) => id).sort(), shown(chat)], [["dock", "quay"], []])
  world.answer("GET /v1/conversations/pier", () => problem(403, "conversation_forbidden"))
  await assert.rejects(chat.open("pier"), {code: "conversation_forbidden"})
})

test("who types, and who is there", async () => {
  const {world, chat} = await opened()
  world.sockets[0].say({type: "typing", conversationId: "pier", userId: "ben", milliseconds: 6_000})
  world.sockets[0].say({type: "presence", people: [{userId: "ben", status: "online"}]})
  await settle()
  assert.deepEqual([chat.typists("pier"), chat.presence("ben").status], [["ben"], "online"])
  await world.pass(6_000)
  assert.deepEqual(chat.typists("pier"), [])
  world.sockets[0].say({type: "typing", conversationId: "pier", userId: "ben", milliseconds: 6_000})
  await world.tell(message(3))
  assert.deepEqual(chat.typists("pier"), [])
})

test("notifications and settings follow the feed", async () => {
  const {world, chat} = await opened()
  for (const id of [1, 2]) await world.say({type: "notification", notification: {id, conversationId: "pier"}})
  assert.deepEqual(chat.notifications.map(({id}) => id), [2, 1])
  await world.say({type: "notifications", notifications: [{id: 2}]}, {type: "settings", settings: {timeZone: "Asia/Tokyo"}})
  assert.deepEqual([chat.notifications.map(({id}) => id), chat.settings.timeZone], [[2], "Asia/Tokyo"])
})

const receipt = (userId, readSeq, deliveredSeq = readSeq, joinedSeq = 0) => ({userId, readSeq, deliveredSeq, joinedSeq})
const receiptChange = one => ({type: "receipt", conversationId: "pier", receipt: one})

test("a message is sent, delivered, then read: by one of the others who were members", async () => {
  const {world, chat} = await opened({history: [message(2, "mine", {senderId: "ada"})]})
  const delivery = () => chat.delivery("pier", "m2")
  await world.say(receiptChange(receipt("ada", 2)), receiptChange(receipt("late", 2, 2, 2)), receiptChange(receipt("ben", 1)))
  assert.equal(delivery(), "sent")
  await world.say(receiptChange(receipt("ben", 1, 2)))
  assert.equal(delivery(), "delivered")
  await world.say(receiptChange(receipt("ben", 2)))
  assert.equal(delivery(), "read")
})

test("receipts are loaded with the conversation, and what the feed brings meanwhile is newer", async () => {
  const {world, chat} = await opened({isOpen: false})
  let answer
  world.answer("GET /v1/conversations/pier/receipts", () => new Promise(resolve => (answer = body => resolve({body}))))
  const opening = chat.open("pier")
  await settle()
  await world.say(receiptChange(receipt("ben", 2)))
  answer({receipts: [receipt("ben", 0), receipt("cy", 1)]})
  await opening
  assert.deepEqual(chat.conversation("pier").receipts.map(({userId, readSeq}) => [userId, readSeq]), [["cy", 1], ["ben", 2]])
})

test("reading marks the newest message", async () => {
  const {world, chat} = await opened()
  world.answer("POST /v1/conversations/pier/read", () => undefined)
  await chat.markRead("pier")
  assert.deepEqual(world.asked("POST /v1/conversations/pier/read").map(({body}) => body), [{upTo: "m2"}])
})

test("a session that is over ends the chat with its reason", async () => {
  const {world, chat} = await opened()
  world.answer("POST /v1/feed/ticket", () => problem(401, "token_expired"))
  world.sockets[0].end(3000)
  await world.pass(500)
  assert.ok(chat.error instanceof SignedOutError)
  assert.equal(chat.connection.state, "ended")
})

test("closing leaves no timer behind", async () => {
  const {world, chat} = await opened()
  world.sockets[0].say({type: "typing", conversationId: "pier", userId: "ben", milliseconds: 6_000})
  await settle()
  chat.close()
  await settle()
  assert.equal(world.timers.size, 0)
})
