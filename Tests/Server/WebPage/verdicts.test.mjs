import assert from "node:assert/strict"
import test from "node:test"
import {laterThan, undoBody, verdictBody} from "../../../Sources/Server/WebPage/Files/assistant/verdict.js"

const entry = (messageId, day, more) => ({
  conversationId: "ferry", messageId, timestamp: `2026-10-0${day}T09:00:00.000Z`, start: 0, end: 28, excerpt: "…", ...more})

test("a verdict names both messages and the sentence", () => {
  const newer = {conversationId: "quay", messageId: "m2", senderName: "Mara"}
  assert.deepEqual(verdictBody("holds", entry("m1", 1), newer), {
    verdict: "holds", message: {conversationId: "ferry", messageId: "m1"}, start: 0, end: 28,
    replacedBy: {conversationId: "quay", messageId: "m2"}})
  // A sentence in a file has no place in the text, and a source of an answer is a whole message.
  const whole = {verdict: "holds", message: {conversationId: "ferry", messageId: "m1"}, replacedBy: {conversationId: "quay", messageId: "m2"}}
  assert.deepEqual(verdictBody("holds", entry("m1", 1, {start: undefined, end: undefined}), newer), whole)
  assert.deepEqual(verdictBody("holds", entry("m1", 1), newer, false), whole)
})

test("taking back names what the verdict named", () => {
  const newer = {conversationId: "ferry", messageId: "m2"}
  assert.deepEqual(undoBody(entry("m1", 1), {newer, start: 3, end: 9}), {
    verdict: "none", message: {conversationId: "ferry", messageId: "m1"}, start: 3, end: 9, replacedBy: newer})
  assert.deepEqual(undoBody(entry("m1", 1), {newer}), {
    verdict: "none", message: {conversationId: "ferry", messageId: "m1"}, replacedBy: newer})
})

test("only later messages may have replaced a sentence, each once", () => {
  const entries = [entry("m4", 4), entry("m3", 3, {start: 30}), entry("m3", 3), entry("m2", 2), entry("m2", 2, {start: 30}), entry("m1", 1)]
  const names = one => laterThan(one, entries).map(({messageId, start}) => `${messageId} ${start}`)
  assert.deepEqual(names(entries[5]), ["m4 0", "m3 30", "m2 0"])
  assert.deepEqual(names(entries[4]), ["m4 0", "m3 30"])
  assert.deepEqual(names(entries[0]), [])
})
