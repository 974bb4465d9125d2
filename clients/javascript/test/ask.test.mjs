import assert from "node:assert/strict"
import {test} from "node:test"
import {FakeStream, World, collect, problem, settle} from "./world.mjs"

const source = {conversationId: "pier", messageId: "m1", rank: 1, replacedBy: {conversationId: "pier", messageId: "m9"}}
const whole = {answer: "Friday [1]", citations: [], sources: [source]}

const asking = (options, route = "POST /v1/ask") => {
  const world = new World()
  const made = {world}
  world.answer(route, ({signal}) => (made.stream = new FakeStream(signal)))
  made.asking = world.nexus().ask("When?", options)
  return made
}

test("sources, text, the check and what is outdated come before the answer", async () => {
  const made = asking({topK: 3})
  const seen = collect(made.asking)
  await settle()
  const {stream, world} = made
  assert.deepEqual(world.requests[0].body, {question: "When?", topK: 3})
  stream.event("retrieval", {sources: [source]})
  stream.event("reading", {share: 0.5})
  await settle()
  assert.deepEqual(seen, [{type: "sources", sources: [source]}, {type: "reading", share: 0.5}])
  stream.event("delta", {text: "Fri"})
  stream.event("citation", {number: 1})
  stream.event("support", {answer: "Friday [1]", citations: [], sentences: []})
  stream.event("done", whole)
  assert.equal(await seen.end, "ended")
  assert.deepEqual(seen.slice(2).map(({type}) => type), ["text", "citation", "support", "outdated", "done"])
  assert.deepEqual([seen.at(-2).by, seen.at(-1).answer], [source.replacedBy, whole])
})

test("the whole answer without a loop", async () => {
  const made = asking()
  const answer = made.asking.answer()
  await settle()
  made.stream.event("delta", {text: "Fri"})
  made.stream.event("done", whole)
  assert.deepEqual(await answer, whole)
})

test("a question to one conversation goes to its assistant", async () => {
  const made = asking({conversationId: "pier", language: "de"}, "POST /v1/conversations/pier/assistant")
  collect(made.asking)
  await settle()
  assert.deepEqual(made.world.requests[0].body, {text: "When?", language: "de"})
})

test("a stream that ends without an answer is an error, and so is an event `error`", async () => {
  for (const [act, code] of [
    [stream => stream.end(), "incomplete"], [stream => stream.fail(new Error("cut")), "unreachable"],
    [stream => stream.event("error", {status: 503, code: "model_failed", detail: "…"}), "model_failed"],
  ]) {
    const made = asking()
    const seen = collect(made.asking)
    await settle()
    made.stream.event("delta", {text: "half"})
    await settle()
    act(made.stream)
    assert.equal((await seen.end).code, code)
    assert.deepEqual(seen, [{type: "text", text: "half"}])
  }
})

test("a refused question is an error of the first read", async () => {
  const world = new World()
  world.answer("POST /v1/ask", () => problem(429, "too_many_questions"))
  const asked = world.nexus().ask("When?")
  assert.equal(world.requests.length, 0)
  await assert.rejects(asked.next(), {code: "too_many_questions"})
  assert.equal(world.requests.length, 1)
})

test("leaving the loop stops the model", async () => {
  const made = asking()
  const done = (async () => { for await (const _ of made.asking) break })()
  await settle()
  made.stream.event("retrieval", {sources: []})
  await done
  await settle()
  assert.equal(made.stream.isCancelled, true)
})
