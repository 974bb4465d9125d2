import test from "node:test"
import assert from "node:assert/strict"
import * as parts from "../../../Sources/Server/WebPage/Files/chat/parts.js"

const isSameDay = (a, b) => a.slice(0, 10) === b.slice(0, 10)
const message = (id, senderId, timestamp, more = {}) => ({id, senderId, timestamp, kind: "text", text: "", ...more})

test("groups messages of one sender within five minutes", () => {
  const a = message("1", "ada", "2026-10-01T10:00:00Z")
  const options = {newFrom: null, isSameDay}
  assert.deepEqual(parts.placeOf(a, undefined, options), {isFirst: true, startsDay: true, isNew: false})
  const next = (more, time = "2026-10-01T10:04:00Z") => parts.placeOf(message("2", "ada", time, more), a, options)
  assert.equal(next().isFirst, false)
  assert.equal(next({}, "2026-10-01T10:06:00Z").isFirst, true)
  assert.equal(next({senderId: "ben"}).isFirst, true)
  assert.equal(next({kind: "assistant"}).isFirst, true)
  assert.equal(next({threadRoot: "x"}).isFirst, true)
  assert.deepEqual(next({}, "2026-10-02T00:00:00Z"), {isFirst: true, startsDay: true, isNew: false})
  assert.deepEqual(
    parts.placeOf(message("2", "ada", "2026-10-01T10:00:01Z"), a, {...options, newFrom: "2"}),
    {isFirst: true, startsDay: false, isNew: true})
})

test("keeps the messages of one thread in one group", () => {
  const a = message("1", "ada", "2026-10-01T10:00:00Z", {threadRoot: "r"})
  const b = message("2", "ada", "2026-10-01T10:01:00Z", {threadRoot: "r"})
  assert.equal(parts.placeOf(b, a, {newFrom: null, isSameDay}).isFirst, false)
})

test("finds mentions as the server does", () => {
  const read = parts.mentionReader([
    {userId: "ada", name: "Ada"}, {userId: "ada-l", name: "Ada Lovelace"}, {userId: "ben", name: "Ben", aliases: ["Benny"]},
    {userId: "sam-1", name: "Sam"}, {userId: "sam-2", name: "Sam"},
  ])
  const found = text => read(text).map(m => [text.slice(m.start, m.end), m.userId])
  assert.deepEqual(found("@Ada Lovelace and @ada, @BENNY!"), [["@Ada Lovelace", "ada-l"], ["@ada", "ada"], ["@BENNY", "ben"]])
  assert.deepEqual(found("x@ada @adam @sam 😀@ben é@ben"), [["@ben", "ben"]])
  assert.deepEqual(found("@sam-1"), [["@sam-1", "sam-1"]])
  // A longer name, code, a quote and an address mention nobody.
  for (const text of ["@Ada-Lin", "@ben.bot x", "@ada@chat.example", "https://a.example/@ada", "`@ada`", "``a ` @ada``",
    "`a\nb @ada`", "```\n@ada\n```", "~~~sh\n@ada", "> @ada said", "  > @ada"]) assert.deepEqual(found(text), [], text)
  for (const text of ["@ada.", "@ada - yes", "@ada...", "` @ada", "\\`@ada`", "a `b` @ada `c`", "> hm\n@ada", "a > @ada",
    "```\nx\n```\n@ada", "`a\n\n@ada `"]) assert.equal(found(text).length, 1, text)
})

test("finds mentions among many backticks in linear time", () => {
  const read = parts.mentionReader([{userId: "ada", name: "ada"}])
  const start = process.cpuUsage().user
  read("` @ada ".repeat(20_000))
  assert.ok(process.cpuUsage().user - start < 2_000_000)
})

test("cuts long texts between letters", () => {
  assert.equal(parts.cut("a😀b", 2), "a")
  assert.equal(parts.cut("ab", 5), "ab")
  const word = "x".repeat(250_000)
  assert.equal(parts.shortened(word).length, parts.LONG_TEXT)
  assert.equal(parts.shortened("x".repeat(parts.LONG_TEXT)), null)
  assert.equal(parts.shortened("a\n".repeat(100)).split("\n").length, parts.LONG_LINES)
  assert.equal(parts.shortened("a\n".repeat(parts.LONG_LINES)), null)
  for (const piece of ["😀", "e\u0301", "👩‍👩‍👧"]) assert.doesNotMatch(parts.shortened(piece.repeat(5_000)), /[\ud800-\udbff]$/)
})

test("keeps a window of a hundred thousand messages small", () => {
  assert.equal(parts.windowStart({start: 0, length: 100_000, isAtEnd: true}), 100_000 - parts.SETTLED)
  assert.equal(parts.windowStart({start: 99_900, length: 100_000, isAtEnd: true}), 99_900)
  assert.equal(parts.windowStart({start: 5, length: 20, isAtEnd: false}), 5)
  assert.equal(parts.windowStart({start: 50, length: 20, isAtEnd: false}), 19)
  assert.equal(parts.windowStart({start: 50, length: 20, isAtEnd: true}), 0)
  assert.equal(parts.windowAround(10, 100_000), 0)
  assert.equal(parts.windowAround(50_000, 100_000), 50_000 - parts.LIMIT / 2)
  assert.equal(parts.windowAround(99_999, 100_000), 100_000 - parts.SETTLED)
  assert.ok(parts.LIMIT <= 200)
})

test("completes a mention where a word begins", () => {
  const query = text => parts.mentionQuery(text, text.length)
  assert.deepEqual(query("@ad"), {start: 0, query: "ad", isFirst: true})
  assert.deepEqual(query("hi @Ada L"), {start: 3, query: "Ada L", isFirst: false})
  assert.equal(query("mail@ad"), null)
  assert.equal(query("@ ada"), null)
  assert.equal(query("@ada\nx"), null)
  assert.equal(query("none"), null)
})

test("an emoji is named behind a colon that begins a word", () => {
  const query = text => parts.emojiQuery(text, text.length)
  assert.deepEqual(query(":tad"), {start: 0, query: "tad"})
  assert.deepEqual(query("fine (:+1"), {start: 6, query: "+1"})
  assert.deepEqual(query("a :thumbs_u"), {start: 2, query: "thumbs_u"})
  for (const text of [":t", "at 10:30", "a:tada", ": tada", "https://x", ":tada "]) assert.equal(query(text), null, text)
})

test("offers people by the beginning of their names", () => {
  const people = [{id: "jonas-b", name: "Jonas Brehmer"}, {id: "b2", name: "Bjørn"}, {id: "z", name: "Zoë Brand", aliases: ["Zed"]}]
  const names = query => parts.candidates(people, query).map(p => p.id)
  assert.deepEqual(names("b"), ["b2", "jonas-b", "z"])
  assert.deepEqual(names("zoe"), ["z"])
  assert.deepEqual(names("ZED"), ["z"])
  assert.deepEqual(names("x"), [])
})

test("takes the list of sources off an answer", () => {
  const sources = [{number: 1}, {number: 2}]
  assert.equal(parts.withoutSourceLines("On Friday [1], or [2].\n\n[1] Mara, 2026\n[2] Jonas, 2026", sources), "On Friday [1], or [2].")
  assert.equal(parts.withoutSourceLines("On Friday [1].\n\n[1] Mara", sources), "On Friday [1].\n\n[1] Mara")
})
