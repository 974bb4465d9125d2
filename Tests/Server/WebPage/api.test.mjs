import assert from "node:assert/strict"
import {readFileSync} from "node:fs"
import {test} from "node:test"
import {API, APIError} from "../../../Sources/Server/WebPage/Files/data/api.js"
import {sentence, sentenceKey} from "../../../Sources/Server/WebPage/Files/data/errors.js"
import texts from "../../../Sources/Server/WebPage/Files/text/errors.js"

const wire = name => readFileSync(new URL(`../../Fixtures/Wire/${name}`, import.meta.url), "utf8")
const api = (...replies) => {
  const asked = []
  const made = new API(async (path, init) => {
    asked.push({path, ...init})
    const reply = replies.shift()
    if (reply instanceof Error) throw reply
    return reply
  })
  return Object.assign(made, {asked})
}
// A stream in pieces of a few bytes, which cut lines and characters.
const pieces = text => new Response(new ReadableStream({
  start(controller) {
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at < bytes.length; at += 3) controller.enqueue(bytes.slice(at, at + 3))
    controller.close()
  },
}))
const all = async iterable => {
  const list = []
  for await (const item of iterable) list.push(item)
  return list
}

test("the server's answer stream", async () => {
  const made = api(pieces(wire("answer-stream.txt").replace("is on Friday", "ist am Föhn 👍")))
  const events = await all(made.events("/v1/ask", {question: "when?"}))
  assert.deepEqual(events.map(({event}) => event), ["retrieval", "delta", "delta", "citation", "done"])
  assert.equal(events[0].data.sources[0].excerpt, "The launch ist am Föhn 👍.")
  assert.equal(events.at(-1).data.answer, "Friday [1]")
  assert.equal(made.asked[0].headers.Accept, "text/event-stream")
})

test("comments, several data lines and carriage returns", async () => {
  const events = await all(api(pieces(': wait\r\n\r\nevent: a\r\ndata: [1,\r\ndata: 2]\r\n\r\ndata: 3\n\n')).events("/x", {}))
  assert.deepEqual(events, [{event: "a", data: [1, 2]}, {event: "message", data: 3}])
})

test("lines of JSON, also without an end of line", async () => {
  assert.deepEqual(await all(api(pieces('{"a":1}\n\n{"a":2}')).lines("/x", {})), [{a: 1}, {a: 2}])
})

test("a broken stream is a lost connection", async () => {
  const broken = new Response(new ReadableStream({pull(controller) { controller.error(new Error("reset")) }}))
  await assert.rejects(all(api(broken).events("/x", {})), {status: 0})
})

test("a refusal has the server's code and what it asks", async () => {
  const refusal = new Response('{"code":"too_many","detail":"secret"}', {status: 429, headers: {"Retry-After": "7"}})
  await assert.rejects(api(refusal).request("GET", "/x"), {status: 429, code: "too_many", retryAfter: 7, isTransient: true})
  await assert.rejects(api(new Response("<html>", {status: 502})).request("GET", "/x"), {status: 502, isTransient: true})
  await assert.rejects(api(new TypeError("failed")).request("GET", "/x"), {status: 0, isTransient: true})
  await assert.rejects(api(new Response("<html>")).request("GET", "/x"), {code: "unreadable"})
})

test("a query leaves out what is missing and encodes the rest", async () => {
  const made = api(new Response(null, {status: 204}))
  assert.equal(await made.request("GET", "/x", {query: {name: "a b+ü", after: null, limit: 5}}), null)
  assert.equal(made.asked[0].path, "/x?name=a%20b%2B%C3%BC&limit=5")
})

test("401 is tried once more with other credentials", async () => {
  const made = api(new Response("{}", {status: 401}), new Response("{}"))
  const refusals = []
  made.credentials = async refused => {
    refusals.push(refused)
    return {Authorization: `Bearer ${refusals.length}`}
  }
  await made.request("GET", "/x")
  assert.deepEqual(refusals, [undefined, {Authorization: "Bearer 1"}])
  assert.equal(made.asked[1].headers.Authorization, "Bearer 2")
})

test("errors have the same sentences as in the Swift client", () => {
  const expected = [
    [403, "foreign_user", "foreign_user"], [403, "later_code", "forbidden"], [404, "turn_not_found", "missing"], [409, "message_deleted", "deleted"],
    [409, "conflict", "conflict"], [429, "daily_tokens_used_up", "tokens_used_up"], [429, "", "too_many"],
    [503, "model_misconfigured", "model_missing"], [503, "model_not_configured", "model_missing"], [502, "model_failed", "model_unavailable"], [503, "shutting_down", "busy"],
    [507, "storage_full", "storage_full"], [400, "invalid_field", "invalid"], [413, "body_too_large", "too_large"],
    [401, "token_expired", "signed_out"], [500, "internal", "server"], [418, "later_code", "invalid"], [0, "unreachable", "offline"],
  ]
  for (const [status, code, key] of expected) assert.equal(sentenceKey(new APIError(status, code)), "errors." + key)
  for (let status = 400; status < 600; status += 1) {
    const told = sentence(new APIError(status, "x", "secret"))
    assert.ok(/^[A-Z].*\.$/.test(told) && !told.includes("secret"))
  }
})

test("every sentence is there in both languages", () => {
  assert.deepEqual(Object.keys(texts.de), Object.keys(texts.en))
  const swift = readFileSync(new URL("../../../Sources/Client/NexusClient/ErrorSentence.swift", import.meta.url), "utf8")
  // Sentences about the file that an app keeps messages in are not for browsers.
  const names = [...swift.matchAll(/ErrorSentence\(\s*"(\w+)"/g)].map(match => match[1]).filter(name => !name.startsWith("store_"))
  assert.ok(names.length > 10)
  for (const name of names) assert.ok(texts.en["errors." + name], name)
})
