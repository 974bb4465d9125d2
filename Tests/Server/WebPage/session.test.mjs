import assert from "node:assert/strict"
import {test} from "node:test"
import {Browser, Server, settle} from "./support/world.mjs"

const start = async (fields = {}) => {
  const server = Object.assign(new Server(), {authentication: "required", ...fields})
  server.add("pier", {count: 3})
  const browser = new Browser(server)
  return {server, browser, clock: browser.clock, page: await browser.open()}
}

test("without a session the person signs in, and the cookie keeps it over a reload", async () => {
  const {server, browser, clock, page} = await start({isSignedIn: false})
  assert.deepEqual([page.store.session.status, page.store.session.user], ["signedOut", null])
  await assert.rejects(page.store.signIn({userId: "ada", password: "wrong"}), {status: 401, code: "sign_in_failed"})
  server.isSignedIn = true
  await page.store.signIn({userId: "ada", password: "right"})
  await clock.pass(0)
  assert.deepEqual([page.store.session.user.id, page.store.connection.state], ["ada", "live"])
  await browser.close(page)
  const next = await browser.open()
  await clock.pass(2000)
  assert.deepEqual([next.store.session.user.role, next.store.connection.state], ["member", "live"])
})

test("the disk is read again in the middle of a sign-in", async () => {
  const {server, clock, page: {store}} = await start({isSignedIn: false})
  const put = store.disk.put.bind(store.disk)
  store.disk.put = async values => {
    await put(values)
    if (values.session) await store.readAgain()
  }
  server.isSignedIn = true
  await store.signIn({userId: "ada", password: "right"})
  await clock.pass(0)
  assert.deepEqual([store.state.userId, store.connection.state], ["ada", "live"])
})

test("the token is renewed a minute before its end", async () => {
  const {server, clock} = await start()
  await clock.pass(539_000)
  const before = server.refreshes
  await clock.pass(1000)
  assert.equal(server.refreshes, before + 1)
})

test("many requests with an old token make one refresh", async () => {
  const {server, page} = await start()
  await settle()
  server.token = "other"
  const before = server.refreshes
  await Promise.all(Array.from({length: 5}, () => page.store.api.request("GET", "/v1/conversations/pier/receipts")))
  assert.equal(server.refreshes, before + 1)
})

test("a second page takes the token of the first", async () => {
  const {server, browser, page, clock} = await start()
  const other = await browser.open()
  await clock.pass(0)
  server.token = "old"
  await page.store.api.request("GET", "/v1/conversations/pier/receipts")
  const count = server.refreshes
  await settle()
  await other.store.api.request("GET", "/v1/conversations/pier/receipts")
  assert.equal(server.refreshes, count)
})

test("a session that ended elsewhere signs out and erases", async () => {
  const {server, browser, page, clock} = await start()
  await clock.pass(0)
  assert.equal(page.store.conversations.length, 1)
  Object.assign(server, {isSignedIn: false, token: "none"})
  await assert.rejects(page.store.api.request("GET", "/v1/conversations/pier/receipts"), {status: 401})
  await settle()
  assert.deepEqual([page.store.session.status, page.store.conversations], ["signedOut", []])
  assert.equal(browser.factory.tables.conversations.rows.size, 0)
})

test("a start without a network shows what is kept, and continues when the network is back", async () => {
  const {server, browser, page, clock} = await start()
  await clock.pass(0)
  await page.store.load("pier")
  await browser.close(page)
  server.isDown = true
  const next = await browser.open()
  assert.deepEqual([next.store.session.status, next.store.conversations.length, next.store.connection.state], ["signedIn", 1, "offline"])
  await next.store.load("pier").catch(() => {})
  assert.equal(next.store.messages("pier").items.length, 3)
  server.isDown = false
  server.say("pier", "ben", "new")
  await clock.pass(40_000)
  assert.deepEqual([next.store.connection.state, next.store.messages("pier").items.length], ["live", 4])
})

test("somebody who was picked and a server that now asks for passwords", async () => {
  const {server, browser, page, clock} = await start({authentication: "none"})
  await page.store.pickUser("ada")
  await clock.pass(0)
  await browser.close(page)
  Object.assign(server, {authentication: "required", isSignedIn: false})
  const next = await browser.open()
  assert.deepEqual([next.store.session.status, next.store.conversations], ["signedOut", []])
})

test("a link that sets the password is known from the sign-in until it is gone", async () => {
  const link = {expiresAt: "2026-11-30T10:00:00Z", madeBy: "ben"}
  const {server, clock, page} = await start({passwordLink: link})
  await clock.pass(0)
  assert.deepEqual(page.store.session.passwordLink, link)
  server.passwordLink = null
  await clock.pass(540_000)
  assert.equal(page.store.session.passwordLink, null)
})

test("somebody else's link is not shown to the next person", async () => {
  const {server, clock, page} = await start({passwordLink: {expiresAt: "2026-11-30T10:00:00Z"}})
  await clock.pass(0)
  await page.store.signOut()
  server.passwordLink = null
  await page.store.signIn({userId: "ada", password: "right"})
  await clock.pass(0)
  assert.equal(page.store.session.passwordLink, null)
})
