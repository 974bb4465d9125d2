import assert from "node:assert/strict"
import {test} from "node:test"
import {Backoff} from "../../../Sources/Server/WebPage/Files/data/feed.js"
import {settle, world} from "./support/world.mjs"

const texts = (store, id = "pier") => store.messages(id).items.map(message => message.text)
const tickets = server => server.requests.filter(route => route === "POST /v1/feed/ticket").length
const opened = async options => {
  const made = await world(options)
  made.store.open("pier")
  await made.store.load("pier")
  return made
}

test("waits of 1, 2, 4, 8, 16, 30 s with jitter, not shorter than the server asks", () => {
  const full = new Backoff(() => 1)
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map(() => full.next() / 1000), [1, 2, 4, 8, 16, 30, 30])
  full.reset()
  assert.deepEqual([full.next(9), full.next(1000), new Backoff(() => 0.25).next()], [9000, 300_000, 250])
})

test("a first start takes a snapshot, then what comes", async () => {
  const {server, store} = await opened()
  assert.deepEqual([store.connection.state, texts(store)], ["live", ["text 1", "text 2", "text 3"]])
  server.say("pier", "ben", "new")
  await settle()
  assert.equal(texts(store).at(-1), "new")
  assert.equal(server.requests.filter(route => route === "GET /v1/sync").length, 1)
})

test("a lost connection resumes at the cursor: nothing is lost or doubled", async () => {
  const {server, store, clock} = await opened()
  server.say("pier", "ben", "a")
  await settle()
  server.stop()
  await settle()
  assert.deepEqual([store.connection.state, store.connection.retryAt], ["offline", clock.now + 1000])
  server.isDown = false
  server.say("pier", "ben", "b")
  await clock.pass(1000)
  assert.deepEqual(texts(store).slice(3), ["a", "b"])
  assert.equal(server.requests.filter(route => route === "GET /v1/sync").length, 1)
  assert.equal(store.connection.state, "live")
})

test("a resumed connection that was told nothing is live after a second", async () => {
  const {server, store, clock} = await opened()
  server.stop()
  server.isDown = false
  await clock.pass(1000)
  assert.equal(store.connection.state, "catchingUp")
  await clock.pass(1000)
  assert.equal(store.connection.state, "live")
})

test("a browser that comes online tries at once, and waits 1 s again after that", async () => {
  const {server, page, store, clock} = await opened()
  server.stop()
  await clock.pass(10_000)
  page.online()
  await settle()
  assert.equal(store.connection.retryAt, clock.now + 1000)
  server.isDown = false
  page.online()
  await settle()
  assert.equal(store.connection.state, "catchingUp")
})

test("a browser that goes offline says so, although the socket has not noticed", async () => {
  const {page, store, server, clock} = await opened()
  page.offline()
  assert.deepEqual([store.connection.state, server.sockets.length], ["offline", 0])
  await clock.pass(3000)
  assert.equal(store.connection.state, "live")
})

test("Retry-After is kept, unless the person asks", async () => {
  const {server, page, store, clock} = await opened()
  server.faults.push({route: "ticket", status: 503, retryAfter: 60})
  server.stop()
  server.isDown = false
  await clock.pass(1000)
  assert.equal(store.connection.retryAt, clock.now + 60_000)
  page.online()
  await settle()
  assert.equal(store.connection.state, "offline")
  store.retryNow()
  await settle()
  assert.equal(store.connection.state, "catchingUp")
})

test("nobody is known to be there while there is no connection", async () => {
  const {server, page, store} = await opened()
  page.socket().emit({type: "presence", people: [{userId: "ben", status: "online"}]})
  assert.equal(store.presence("ben").status, "online")
  server.stop()
  assert.equal(store.presence("ben").status, "offline")
})

test("attempts become rarer while the server is away", async () => {
  const {server, clock} = await opened()
  const before = tickets(server)
  server.stop()
  await clock.pass(61_000)
  assert.equal(tickets(server) - before, 6)
})

test("a missing frame is found: the client resumes at its cursor", async () => {
  const {server, store, clock, page} = await opened()
  const socket = page.socket()
  server.conversations.get("pier")
  server.sockets = []
  server.say("pier", "ben", "a")
  server.say("pier", "ben", "b")
  socket.position = 1
  server.sockets = [socket]
  server.deliver(socket)
  assert.equal(store.connection.state, "offline")
  await clock.pass(1000)
  assert.deepEqual(texts(store).slice(3), ["a", "b"])
})

test("another log begins with a snapshot", async () => {
  const {server, store, clock} = await opened()
  server.stop()
  server.isDown = false
  server.epoch = "30"
  server.log = []
  server.store(server.conversations.get("pier"), {senderId: "ben", text: "restored"})
  await clock.pass(5000)
  assert.deepEqual([store.connection.state, texts(store).at(-1)], ["live", "restored"])
  assert.equal(server.requests.filter(route => route === "GET /v1/sync").length, 2)
})

const isAtMessage = store => store.messages("pier").anchor === "m500" && texts(store).includes("text 500")

test("a conversation that opens at a message stays there though the disk is slow", async () => {
  const {store, browser, clock} = await world({conversations: {pier: {count: 1000}}, isSigningIn: false})
  await store.pickUser("ada")
  let proceed
  const gate = new Promise(resolve => { proceed = resolve })
  const {reset} = store.disk
  store.disk.reset = function (...values) {
    browser.factory.last = browser.factory.last.then(() => gate)
    return reset.apply(this, values)
  }
  store.open("pier")
  const jump = store.arrival("pier").then(() => store.jump("pier", "m500"))
  await clock.pass(0)
  proceed()
  await jump
  await clock.pass(0)
  assert.ok(isAtMessage(store))
})

test("a conversation opens at a message though the first snapshot takes a minute", async () => {
  const {store, server, clock} = await world({conversations: {pier: {count: 1000}}, isSigningIn: false})
  server.faults.push({route: "GET /v1/sync", act: () => new Promise(resolve => clock.set(resolve, 60_000))})
  await store.pickUser("ada")
  store.open("pier")
  const jump = store.arrival("pier").then(() => store.jump("pier", "m500"))
  await clock.pass(61_000)
  await jump
  assert.ok(isAtMessage(store))
})

test("waiting for a conversation that does not come ends after 5 s", async () => {
  const {store, clock} = await world()
  let isOver = false
  store.arrival("quay").then(() => { isOver = true })
  await clock.pass(4_900)
  assert.equal(isOver, false)
  await clock.pass(200)
  assert.equal(isOver, true)
})

test("a message of an unknown conversation begins with a snapshot", async () => {
  const {server, store, clock} = await opened()
  server.add("quay")
  server.say("quay", "ben", "hello")
  await clock.pass(5000)
  await store.load("quay")
  assert.deepEqual(texts(store, "quay"), ["hello"])
})

test("the list does not show a deleted message", async () => {
  const {server, store} = await opened()
  assert.equal(store.conversation("pier").lastMessage.text, "text 3")
  server.tell([{type: "deletion", conversationId: "pier", messageId: "m3", seq: 3}])
  await settle()
  assert.equal(store.conversation("pier").lastMessage.text, "text 2")
})

test("people of conversations that were never opened are asked for once", async () => {
  const {server, store} = await world({conversations: {pier: {count: 1, members: ["ada", "cleo"]}}})
  store.people()
  await settle()
  assert.ok(store.people().some(({id}) => id === "cleo"))
  assert.equal(server.requests.filter(route => route === "GET /v1/conversations/pier").length, 1)
})

test("a limited conversation on the screen is loaded again", async () => {
  const {server, store} = await opened()
  server.conversations.get("pier").messages[0].text = "edited"
  server.tell([], {limited: ["pier"]})
  await settle()
  assert.deepEqual(texts(store), ["edited", "text 2", "text 3"])
})

// After the next page of messages was read, and before it arrives, `act` happens.
const beforeTheNextPage = (server, act) => {
  const answer = server.answer.bind(server)
  server.answer = (route, ...rest) => {
    const reply = answer(route, ...rest)
    if (route.endsWith("/messages")) {
      server.answer = answer
      act()
    }
    return reply
  }
}
// The rights of the person became narrower: the first messages can no longer be read.
const narrow = (server, count) => {
  const place = server.conversations.get("pier")
  place.messages.splice(0, count)
  server.tell([{type: "conversation", conversation: server.entry(place, "ada"), members: [], receipts: []}], {limited: ["pier"]})
}

test("messages that may no longer be read leave the screen, the memory and the disk", async () => {
  const {browser, page, server, store} = await opened()
  narrow(server, 2)
  await settle()
  assert.deepEqual(texts(store), ["text 3"])
  assert.deepEqual((await store.disk.find(({text}) => text.includes("text"), 9)).map(({text}) => text), ["text 3"])
  await browser.close(page)
  server.isDown = true
  const next = await browser.open()
  await next.store.load("pier").catch(() => {})
  assert.deepEqual(texts(next.store), ["text 3"])
})

test("a page that was read before rights became narrower is asked for again", async () => {
  const {server, store} = await world({conversations: {pier: {count: 3}}})
  store.open("pier")
  beforeTheNextPage(server, () => narrow(server, 2))
  await store.load("pier")
  await settle()
  assert.deepEqual(texts(store), ["text 3"])
  assert.deepEqual((await store.disk.find(({text}) => text.includes("text"), 9)).map(({text}) => text), ["text 3"])
})

test("an earlier page, or a jump, that was read before rights became narrower is not shown", async () => {
  for (const load of [store => store.loadOlder("pier"), store => store.jump("pier", "m10")]) {
    const {server, store} = await world({conversations: {pier: {count: 120}}})
    store.open("pier")
    await store.load("pier")
    beforeTheNextPage(server, () => narrow(server, 118))
    await load(store).catch(() => {})
    await settle()
    assert.deepEqual(texts(store), ["text 119", "text 120"])
    assert.equal((await store.disk.find(({text}) => text.includes("text"), 99)).length, 2)
  }
})

test("says what was received at most every 2 s, that the person is there, and what is open", async () => {
  const {server, page, clock} = await opened()
  const said = type => page.socket().said.filter(message => message.type === type)
  for (let i = 0; i < 5; i += 1) server.say("pier", "ben", "a")
  await settle()
  assert.equal(said("ack").length, 1)
  await clock.pass(2000)
  assert.deepEqual([said("ack").length, said("ack")[1].cursor], [2, "2f-5"])
  assert.deepEqual(said("open").at(-1), {type: "open", conversationId: "pier"})
  const before = said("active").length
  await clock.pass(50_000)
  assert.equal(said("active").length - before, 2)
  page.isVisible = false
  page.changed()
  assert.deepEqual([said("active").at(-1).active, said("open").at(-1)], [false, {type: "open"}])
})

test("a silent connection is lost after a minute", async () => {
  const {store, clock} = await opened()
  await clock.pass(59_000)
  assert.equal(store.connection.state, "live")
  await clock.pass(1500)
  assert.notEqual(store.connection.state, "live")
})

test("typing is said at most every 3 s and ends by itself", async () => {
  const {server, page, store, clock} = await opened()
  const said = () => page.socket().said.filter(message => message.type === "typing")
  for (let i = 0; i < 10; i += 1) {
    store.typing("pier", true)
    await clock.pass(500)
  }
  assert.equal(said().length, 2)
  store.typing("pier", false)
  store.typing("pier", false)
  assert.deepEqual([said().length, said()[2].typing], [3, false])

  page.socket().emit({type: "typing", conversationId: "pier", userId: "ben", milliseconds: 6000})
  assert.deepEqual(store.typists("pier"), [{id: "ben", name: "ben"}])
  await clock.pass(6000)
  assert.deepEqual(store.typists("pier"), [])
  page.socket().emit({type: "typing", conversationId: "pier", userId: "ben", milliseconds: 6000})
  server.say("pier", "ben", "done")
  assert.deepEqual(store.typists("pier"), [])
})

test("reading marks are merged, go forward only and survive a lost connection", async () => {
  const {server, store, clock} = await opened()
  const marks = () => server.requests.filter(route => route.includes("/read")).length
  assert.equal(store.conversation("pier").unreadCount, 3)
  for (const id of ["m1", "m2", "m1"]) store.markRead("pier", id)
  assert.equal(store.conversation("pier").unreadCount, 1)
  await clock.pass(799)
  assert.equal(marks(), 0)
  await clock.pass(1)
  assert.deepEqual([marks(), server.conversations.get("pier").read.ada], [1, 2])
  server.stop()
  store.markRead("pier", "m3")
  await clock.pass(800)
  server.isDown = false
  await clock.pass(5000)
  assert.equal(server.conversations.get("pier").read.ada, 3)
})

test("all conversations are marked as read, each up to its newest message", async () => {
  const {server, store, clock} = await opened()
  const newest = store.conversation("pier").lastMessage.id
  store.markAllRead()
  assert.deepEqual(store.conversations.map(({unreadCount}) => unreadCount), store.conversations.map(() => 0))
  await clock.pass(800)
  const marks = server.requests.filter(route => route.includes("/read"))
  assert.equal(marks.length, 1)
  assert.equal(server.conversations.get("pier").read.ada, 3)
  assert.equal(newest, "m3")
})

test("receipts make the status of own messages", async () => {
  const {server, store} = await opened()
  await store.send("pier", {text: "a"})
  await settle()
  const last = () => store.messages("pier").items.at(-1)
  const receipt = fields => server.tell([{type: "receipt", conversationId: "pier", receipt: {userId: "ben", readSeq: 0, deliveredSeq: 0, joinedSeq: 0, ...fields}}])
  assert.deepEqual([last().status, last().readBy], ["sent", 0])
  receipt({deliveredSeq: 4})
  assert.equal(last().status, "delivered")
  receipt({deliveredSeq: 4, readSeq: 4})
  assert.deepEqual([last().status, last().readBy], ["read", 1])
  assert.equal(store.messages("pier").items[0].status, undefined)
})

test("an answer grows by its deltas, and a missing part is not glued", async () => {
  const {page, store} = await opened()
  const say = fields => page.socket().emit({type: "delta", answerId: "a1", ...fields})
  say({conversationId: "pier", start: 0, text: "👍 on"})
  say({start: 4, text: " Friday"})
  say({start: 90, text: "lost"})
  say({start: 11, text: ".", done: true, turnId: "t1"})
  assert.deepEqual(store.answers.get("a1"), {text: "👍 on Friday.", done: true, conversationId: "pier", turnId: "t1"})
})

test("a key is announced once for all that came meanwhile", async () => {
  const {server, store} = await opened()
  let count = 0
  store.on("messages:pier", () => { count += 1 })
  for (let i = 0; i < 50; i += 1) server.say("pier", "ben", `text ${i}`)
  await settle()
  assert.ok(count <= 2, `announced ${count} times`)
})

test("an answer that a later message made wrong is announced with its turn", async () => {
  const {server, store} = await opened()
  let count = 0
  store.on("outdated", () => (count += 1))
  server.tell([{type: "outdated", turnId: "t1", by: {conversationId: "pier", messageId: "m3"}}])
  await settle()
  assert.deepEqual([count, store.outdated.has("t1"), store.outdated.has("t2")], [1, true, false])
})
