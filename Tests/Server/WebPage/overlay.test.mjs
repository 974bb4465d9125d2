import assert from "node:assert/strict"
import {test} from "node:test"
import {isSameEmoji, overlaid} from "../../../Sources/Server/WebPage/Files/data/overlay.js"

test("the forms of one emoji are one reaction", () => {
  assert.equal(isSameEmoji("\u2764", "\u2764\uFE0F"), true)
  assert.equal(isSameEmoji("\u2764\uFE0E", "\u2764"), true)
  assert.equal(isSameEmoji("\u{1F44D}", "\u{1F44D}\u{1F3FB}"), false)

  const message = {id: "m1", reactions: [{emoji: "\u2764\uFE0F", userIds: ["ada"]}]}
  const change = (emoji, isOn, userId) => overlaid(message, {kind: "react", emoji, isOn}, userId).reactions
  assert.deepEqual(change("\u2764", true, "ben"), [{emoji: "\u2764\uFE0F", userIds: ["ada", "ben"]}])
  assert.deepEqual(change("\u2764", true, "ada"), message.reactions)
  assert.deepEqual(change("\u2764", false, "ada"), [])
})
