import assert from "node:assert/strict"
import {mkdtemp, readdir, rm, stat, writeFile} from "node:fs/promises"
import {tmpdir} from "node:os"
import {join} from "node:path"
import {test} from "node:test"
import {SignedOutError, WebStore} from "../src/index.js"
import {FileStore} from "../src/node.js"
import {World, entry, message, problem, said, settle, snapshot} from "./world.mjs"

const POST = "POST /v1/conversations/pier/messages"

/** A server that stores each message once, in `world.stored`. */
const server = () => {
  const world = new World()
  world.stored = []
  world.answer("GET /v1/sync", () => ({body: snapshot(1, entry("pier"), entry("quay"))}))
  for (const place of ["pier", "quay"]) {
    world.answer(`GET /v1/conversations/${place}/messages`, () => ({body: {messages: [], hasOlder: false}}))
    world.answer(`GET /v1/conversations/${place}/receipts`, () => ({body: {receipts: []}}))
    world.answer(`POST /v1/conversations/${place}/messages`, ({body}) => ({body: world.take(body)}))
  }
  world.take = body => {
    const isNew = !world.stored.some(({localId}) => localId === body.localId)
    if (isNew) world.stored.push(body)
    const seq = world.stored.findIndex(({localId}) => localId === body.localId) + 1
    return {messageId: `m${seq}`, seq, localId: body.localId, status: isNew ? "inserted" : "unchanged"}
  }
  world.texts = () => world.stored.map(({text}) => text)
  return world
}

const chatOf = (world, store, as = "ada") => world.nexus({as}).chat({store})
const shown = (chat, place = "pier") => chat.messages(place).map(({text, error}) => text + (error ? " !" : "…"))
const ignore = promise => void promise.catch(() => {})

/** What a run leaves that ends while the server is away. */
const left = async (world, store, ...texts) => {
  world.isDown = true
  const chat = chatOf(world, store)
  for (const text of texts) ignore(chat.post("pier", text))
  await world.pass(1_000)
  chat.close()
  await settle()
  world.isDown = false
}

/** The storage of a page, with room for `limit` values. */
const pageStorage = (limit = Infinity) => {
  const values = new Map()
  return {
    get length() { return values.size },
    key: place => [...values.keys()][place] ?? null,
    getItem: key => values.get(key) ?? null,
    setItem(key, value) {
      if (values.size >= limit && !values.has(key)) throw new Error("QuotaExceededError")
      values.set(key, value)
    },
    removeItem: key => values.delete(key),
    values,
  }
}

test("what waits survives a restart: shown without a connection, and sent in order, once", async () => {
  const [world, store] = [server(), new Map()]
  await left(world, store, "one", "two")
  world.isDown = true
  const chat = chatOf(world, store)
  ignore(chat.post("pier", "three"))
  await world.pass(1_000)
  assert.deepEqual(shown(chat), ["one…", "two…", "three…"])
  world.isDown = false
  await world.pass(60_000)
  assert.deepEqual([world.texts(), store.size], [["one", "two", "three"], 0])
  chat.close()
})

test("a message whose reply was lost by a crash is sent again with its id, and stored once", async () => {
  const [world, store] = [server(), new Map()]
  world.answer(POST, ({body}) => {
    world.take(body)
    return new Promise(() => {})
  })
  const crashed = chatOf(world, store)
  ignore(crashed.post("pier", "one"))
  ignore(crashed.post("pier", "two"))
  await settle()
  const after = new Map(store)
  crashed.close()
  world.answer(POST, ({body}) => ({body: world.take(body)}))
  chatOf(world, after)
  await settle()
  assert.deepEqual([world.texts(), after.size], [["one", "two"], 0])
  assert.equal(world.asked(POST).filter(({body}) => body.text === "one").length, 2)
})

test("it is in the store before it is sent", async () => {
  const world = server()
  const order = []
  world.answer(POST, ({body}) => {
    order.push(`sent ${body.text}`)
    return {body: world.take(body)}
  })
  const kept = new Map()
  const store = {
    entries: () => kept.entries(), delete: key => kept.delete(key),
    set: async (key, value) => {
      await new Promise(setImmediate)
      kept.set(key, value)
      order.push(`kept ${JSON.parse(value).draft.text}`)
    },
  }
  const chat = chatOf(world, store)
  await chat.post("pier", "one")
  assert.deepEqual(order, ["kept one", "sent one"])
  chat.close()
})

test("conversations do not wait for each other, and a refused message holds up none", async () => {
  const [world, store] = [server(), new Map()]
  let free
  world.answer(POST, ({body}) => body.text === "one" ? new Promise(resolve => (free = () => resolve(problem(413, "too_large")))) : {body: world.take(body)})
  const chat = chatOf(world, store)
  ignore(chat.post("pier", "one"))
  ignore(chat.post("pier", "two"))
  await chat.post("quay", "three")
  assert.deepEqual(world.texts(), ["three"])
  free()
  await settle()
  assert.deepEqual([world.texts(), shown(chat)], [["three", "two"], ["one !", "two…"]])
  chat.close()
})

test("a refused message stays refused over a restart, until it is sent again or discarded", async () => {
  const [world, store] = [server(), new Map()]
  world.answer(POST, () => problem(413, "too_large", {field: "text"}))
  const first = chatOf(world, store)
  await assert.rejects(first.post("pier", {text: "long", replyTo: "m7"}), {code: "too_large"})
  await settle()
  first.close()
  const count = world.asked(POST).length
  const chat = chatOf(world, store)
  await settle()
  const [{localId, error, replyTo}] = chat.messages("pier")
  assert.deepEqual([error.status, error.code, error.field, error.isTransient, replyTo, world.asked(POST).length], [413, "too_large", "text", false, "m7", count])
  world.answer(POST, ({body}) => ({body: world.take(body)}))
  assert.equal((await chat.retry("pier", localId)).localId, localId)
  assert.equal(store.size, 0)
  await assert.rejects(chat.retry("pier", "unknown"), TypeError)
  chat.close()
})

test("messages of a conversation that is gone are given back with their text", async () => {
  const [world, store] = [server(), new Map()]
  await left(world, store, "one", "two")
  world.answer("GET /v1/sync", () => ({body: snapshot(1, entry("quay"))}))
  world.answer(POST, () => problem(403, "conversation_forbidden"))
  const chat = chatOf(world, store)
  await settle()
  assert.equal(chat.conversation("pier"), undefined)
  const back = chat.waiting.map(({conversationId, text, error}) => [conversationId, text, error?.code])
  assert.deepEqual(back, [["pier", "one", "conversation_forbidden"], ["pier", "two", "conversation_forbidden"]])
  for (const {conversationId, localId} of chat.waiting) chat.discard(conversationId, localId)
  await settle()
  assert.deepEqual([chat.waiting, store.size], [[], 0])
  chat.close()
})

test("another person, or another server, does not send it", async () => {
  const [world, store] = [server(), new Map()]
  await left(world, store, "one")
  const others = [chatOf(world, store, "ben"), world.nexus().chat({store})]
  others[1].close()
  await settle()
  assert.deepEqual([world.texts(), shown(others[0]), store.size], [[], [], 1])
  others[0].close()
  const elsewhere = new Map([[JSON.stringify(["https://other.example.com", "ada", "l1"]), [...store.values()][0]]])
  const chat = chatOf(world, elsewhere)
  await settle()
  assert.deepEqual([world.texts(), elsewhere.size], [[], 1])
  chat.close()
})

test("signing out empties the store of what an earlier run left, before anything was read", async () => {
  const [world, store] = [server(), new Map()]
  await left(world, store, "one", "two")
  assert.equal(store.size, 2)
  const nexus = world.nexus({as: "ada"})
  nexus.chat({store})
  await nexus.signOut()
  await settle()
  assert.equal(store.size, 0)
})

test("an entry that is no message is left alone", async () => {
  const [world, store] = [server(), new Map()]
  await left(world, store, "one")
  const key = name => JSON.stringify([...JSON.parse([...store.keys()][0]).slice(0, 2), name])
  for (const [name, text] of [["x", '{"v":2}'], ["y", "null"], ["z", "{"]]) store.set(key(name), text)
  const chat = chatOf(world, store)
  ignore(chat.post("pier", "two"))
  await settle()
  assert.deepEqual(world.texts(), ["one", "two"])
  assert.equal(store.size, 3)
  chat.close()
})

test("a file store removes what a killed process wrote in part", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nexus-store-"))
  const store = new FileStore(folder)
  await store.set("k", "v")
  const name = (await readdir(folder))[0]
  // No process has this number.
  await writeFile(join(folder, `${name}.4194305.1`), "[")
  await writeFile(join(folder, `${name}.${process.pid}.9`), "[")
  assert.deepEqual(await store.entries(), [["k", "v"]])
  assert.deepEqual((await readdir(folder)).sort(), [name, `${name}.${process.pid}.9`])
  await rm(folder, {recursive: true})
})

test("signing out empties the store; a session that ran out does not", async () => {
  for (const [end, size] of [[nexus => nexus.signOut(), 0], [nexus => nexus.http.session.end("sessionEnded"), 1]]) {
    const [world, store] = [server(), new Map()]
    const nexus = world.nexus()
    const chat = nexus.chat({store})
    world.answer(POST, () => new Promise(() => {}))
    const sent = chat.post("pier", "one").catch(error => error)
    await settle()
    assert.equal(store.size, 1)
    await end(nexus)
    await settle()
    assert.equal(store.size, size)
    if (!size) assert.ok(await sent instanceof SignedOutError)
    chat.close()
    await assert.rejects(chat.post("pier", "two"))
    assert.equal(store.size, size)
  }
})

test("what another tab sent or dropped is not sent here", async () => {
  const [world, store] = [server(), new Map()]
  await left(world, store, "one", "two")
  world.isDown = true
  const chat = chatOf(world, store)
  await settle()
  const [key] = [...store].find(([, value]) => value.includes("two"))
  store.delete(key)
  world.isDown = false
  await world.pass(60_000)
  assert.deepEqual([world.texts(), chat.waiting], [["one"], []])
  chat.close()
})

test("what the feed brings has arrived, even if another tab sent it", async () => {
  const [world, store] = [server(), new Map()]
  world.answer(POST, () => new Promise(() => {}))
  const chat = chatOf(world, store)
  const sent = chat.post("pier", {text: "one", localId: "l1"})
  const next = chat.post("pier", "two")
  await settle()
  world.answer(POST, ({body}) => ({body: world.take(body)}))
  world.sockets[0].open()
  world.sockets[0].say(said(2, message(1, "not mine", {localId: "l1"})))
  await settle()
  assert.equal(chat.waiting.length, 2)
  world.sockets[0].say(said(3, message(2, "one", {localId: "l1", senderId: "ada"})))
  await settle()
  // The next one does not wait for the lost reply of the first.
  assert.deepEqual([(await sent).messageId, (await next).messageId, store.size], ["m2", "m1", 0])
  chat.close()
})

test("a store that fails or is full is reported and keeps nothing from being sent", async () => {
  const world = server()
  const full = chatOf(world, new WebStore(pageStorage(0)))
  await full.post("pier", "one")
  assert.match(full.error.message, /Quota/)
  const broken = chatOf(world, {entries: () => { throw new Error("no disk") }, set: async () => { throw new Error("no disk") }, delete() {}})
  await broken.post("pier", "two")
  assert.deepEqual([world.texts(), broken.error.message], [["one", "two"], "no disk"])
  for (const chat of [full, broken]) chat.close()
})

test("an app that starts without a connection is not at its end", async () => {
  const [world, store] = [server(), new Map()]
  world.answer("GET /v1/session", () => ({body: {user: {userId: "ada"}}}))
  world.isDown = true
  const chat = world.nexus({as: undefined, token: "t"}).chat({store})
  const sent = chat.post("pier", "one")
  await world.pass(200_000)
  assert.equal(chat.connection.state, "connecting")
  world.isDown = false
  await world.pass(60_000)
  assert.equal((await sent).messageId, "m1")
  chat.close()
})

for (const [name, make] of [["a page", () => new WebStore(pageStorage())], ["files", async () => new FileStore(join(await mkdtemp(join(tmpdir(), "nexus-store-")), "new", "folder"))]]) {
  test(`a store of ${name} keeps texts by key`, async () => {
    const store = await make()
    assert.deepEqual([...await store.entries()], [])
    await store.set('["ä/..", "b"]', "one")
    await store.set("k", "two")
    await store.set("k", "three")
    await store.delete("unknown")
    assert.deepEqual(new Map(await store.entries()), new Map([['["ä/..", "b"]', "one"], ["k", "three"]]))
    await store.delete("k")
    assert.equal([...await store.entries()].length, 1)
    if (store.folder) await rm(join(store.folder, "..", ".."), {recursive: true})
  })
}

test("a page's other values are left alone", () => {
  const storage = pageStorage()
  storage.setItem("theme", "dark")
  const store = new WebStore(storage)
  store.set("k", "v")
  assert.deepEqual(store.entries(), [["k", "v"]])
  store.delete("k")
  assert.deepEqual([...storage.values], [["theme", "dark"]])
})

test("files are for their person only, and one that a crash cut off is no message", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nexus-store-"))
  const store = new FileStore(folder)
  await store.set("k", "v")
  const [name] = await readdir(folder)
  assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600)
  await writeFile(join(folder, "cut.json"), '["k2", "v')
  await writeFile(join(folder, `${name}.1.1`), '["k3", "v"]')
  assert.deepEqual(await store.entries(), [["k", "v"]])
  await rm(folder, {recursive: true})
})
