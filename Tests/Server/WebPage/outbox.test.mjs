import assert from "node:assert/strict"
import {test} from "node:test"
import {settle, world} from "./support/world.mjs"

const texts = (store, id = "pier") => store.messages(id).items.map(message => message.text)
const states = (store, id = "pier") => store.messages(id).items.filter(m => m.state).map(m => `${m.text} ${m.state}`)
const stored = (server, id = "pier") => server.conversations.get(id).messages.map(message => message.text).slice(3)
const sends = server => server.requests.filter(route => route.includes("POST /v1/conversations/pier/messages")).length
const opened = async options => {
  const made = await world(options)
  made.store.open("pier")
  await made.store.load("pier")
  return made
}

test("messages are sent in their order, once, and come back without a double", async () => {
  const {server, store} = await opened()
  await Promise.all(["a", "b", "c"].map(text => store.send("pier", {text})))
  assert.deepEqual(texts(store).slice(3), ["a", "b", "c"])
  await settle()
  assert.deepEqual(stored(server), ["a", "b", "c"])
  assert.deepEqual(texts(store).slice(3), ["a", "b", "c"])
  assert.deepEqual([states(store), store.outbox.rows, store.messages("pier").items.at(-1).status], [[], [], "sent"])
})

test("what is written without a connection survives a restart and is sent in order", async () => {
  const {server, browser, page, store, clock} = await opened()
  server.stop()
  await store.send("pier", {text: "a"})
  await store.send("pier", {text: "b"})
  await settle()
  assert.deepEqual(states(store), ["a queued", "b queued"])

  await browser.close(page)
  const next = await browser.open()
  await next.store.load("pier").catch(() => {})
  assert.deepEqual(texts(next.store).slice(3), ["a", "b"])
  server.isDown = false
  await clock.pass(60_000)
  assert.deepEqual(stored(server), ["a", "b"])
  assert.deepEqual(texts(next.store).slice(3), ["a", "b"])
  assert.deepEqual(next.store.outbox.rows, [])
})

test("a lost reply does not send twice", async () => {
  const {server, store, clock} = await opened()
  server.faults.push({route: "POST /v1/conversations/pier/messages", isReplyLost: true})
  await store.send("pier", {text: "a"})
  await clock.pass(5000)
  assert.deepEqual([stored(server), texts(store).slice(3), store.outbox.rows], [["a"], ["a"], []])
})

test("a page that dies in the middle of a send is followed by one that sends again, once", async () => {
  const {server, browser, page, store, clock} = await opened()
  server.faults.push({route: "POST /v1/conversations/pier/messages", act: () => browser.close(page)})
  await store.send("pier", {text: "a"})
  await settle()
  const next = await browser.open()
  await clock.pass(5000)
  await next.store.load("pier")
  assert.deepEqual([stored(server), texts(next.store).slice(3), next.store.outbox.rows], [["a"], ["a"], []])
})

test("transient errors keep the head: later messages wait, for as long as the server asks", async () => {
  const {server, store, clock} = await opened()
  server.faults.push({route: "POST /v1/conversations/pier/messages", status: 429, retryAfter: 20})
  await store.send("pier", {text: "a"})
  await store.send("pier", {text: "b"})
  await clock.pass(19_000)
  assert.deepEqual([sends(server), states(store)], [1, ["a queued", "b queued"]])
  await clock.pass(1000)
  assert.deepEqual(stored(server), ["a", "b"])
})

test("a permanent error stops this conversation with a reason until it is sent again", async () => {
  const {server, store} = await opened({conversations: {pier: {count: 3}, quay: {}}})
  server.faults.push({route: "POST /v1/conversations/pier/messages", status: 413, code: "body_too_large"})
  const localId = await store.send("pier", {text: "a"})
  await store.send("pier", {text: "b"})
  await store.send("quay", {text: "c"})
  await settle()
  assert.deepEqual([states(store), stored(server), server.conversations.get("quay").messages.length], [["a failed", "b queued"], [], 1])
  const {failure} = store.messages("pier").items.find(message => message.text === "a")
  assert.deepEqual(failure, {code: "body_too_large", sentence: "This is too long. Make it shorter and try again.", localId})
  await store.retry(localId)
  await settle()
  assert.deepEqual(stored(server), ["a", "b"])
})

test("a failed message that is discarded lets the others go", async () => {
  const {server, store} = await opened()
  server.faults.push({route: "POST /v1/conversations/pier/messages", status: 403, code: "conversation_forbidden"})
  const localId = await store.send("pier", {text: "a"})
  await store.send("pier", {text: "b"})
  await settle()
  await store.discard(localId)
  await settle()
  assert.deepEqual([stored(server), texts(store).slice(3)], [["b"], ["b"]])
})

test("an unsent message is edited and deleted in its place", async () => {
  const {server, store, clock} = await opened()
  server.stop()
  await settle()
  const [first, second] = [await store.send("pier", {text: "a"}), await store.send("pier", {text: "b"})]
  await store.edit("pier", first, "a2")
  await store.remove("pier", second)
  assert.deepEqual(states(store), ["a2 queued"])
  server.isDown = false
  await clock.pass(60_000)
  assert.deepEqual(stored(server), ["a2"])
})

test("an edit and a deletion of messages that are on their way wait for their ids", async () => {
  const {server, store, clock} = await opened()
  const change = async () => {
    await store.edit("pier", first, "a2")
    await store.remove("pier", second)
    assert.deepEqual(texts(store).slice(3), ["a2"])
  }
  const route = "POST /v1/conversations/pier/messages"
  server.faults.push({route, status: 503}, {route, act: change, status: 503})
  const first = await store.send("pier", {text: "a"})
  const second = await store.send("pier", {text: "b"})
  await clock.pass(60_000)
  assert.deepEqual([stored(server), texts(store).slice(3), store.outbox.rows], [["a2"], ["a2"], []])
})

test("an edit of a message that came back goes by the id that its writer knew", async () => {
  const {server, store, clock} = await opened()
  const localId = await store.send("pier", {text: "a"})
  await settle()
  await store.edit("pier", localId, "a2")
  await clock.pass(0)
  assert.deepEqual([stored(server), texts(store).slice(3), store.outbox.rows], [["a2"], ["a2"], []])
})

test("an edit is shown at once, replaces one that waits, and is dropped when its message is gone", async () => {
  const {server, store, clock} = await opened()
  server.stop()
  await store.edit("pier", "m2", "first")
  await settle()
  await store.edit("pier", "m2", "second")
  assert.equal(store.messages("pier").items[1].text, "second")
  assert.equal(store.outbox.rows.length, 1)
  server.isDown = false
  server.conversations.get("pier").messages.splice(1, 1)
  server.tell([{type: "deletion", conversationId: "pier", messageId: "m2", seq: 2}])
  await clock.pass(60_000)
  assert.deepEqual([texts(store), store.outbox.rows], [["text 1", "text 3"], []])
})

test("a change that the server refuses is shown at its message and stops nothing", async () => {
  const {server, store} = await opened()
  server.faults.push({route: "PATCH", status: 403, code: "not_own"})
  const localId = await store.edit("pier", "m2", "mine")
  await store.send("pier", {text: "a"})
  await settle()
  const message = store.messages("pier").items[1]
  assert.deepEqual([message.text, message.failure.kind, message.failure.localId], ["text 2", "edit", localId])
  assert.deepEqual(stored(server), ["a"])
  await store.discard(localId)
  assert.equal(store.messages("pier").items[1].failure, undefined)
})

test("files are uploaded before their message, once", async () => {
  const {server, store, clock} = await opened()
  const uploads = []
  store.api.upload = async (blob, onProgress, {query}) => {
    uploads.push([query.name, await blob.text()])
    onProgress(1, 2)
    return JSON.stringify({id: `f${uploads.length}`})
  }
  server.faults.push({route: "POST /v1/conversations/pier/messages", status: 503})
  await store.send("pier", {text: "", files: [new File(["plan"], "plan.txt"), new File(["map"], "map.txt")]})
  assert.deepEqual(store.messages("pier").items.at(-1).attachments.map(({name, byteCount}) => [name, byteCount]), [["plan.txt", 4], ["map.txt", 3]])
  await clock.pass(5000)
  assert.deepEqual(uploads, [["plan.txt", "plan"], ["map.txt", "map"]])
  assert.deepEqual([stored(server), sends(server)], [[""], 2])
})

test("what waits for a conversation that the person left is dropped", async () => {
  const {server, store} = await opened()
  server.faults.push({route: "POST /v1/conversations/pier/messages", status: 403, code: "conversation_forbidden"})
  await store.send("pier", {text: "a"})
  await settle()
  server.tell([{type: "departure", conversationId: "pier"}])
  await settle()
  assert.deepEqual([store.outbox.rows, store.conversation("pier")], [[], null])
})

test("a message that the browser cannot keep is refused at once", async () => {
  const {browser, store} = await opened()
  browser.factory.isFailing = true
  await assert.rejects(store.send("pier", {text: "a"}), {code: "device_store"})
})
