import test from "node:test"
import assert from "node:assert/strict"
import fs from "node:fs"
import texts from "../../../Sources/Server/WebPage/Files/text/administration.js"

const file = path => fs.readFileSync(new URL(`../../../Sources/${path}`, import.meta.url), "utf8")

test("the page has a choice and a text for each action of the audit log", () => {
  const swift = file("Core/ChatCore/Values/AuditEntry.swift")
  const actions = [...swift.slice(0, swift.indexOf("var isLong")).matchAll(/case \w+ = "([\w.-]+)"/g)].map(match => match[1]).concat("other")
  const list = file("Server/WebPage/Files/administration/audit.js").match(/ACTIONS = \[([^\]]*)\]/)[1]
  assert.ok(actions.length > 20)
  assert.deepEqual([...list.matchAll(/"([\w.-]+)"/g)].map(match => match[1]).sort(), [...actions].sort())
  for (const action of actions) assert.ok(texts.en[`administration.audit.${action}`], action)
})
