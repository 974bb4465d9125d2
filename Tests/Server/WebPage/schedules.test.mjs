import assert from "node:assert/strict"
import {test} from "node:test"
import {bodyOf, dayName, DAYS, daysKind, draftOf, toggled} from "../../../Sources/Server/WebPage/Files/assistant/schedule-draft.js"

test("the body of a question names its conversation, or none", () => {
  const draft = {...draftOf(null, "  What changed?  "), days: ["friday", "monday"]}
  assert.deepEqual(bodyOf(draft, "Europe/Berlin", "de"),
    {question: "What changed?", conversationId: null, days: ["monday", "friday"], time: "09:00", timeZone: "Europe/Berlin"})
  assert.equal(bodyOf({...draft, in: "pier"}, "UTC", "de").conversationId, "pier")
})

test("the body of a digest has its parts in order, and the language", () => {
  const draft = {...draftOf(null), parts: ["decisions", "missed"]}
  assert.deepEqual(bodyOf(draft, "UTC", "de"),
    {digest: ["missed", "decisions"], language: "de", days: ["monday"], time: "09:00", timeZone: "UTC"})
})

test("there is no body while something is missing", () => {
  const question = draftOf(null, "What?")
  for (const change of [{question: " "}, {days: []}, {time: ""}]) assert.equal(bodyOf({...question, ...change}, "UTC", "en"), null)
  assert.equal(bodyOf({...draftOf(null), parts: []}, "UTC", "en"), null)
})

test("a stored schedule keeps its zone when it is changed elsewhere", () => {
  const schedule = {id: "s", question: "What?", conversationId: "pier", days: ["sunday"], time: "07:30", timeZone: "Asia/Tokyo"}
  assert.deepEqual(bodyOf(draftOf(schedule), "Europe/Berlin", "en"),
    {question: "What?", conversationId: "pier", days: ["sunday"], time: "07:30", timeZone: "Asia/Tokyo"})
})

test("days have short names", () => {
  assert.equal(daysKind(DAYS), "daily")
  assert.equal(daysKind(DAYS.slice(0, 5)), "weekdays")
  assert.equal(daysKind(["monday"]), null)
  assert.equal(daysKind([...DAYS.slice(0, 4), "saturday"]), null)
  assert.deepEqual(DAYS.map(day => dayName(day, "en", "short")), ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
  assert.equal(dayName("sunday", "de"), "Sonntag")
})

test("a value is put in once and taken out", () => {
  assert.deepEqual(toggled(["a"], "b", true), ["a", "b"])
  assert.deepEqual(toggled(["a", "b"], "b", true), ["a", "b"])
  assert.deepEqual(toggled(["a", "b"], "a", false), ["b"])
})
