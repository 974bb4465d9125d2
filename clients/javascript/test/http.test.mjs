import assert from "node:assert/strict"
import {test} from "node:test"
import {Nexus, NexusError} from "../src/index.js"
import {FakeStream, World, problem, settle} from "./world.mjs"

const failing = (count, reply, then = {body: {}}) => {
  let calls = 0
  return () => {
    calls += 1
    if (calls > count) return then
    if (reply instanceof Error) throw reply
    return reply
  }
}
const broken = new TypeError("fetch failed")
const outcome = promise => promise.then(value => ({value}), error => ({error}))

test("an error has the server's code, detail, field and time", async () => {
  const world = new World()
  world.answer("POST /v1/search", () => problem(400, "invalid_field", {field: "topK"}))
  const {error} = await outcome(world.nexus().search("x"))
  assert.ok(error instanceof NexusError)
  assert.deepEqual(
    [error.status, error.code, error.detail, error.field, error.retryAfter], [400, "invalid_field", "about invalid_field", "topK", 0])
})

test("a verdict is sent as it is, and again after a broken connection", async () => {
  const world = new World()
  const verdict = {verdict: "holds", message: {conversationId: "c", messageId: "m1"}, replacedBy: {conversationId: "c", messageId: "m2"}, start: 0, end: 28}
  world.answer("POST /v1/timeline/verdicts", failing(1, broken, {status: 204}))
  const said = world.nexus().setVerdict(verdict)
  await world.pass(2_000)
  await said
  assert.deepEqual(world.asked("POST /v1/timeline/verdicts").map(({body}) => body), [verdict, verdict])
})

test("a timeline is read as of a day, and read again after a broken connection", async () => {
  const world = new World()
  const found = {entries: [], noAnswerReason: "nothing_in_scope", asOf: "2026-10-01"}
  world.answer("POST /v1/timeline", failing(1, broken, {body: found}))
  const asked = world.nexus().timeline("launch", {asOf: "2026-10-01", timeZone: "Europe/Berlin"})
  await world.pass(2_000)
  assert.deepEqual(await asked, found)
  assert.deepEqual(world.asked("POST /v1/timeline").map(({body}) => body),
    Array(2).fill({subject: "launch", asOf: "2026-10-01", timeZone: "Europe/Berlin"}))
})

test("reading is repeated after a broken connection and after 503", async () => {
  const world = new World()
  world.answer("GET /v1/settings", failing(2, broken))
  world.answer("GET /v1/notifications", failing(1, problem(503, "overloaded"), {body: {notifications: []}}))
  const nexus = world.nexus()
  const both = Promise.all([nexus.settings(), nexus.notifications()])
  await world.pass(2_000)
  await both
  assert.equal(world.asked("GET /v1/settings").length, 3)
  assert.equal(world.asked("GET /v1/notifications").length, 2)
})

test("what may have been done is not repeated", async () => {
  const world = new World()
  world.answer("POST /v1/files", failing(1, broken))
  const {error} = await outcome(world.nexus().upload(new Uint8Array([1]), {name: "a"}))
  assert.deepEqual([error.status, error.code, world.asked("POST /v1/files").length], [0, "unreachable", 1])
})

test("what the server refused for now is repeated when it says so", async () => {
  const world = new World()
  world.answer("POST /v1/files", failing(1, problem(429, "too_many_requests", {retryAfter: 7}), {body: {id: "f"}}))
  const done = world.nexus().upload(new Uint8Array([1]), {name: "a"})
  await world.pass(6_999)
  assert.equal(world.asked("POST /v1/files").length, 1)
  await world.pass(1)
  assert.deepEqual(await done, {id: "f"})
})

test("a wait that is longer than the patience is an error at once", async () => {
  const world = new World()
  world.answer("GET /v1/settings", () => problem(429, "daily_tokens_used_up", {retryAfter: 3_600}))
  const {error} = await outcome(world.nexus().settings())
  assert.deepEqual([error.code, error.retryAfter, world.requests.length], ["daily_tokens_used_up", 3_600, 1])
})

test("a missing model is not waited for", async () => {
  const world = new World()
  world.answer("GET /v1/settings", () => problem(503, "model_not_configured"))
  assert.equal((await outcome(world.nexus().settings())).error.code, "model_not_configured")
  assert.equal(world.requests.length, 1)
})

test("a message keeps its localId over all attempts", async () => {
  const world = new World()
  world.answer("POST /v1/conversations/pier/messages", failing(3, broken, {body: {messageId: "m", seq: 1}}))
  const sent = world.nexus().post("pier", "hello")
  await world.pass(10_000)
  assert.equal((await sent).messageId, "m")
  const ids = world.asked("POST /v1/conversations/pier/messages").map(({body}) => body.localId)
  assert.equal(ids.length, 4)
  assert.equal(new Set(ids).size, 1)
  assert.match(ids[0], /^[0-9a-f]{32}$/)
})

test("the error of a message has the localId with which it is sent again", async () => {
  const world = new World()
  world.isDown = true
  const nexus = world.nexus({retryFor: 0})
  const {error} = await outcome(nexus.post("pier", "hello"))
  world.isDown = false
  world.answer("POST /v1/conversations/pier/messages", ({body}) => ({body}))
  assert.equal((await nexus.post("pier", {text: "hello", localId: error.localId})).localId, error.localId)
  assert.equal(world.requests[0].body.localId, error.localId)
})

test("messages of a conversation keep their order, and a refused one does not hold the next", async () => {
  const world = new World()
  const arrived = []
  world.answer("POST /v1/conversations/pier/messages", ({body}) => {
    if (body.text === "one" && !arrived.includes("lost")) {
      arrived.push("lost")
      throw broken
    }
    arrived.push(body.text)
    return body.text === "two" ? problem(400, "invalid_field") : {body: {}}
  })
  const nexus = world.nexus()
  const sent = ["one", "two", "three"].map(text => outcome(nexus.post("pier", text)))
  await world.pass(5_000)
  assert.deepEqual((await Promise.all(sent)).map(({error}) => error?.code), [undefined, "invalid_field", undefined])
  assert.deepEqual(arrived, ["lost", "one", "two", "three"])
})

test("a group is made once, by the key of its request", async () => {
  const world = new World()
  world.answer("POST /v1/conversations", failing(1, broken, {body: {id: "g"}}))
  const made = world.nexus().createGroup("Crew", ["ben", {userId: "cy", name: "Cy"}], {history: "joined"})
  await world.pass(1_000)
  await made
  const [first, second] = world.requests
  assert.deepEqual(second.body, {name: "Crew", members: [{userId: "ben"}, {userId: "cy", name: "Cy"}], history: "joined"})
  assert.ok(first.headers["Idempotency-Key"])
  assert.equal(first.headers["Idempotency-Key"], second.headers["Idempotency-Key"])
})

test("deleting what is gone is done", async () => {
  const world = new World()
  world.answer("DELETE /v1/conversations/pier/messages/m1", () => problem(404, "message_not_found"))
  await world.nexus().delete("pier", "m1")
  world.answer("DELETE /v1/conversations/pier/messages/m1", () => problem(403, "not_own"))
  assert.equal((await outcome(world.nexus().delete("pier", "m1"))).error.code, "not_own")
})

test("a reply that does not come is a timeout, and a late body too", async () => {
  const world = new World()
  world.answer("POST /v1/files", () => new Promise(() => {}))
  const upload = outcome(world.nexus().upload(new Uint8Array([1]), {name: "a"}))
  await world.pass(600_000)
  assert.equal((await upload).error.code, "timed_out")
  let stream
  world.answer("POST /v1/conversations/pier/action-items/extract", ({signal}) => (stream = new FakeStream(signal)))
  const extraction = outcome(world.nexus().extractItems("action-items", "pier"))
  await settle()
  stream.write("{")
  await world.pass(600_000)
  assert.equal((await extraction).error.code, "timed_out")
})

test("the caller's own abort is passed on, also while it waits for the next attempt", async () => {
  const world = new World()
  world.isDown = true
  const controller = new AbortController()
  const sent = outcome(world.nexus().post("pier", "hello", {signal: controller.signal, retryFor: Infinity}))
  await world.pass(100_000)
  controller.abort(new Error("enough"))
  await settle()
  assert.equal((await sent).error.message, "enough")
})

test("ids are parts of the path, whatever is in them", async () => {
  const world = new World()
  world.answer("PUT /v1/conversations/a%2Fb%3F/messages/m/reactions/%F0%9F%91%8D", () => undefined)
  await world.nexus().react("a/b?", "m", "👍")
  for (const id of ["..", ".", ""]) await assert.rejects(world.nexus().conversation(id), TypeError)
  assert.equal(world.requests.length, 1)
})

test("any route can be called", async () => {
  const world = new World()
  world.answer("GET /v1/newer", ({query}) => ({body: query}))
  assert.deepEqual(await world.nexus().request("GET", "/v1/newer", {query: {a: "b c", none: null}}), {a: "b c"})
})

test("the address needs a scheme", () => {
  assert.throws(() => new Nexus("chat.example.com"), /https:\/\//)
})
