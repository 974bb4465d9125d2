import assert from "node:assert/strict"
import {test} from "node:test"
import {settle, world} from "./support/world.mjs"

const texts = (store, id = "pier") => store.messages(id).items.map(message => message.text)
const two = async options => {
  const made = await world(options)
  const other = await made.browser.open()
  await made.clock.pass(0)
  for (const {store} of [made.page, other]) await store.load("pier")
  return {...made, other}
}

test("one page has the socket, the others apply the same frames", async () => {
  const {server, store, other} = await two()
  assert.equal(server.sockets.length, 1)
  assert.deepEqual([other.store.session.user.id, other.store.connection], ["ada", {state: "live", retryAt: null, isFollower: true}])
  for (let i = 0; i < 20; i += 1) server.say("pier", "ben", `more ${i}`)
  await settle()
  assert.deepEqual(texts(other.store), texts(store))
  assert.equal(other.store.state.cursor, store.state.cursor)
})

test("the leader sends what another page wrote, and both show it once", async () => {
  const {server, store, other} = await two()
  await other.store.send("pier", {text: "from the other"})
  assert.equal(texts(other.store).at(-1), "from the other")
  await settle()
  assert.deepEqual(server.conversations.get("pier").messages.slice(3).map(({text}) => text), ["from the other"])
  for (const {outbox, ...rest} of [store, other.store].map(s => ({outbox: s.outbox.rows, texts: texts(s)}))) {
    assert.deepEqual([outbox, rest.texts.slice(3)], [[], ["from the other"]])
  }
})

test("when the leader is closed another page leads, at the same cursor", async () => {
  const {server, browser, page, other, clock} = await two()
  server.say("pier", "ben", "a")
  await settle()
  await browser.close(page)
  server.say("pier", "ben", "b")
  await clock.pass(2000)
  assert.deepEqual([other.store.connection.isFollower, other.store.connection.state], [false, "live"])
  assert.deepEqual(texts(other.store).slice(3), ["a", "b"])
  assert.equal(server.requests.filter(route => route === "GET /v1/sync").length, 1)
})

test("a page that missed a frame reads the disk", async () => {
  const {server, other} = await two()
  const heard = other.port.onmessage
  other.port.onmessage = () => {}
  server.say("pier", "ben", "missed")
  await settle()
  other.port.onmessage = heard
  server.say("pier", "ben", "heard")
  await settle()
  await other.store.load("pier")
  assert.deepEqual(texts(other.store).slice(3), ["missed", "heard"])
})

test("drafts, typing and what is open are shared", async () => {
  const {page, other} = await two()
  other.store.setDraft("pier", "half a thought")
  other.store.open("pier")
  other.store.typing("pier", true)
  await settle()
  assert.equal(page.store.draft("pier"), "half a thought")
  const said = page.socket().said
  assert.ok(said.some(message => message.type === "open" && message.conversationId === "pier"))
  assert.ok(said.some(message => message.type === "typing"))
})

test("a page that is closed, or crashed, is not there any more", async () => {
  const {browser, page, other, clock} = await two()
  const active = () => page.socket().said.filter(({type}) => type === "active").at(-1).active
  page.isVisible = false
  page.changed()
  assert.equal(active(), true)
  other.gone()
  await settle()
  assert.equal(active(), false)
  other.changed()
  await settle()
  assert.equal(active(), true)
  await browser.close(other)
  await clock.pass(100_000)
  assert.equal(active(), false)
})

test("who is typing and who is there reach every page", async () => {
  const {page, other} = await two()
  page.socket().emit({type: "presence", people: [{userId: "ben", status: "online"}]})
  page.socket().emit({type: "typing", conversationId: "pier", userId: "ben", milliseconds: 6000})
  await settle()
  assert.deepEqual([other.store.presence("ben").status, other.store.typists("pier").length], ["online", 1])
})

test("signing out ends every page and erases the disk", async () => {
  const {browser, store, other, clock} = await two()
  store.setDraft("pier", "secret")
  await clock.pass(1000)
  await store.signOut()
  await settle()
  assert.deepEqual([other.store.session.status, other.store.conversations, store.conversations], ["signedOut", [], []])
  for (const [name, table] of Object.entries(browser.factory.tables)) {
    if (name !== "meta") assert.equal(table.rows.size, 0, name)
  }
  const next = await browser.open()
  assert.deepEqual([next.store.session.status, next.store.conversations], ["signedOut", []])
})

test("another person finds nothing of the first", async () => {
  const {browser, store, other, clock} = await two({conversations: {pier: {count: 3}, quay: {members: ["ada"], count: 1}}})
  await store.load("quay")
  store.setDraft("quay", "secret")
  await clock.pass(1000)
  await store.pickUser("ben")
  await clock.pass(1000)
  for (const page of [store, other.store]) {
    assert.deepEqual([page.session.user.id, page.conversations.map(({id}) => id), page.draft("quay")], ["ben", ["pier"], ""])
  }
  assert.equal(JSON.stringify([...browser.factory.tables.messages.rows.values()]).includes("quay"), false)
})
