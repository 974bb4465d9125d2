import assert from "node:assert/strict"
import {test} from "node:test"
import {FakeStream, World, collect, entry, message, problem, said, settle, snapshot} from "./world.mjs"

const texts = seen => seen.flatMap(event => event.changes ?? []).map(change => change.message?.text ?? change.type)
const states = seen => seen.filter(({type}) => type === "connection").map(({state}) => state)
const syncs = world => world.asked("GET /v1/sync").length

const over = (options = {}) => {
  const world = new World()
  world.answer("GET /v1/sync", () => ({body: snapshot(1, entry("pier"))}))
  const nexus = world.nexus()
  const feed = nexus.feed({device: "kitchen", ...options})
  return {world, nexus, feed, seen: collect(feed)}
}
const live = async options => {
  const made = over(options)
  await settle()
  made.world.sockets[0].open()
  await settle()
  return made
}

test("a snapshot comes first, then what changes", async () => {
  const {world, seen, feed} = await live()
  const [socket] = world.sockets
  assert.equal(socket.url.origin, "wss://chat.example.com")
  assert.deepEqual(socket.protocols, ["nexus.v1"])
  assert.deepEqual(Object.fromEntries(socket.url.searchParams), {ticket: "t", cursor: "e-1", device: "kitchen"})
  socket.say(said(2, message(1, "hello")))
  await settle()
  assert.deepEqual(seen.map(({type}) => type), ["connection", "snapshot", "connection", "changes"])
  assert.deepEqual([texts(seen), feed.cursor], [["hello"], "e-2"])
})

test("with a cursor it resumes without a snapshot", async () => {
  const {world, seen} = await live({cursor: "e-7"})
  world.sockets[0].say(said(8, message(1, "missed")))
  await settle()
  assert.deepEqual([syncs(world), texts(seen)], [0, ["missed"]])
})

test("a lost connection resumes where it was: nothing is lost or doubled", async () => {
  const {world, seen} = await live()
  world.sockets[0].say(said(2, message(1, "a")))
  world.sockets[0].end()
  await world.pass(500)
  assert.equal(world.sockets[1].url.searchParams.get("cursor"), "e-2")
  world.sockets[1].open()
  world.sockets[1].say(said(2, message(1, "a")))
  world.sockets[1].say(said(3, message(2, "b")))
  await settle()
  assert.deepEqual([texts(seen), syncs(world)], [["a", "b"], 1])
  assert.deepEqual(states(seen), ["connecting", "live", "offline", "connecting", "live"])
})

test("waits get longer while the server is away, and end when it is back", async () => {
  const {world, seen} = await live()
  world.isDown = true
  world.sockets[0].end()
  await world.pass(20_000)
  const retries = seen.filter(({retryAt}) => retryAt).map(({retryAt}) => retryAt)
  assert.deepEqual(retries, [500, 1_500, 3_500, 7_500, 15_500, 31_500])
  world.isDown = false
  await world.pass(12_000)
  world.sockets[1].open()
  await settle()
  assert.equal(states(seen).at(-1), "live")
})

test("Retry-After is kept", async () => {
  const {world} = await live()
  world.answer("POST /v1/feed/ticket", () => problem(503, "overloaded", {retryAfter: 90}))
  world.sockets[0].end()
  await world.pass(500)
  const count = world.requests.length
  await world.pass(89_999)
  assert.equal(world.requests.length, count)
  await world.pass(1)
  assert.equal(world.requests.length, count + 1)
})

test("a missing frame is asked for again, and everything if that does not help", async () => {
  const {world, seen} = await live()
  world.sockets[0].say(said(3, message(2, "later")))
  await settle()
  assert.equal(world.sockets[1].url.searchParams.get("cursor"), "e-1")
  world.answer("GET /v1/sync", () => ({body: snapshot(3, entry("pier"))}))
  world.sockets[1].open()
  world.sockets[1].say(said(3, message(2, "later")))
  await settle()
  assert.deepEqual([syncs(world), texts(seen), seen.filter(({type}) => type === "snapshot").length], [2, [], 2])
  assert.equal(world.sockets[2].url.searchParams.get("cursor"), "e-3")
})

test("a cursor that the server no longer knows begins with a snapshot", async () => {
  const {world, seen} = await live({cursor: "old-7"})
  world.sockets[0].say({type: "resync"})
  await settle()
  assert.deepEqual(seen.map(({type}) => type), ["connection", "connection", "connection", "snapshot"])
  assert.equal(world.sockets[1].url.searchParams.get("cursor"), "e-1")
})

test("a server that answers nothing but gaps is not asked without pause", async () => {
  const {world} = over()
  for (let i = 0; i < 20; i += 1) {
    await settle()
    const socket = world.sockets.at(-1)
    if (socket.readyState) continue
    socket.open()
    socket.say(said(9, message(9)))
  }
  assert.ok(world.sockets.length <= 4, `${world.sockets.length} connections`)
})

test("a connection that is silent for a minute is lost", async () => {
  const {world, seen} = await live()
  await world.pass(59_000)
  world.sockets[0].say({type: "heartbeat", cursor: "e-4"})
  await world.pass(59_999)
  assert.equal(states(seen).at(-1), "live")
  await world.pass(1)
  assert.equal(states(seen).at(-1), "offline")
  await world.pass(500)
  assert.equal(world.sockets[1].url.searchParams.get("cursor"), "e-4")
})

test("only what was applied is acknowledged, at most every two seconds", async () => {
  const {world, feed} = await (async () => {
    const world = new World()
    return {world, feed: world.nexus().feed({cursor: "e-1"})}
  })()
  const first = feed.next()
  await settle()
  await first
  world.sockets[0].open()
  for (const pos of [2, 3]) world.sockets[0].say(said(pos, message(pos)))
  const acks = () => world.sockets[0].sent.filter(({type}) => type === "ack").map(({cursor}) => cursor)
  await feed.next()
  await feed.next()
  await world.pass(5_000)
  assert.deepEqual([acks(), feed.cursor], [[], "e-1"])
  await feed.next()
  await world.pass(0)
  assert.deepEqual([acks(), feed.cursor], [["e-2"], "e-2"])
  feed.next()
  await world.pass(1_999)
  assert.deepEqual(acks(), ["e-2"])
  await world.pass(1)
  assert.deepEqual(acks(), ["e-2", "e-3"])
})

test("what the client says is said again on a new connection", async () => {
  const {world, feed} = await live()
  feed.open("pier")
  feed.watch(["ben"])
  feed.typing("pier")
  feed.typing("pier")
  world.sockets[0].end()
  await world.pass(500)
  world.sockets[1].open()
  const sent = index => world.sockets[index].sent.filter(({type}) => type !== "ack")
  assert.deepEqual(sent(0), [
    {type: "active", active: true}, {type: "open", conversationId: "pier"}, {type: "watch", userIds: ["ben"]},
    {type: "typing", conversationId: "pier", typing: true}])
  assert.deepEqual(sent(1), sent(0).slice(0, 3))
  await world.pass(25_000)
  assert.deepEqual(sent(1).at(-1), {type: "active", active: true})
})

test("presence, typing and pieces of answers are events", async () => {
  const {world, seen} = await live()
  for (const type of ["presence", "typing", "delta"]) world.sockets[0].say({type, people: []})
  await settle()
  assert.deepEqual(seen.slice(3).map(({type}) => type), ["presence", "typing", "delta"])
})

test("a session that ends while it waits ends the feed with the reason", async () => {
  const {world, seen} = await live()
  world.answer("POST /v1/feed/ticket", () => problem(401, "token_expired"))
  world.sockets[0].end(3000)
  await world.pass(500)
  assert.equal((await seen.end).reason, "tokenRefused")
})

test("signing out ends the feed", async () => {
  const {nexus, seen, world} = await live()
  await nexus.signOut()
  await settle()
  assert.equal((await seen.end).reason, "person")
  assert.equal(world.sockets[0].readyState, 3)
})

test("a person who was erased is signed out", async () => {
  const {world, seen, nexus} = await live()
  world.sockets[0].end(3003)
  await settle()
  assert.deepEqual([(await seen.end).reason, nexus.signedOut], ["erased", "erased"])
})

test("an error that no attempt mends ends the feed", async () => {
  const {seen} = await (async () => {
    const made = over({cursor: "nonsense"})
    made.world.answer("POST /v1/feed/ticket", () => problem(403, "origin_forbidden"))
    await settle()
    return made
  })()
  assert.equal((await seen.end).code, "origin_forbidden")
})

test("closing ends the loop and the socket, and leaving the loop closes", async () => {
  const {world, feed, seen} = await live()
  feed.close()
  await settle()
  assert.deepEqual([await seen.end, world.sockets[0].readyState, world.timers.size], ["ended", 3, 0])
  const controller = new AbortController()
  const other = over({signal: controller.signal})
  await settle()
  controller.abort()
  assert.equal(await other.seen.end, "ended")
  const third = new World()
  third.answer("GET /v1/sync", () => ({body: snapshot(1)}))
  for await (const {type} of third.nexus().feed()) if (type === "snapshot") break
  await settle()
  assert.equal(third.timers.size, 0)
})

// --- Server-sent events ---

const streaming = (world, streams = []) => {
  world.answer("GET /v1/feed", ({signal}) => {
    const stream = new FakeStream(signal)
    streams.push(stream)
    return stream
  })
  world.answer("POST /v1/feed/say", () => undefined)
  return streams
}

test("without WebSockets it reads server-sent events, in pieces of any size", async () => {
  const {world, seen, feed} = over({transport: "events"})
  const streams = streaming(world)
  await settle()
  const [request] = world.asked("GET /v1/feed")
  assert.deepEqual([request.query.cursor, request.headers.Accept], ["e-1", "text/event-stream"])
  streams[0].event("stream", {stream: "s"})
  await settle()
  feed.open("pier")
  for (const letter of `: hello\n\nid: e-2\r\nevent: frame\r\ndata: ${JSON.stringify(said(2, message(1, "grüße")))}\r\n\r\n`) streams[0].write(letter)
  streams[0].event("heartbeat", {cursor: "e-5"})
  streams[0].event("typing", {conversationId: "pier", userId: "ben", milliseconds: 6_000})
  await settle()
  assert.deepEqual([texts(seen), seen.at(-1).type, seen.at(-1).userId], [["grüße"], "typing", "ben"])
  assert.deepEqual(world.asked("POST /v1/feed/say").map(({body}) => body).filter(({type}) => type !== "ack"), [
    {type: "active", active: true, stream: "s"}, {type: "open", conversationId: "pier", stream: "s"}])
  streams[0].fail(new Error("cut"))
  await world.pass(500)
  assert.equal(world.asked("GET /v1/feed")[1].query.cursor, "e-5")
})

test("a stream that the server ends is opened again; it ends for good when the person is erased", async () => {
  const {world, seen} = over({transport: "events"})
  const streams = streaming(world)
  await settle()
  streams[0].event("end", {reason: "token_expired"})
  await world.pass(500)
  assert.equal(streams.length, 2)
  streams[1].event("end", {reason: "user_erased"})
  await settle()
  assert.equal((await seen.end).reason, "erased")
})

test("a silent stream is lost, and a comment is a sign", async () => {
  const {world, seen} = over({transport: "events"})
  const streams = streaming(world)
  await settle()
  streams[0].event("stream", {stream: "s"})
  await world.pass(59_000)
  streams[0].write(": still here\n\n")
  await world.pass(59_000)
  assert.equal(states(seen).at(-1), "live")
  await world.pass(1_000)
  assert.equal(states(seen).at(-1), "offline")
})

test("where sockets do not open it changes to server-sent events", async () => {
  const {world, seen} = over()
  const streams = streaming(world)
  await settle()
  world.sockets[0].end()
  await world.pass(500)
  streams[0].event("stream", {stream: "s"})
  await settle()
  assert.equal(states(seen).at(-1), "live")
})

test("a socket that fails without being closed, as in Node 22, is given up at once", async () => {
  const {world} = over()
  const streams = streaming(world)
  await settle()
  world.sockets[0].onerror?.({})
  await world.pass(500)
  assert.equal(streams.length, 1)
})

test("a closed stream is cancelled", async () => {
  const {world, feed} = over({transport: "events"})
  const streams = streaming(world)
  await settle()
  feed.close()
  await settle()
  assert.equal(world.asked("GET /v1/feed")[0].signal.aborted, true)
  assert.equal(streams.length, 1)
})
