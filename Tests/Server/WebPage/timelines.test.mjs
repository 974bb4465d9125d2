import assert from "node:assert/strict"
import {test} from "node:test"
import {settle, world} from "./support/world.mjs"

const seqs = store => store.messages("pier").items.map(message => message.seq)
const isWhole = list => list.every((seq, i) => !i || seq === list[i - 1] + 1)
const opened = async count => {
  const made = await world({conversations: {pier: {count}}})
  made.store.open("pier")
  await made.store.load("pier")
  return made
}
const pages = server => server.requests.filter(route => route.includes("/messages")).length

test("100,000 messages: the window is bounded and has no gap on the way up and down", async () => {
  const {store} = await opened(100_000)
  assert.deepEqual([seqs(store).length, seqs(store).at(-1)], [50, 100_000])
  for (let i = 0; i < 20; i += 1) {
    await store.loadOlder("pier")
    assert.ok(seqs(store).length <= 400 && isWhole(seqs(store)))
  }
  assert.deepEqual([seqs(store)[0], store.messages("pier").hasNewer], [100_000 - 1049, true])
  for (let i = 0; i < 30 && store.messages("pier").hasNewer; i += 1) {
    await store.loadNewer("pier")
    assert.ok(seqs(store).length <= 400 && isWhole(seqs(store)))
  }
  assert.deepEqual([seqs(store).at(-1), store.messages("pier").hasNewer], [100_000, false])
})

test("a jump shows the messages around, new ones wait below, and the way down meets them", async () => {
  const {server, store} = await opened(1000)
  await store.jump("pier", "m500")
  assert.ok(seqs(store).includes(500) && isWhole(seqs(store)))
  assert.deepEqual([store.messages("pier").anchor, store.messages("pier").hasNewer], ["m500", true])
  server.say("pier", "ben", "new")
  await settle()
  assert.equal(seqs(store).includes(1001), false)
  for (let i = 0; i < 30 && store.messages("pier").hasNewer; i += 1) await store.loadNewer("pier")
  assert.ok(isWhole(seqs(store)))
  assert.equal(seqs(store).at(-1), 1001)
  await store.load("pier")
  assert.equal(store.messages("pier").anchor, null)
})

test("a message that cannot be found is an error, and what was shown stays", async () => {
  const {server, store} = await opened(100)
  server.faults.push({route: "messages", status: 404, code: "message_not_found"})
  await assert.rejects(store.jump("pier", "nothing"), {code: "message_not_found"})
  assert.deepEqual([store.messages("pier").error.code, seqs(store).length, store.messages("pier").isLoading], ["message_not_found", 50, false])
})

test("edits and deletions reach the messages of a jump", async () => {
  const {server, store} = await opened(1000)
  await store.jump("pier", "m500")
  const message = server.conversations.get("pier").messages[499]
  server.tell([{type: "message", message: {...message, text: "edited"}}, {type: "deletion", conversationId: "pier", messageId: "m501", seq: 501}])
  await settle()
  const {items} = store.messages("pier")
  assert.deepEqual([items.find(({id}) => id === "m500").text, items.some(({id}) => id === "m501")], ["edited", false])
})

test("the window stays bounded while messages arrive, and keeps what is on the screen", async () => {
  const {server, store} = await opened(60)
  for (let i = 0; i < 1000; i += 1) server.say("pier", "ben", "more")
  await settle()
  assert.ok(seqs(store).length < 500 && isWhole(seqs(store)) && seqs(store).at(-1) === 1060)
  store.hold("pier", store.messages("pier").items[30].id)
  const held = store.messages("pier").items[30].id
  for (let i = 0; i < 1000; i += 1) server.say("pier", "ben", "more")
  await settle()
  assert.ok(store.messages("pier").items.some(({id}) => id === held))
  assert.ok(store.messages("pier").hasNewer && seqs(store).length <= 400 && isWhole(seqs(store)))
})

test("a conversation that is not on the screen keeps few messages in memory, and counts on", async () => {
  const {server, store} = await world({conversations: {pier: {count: 1}}})
  for (let i = 0; i < 90; i += 1) server.say("pier", "ben", "more")
  for (let i = 0; i < 300; i += 1) server.say("pier", "ada", "own")
  await settle()
  assert.ok(store.state.conversations.get("pier").list.length <= 200)
  assert.equal(store.conversation("pier").unreadCount, 91)
})

test("a conversation that is left keeps its newest messages only", async () => {
  const {store} = await opened(1000)
  for (let i = 0; i < 5; i += 1) await store.loadOlder("pier")
  store.open(null)
  assert.ok(store.state.conversations.get("pier").list.length <= 100)
  store.open("pier")
  await store.load("pier")
  assert.ok(isWhole(seqs(store)) && seqs(store).at(-1) === 1000 && store.messages("pier").hasOlder)
})

test("what was loaded is read from the disk the next time", async () => {
  const {server, browser, page, store, clock} = await opened(300)
  await store.loadOlder("pier")
  server.say("pier", "ben", "new")
  await settle()
  await browser.close(page)
  const next = await browser.open()
  await clock.pass(2000)
  const before = pages(server)
  await next.store.load("pier")
  await next.store.loadOlder("pier")
  assert.deepEqual([seqs(next.store).length, seqs(next.store).at(-1), isWhole(seqs(next.store))], [100, 301, true])
  assert.equal(pages(server), before)
  await next.store.loadOlder("pier")
  assert.ok(isWhole(seqs(next.store)) && seqs(next.store)[0] <= 201)
})

test("what a jump to an unread message brought is kept", async () => {
  const {browser, page, server, store, clock} = await world({conversations: {pier: {count: 5}}})
  await store.jump("pier", "m2")
  await settle()
  assert.deepEqual([seqs(store), store.messages("pier").hasNewer], [[1, 2, 3, 4, 5], false])
  await browser.close(page)
  server.isDown = true
  const next = await browser.open()
  await next.store.load("pier").catch(() => {})
  assert.deepEqual(seqs(next.store), [1, 2, 3, 4, 5])
  await clock.pass(0)
})

test("about 2,000 messages of a conversation are kept on disk, without a gap", async () => {
  const {server, browser, page, store, clock} = await opened(60)
  const more = count => Array.from({length: count}, () =>
    ({type: "message", message: server.store(server.conversations.get("pier"), {senderId: "ben", text: "more"})}))
  for (let i = 0; i < 6; i += 1) {
    server.tell(more(500))
    await store.flushing
  }
  for (let i = 0; i < 6; i += 1) await settle()
  const rows = [...browser.factory.tables.messages.rows.values()].map(({value}) => value.message.seq).sort((a, b) => a - b)
  assert.ok(rows.length <= 2200 && rows.length >= 1900, String(rows.length))
  assert.ok(isWhole(rows) && rows.at(-1) === 3060)
  await browser.close(page)
  const next = await browser.open()
  await clock.pass(2000)
  await next.store.load("pier")
  assert.equal(seqs(next.store).at(-1), 3060)
})

test("a deleted message does not come back from an old page", async () => {
  const {server, store, browser} = await world({conversations: {pier: {count: 10}}})
  const remove = async () => {
    const page = server.conversations.get("pier").messages
    const [gone] = page.splice(4, 1)
    server.tell([{type: "deletion", conversationId: "pier", messageId: gone.id, seq: gone.seq}])
    await settle()
    page.splice(4, 0, gone)
  }
  server.faults.push({route: "GET /v1/conversations/pier/messages", act: remove})
  await store.load("pier")
  await settle()
  assert.equal(seqs(store).includes(5), false)
  const page = await store.disk.page("pier", 50)
  assert.equal(page.messages.some(({seq}) => seq === 5), false)
})

test("the list of 500 conversations comes from the disk before the network", async () => {
  const conversations = Object.fromEntries(Array.from({length: 500}, (_, i) => [`place-${i}`, {count: 1}]))
  const {server, browser, page} = await world({conversations})
  await browser.close(page)
  server.fetch = () => new Promise(() => {})
  const next = await browser.open()
  assert.deepEqual([next.store.session.status, next.store.conversations.length], ["signedIn", 500])
  assert.equal(next.store.conversations[0].unreadCount, 1)
})

test("a disk that fails stops nothing, and the next start begins with a snapshot", async () => {
  const {server, browser, page, store} = await opened(3)
  page.store.env.report = () => {}
  browser.factory.isFailing = true
  server.say("pier", "ben", "new")
  await settle()
  assert.equal(seqs(store).at(-1), 4)
})
