import assert from "node:assert/strict"
import {readFile} from "node:fs/promises"
import {test} from "node:test"
import * as library from "../src/index.js"

const declared = (text, name) => {
  const body = new RegExp(`export class ${name} [^]*?\\n}`).exec(text)[0]
  const found = [...body.matchAll(/^ {2}(static )?(?:readonly )?([a-zA-Z]+)\??(?:<[^(]*>)?[(:]/gm)]
  return new Set(found.filter(([, , one]) => one !== "constructor").map(([, isStatic, one]) => (isStatic ?? "") + one))
}

test("the types name what there is", async () => {
  const text = await readFile(new URL("../src/index.d.ts", import.meta.url), "utf8")
  assert.deepEqual(Object.keys(library).sort(), [...text.matchAll(/export class (\w+)/g)].map(([, name]) => name).sort())
  const nexus = new library.Nexus("https://chat.example.com")
  for (const name of declared(text, "Nexus")) {
    const [, isStatic, member] = /^(static )?(.*)$/.exec(name)
    assert.ok(member in (isStatic ? library.Nexus : nexus), name)
  }
  const public_ = Object.getOwnPropertyNames(library.Nexus.prototype).filter(name => name !== "constructor")
  assert.deepEqual(public_.filter(name => !declared(text, "Nexus").has(name)), [])
  const chat = Object.create(library.Chat.prototype)
  for (const name of declared(text, "Chat")) {
    const isValue = ["ready", "feed", "connection", "error", "userId", "notifications", "settings"].includes(name)
    assert.ok(isValue || name in chat, name)
  }
  for (const name of declared(text, "WebStore")) assert.ok(name in library.WebStore.prototype, name)
  for (const name of declared(text, "Feed")) assert.ok(name === "cursor" || name in library.Feed.prototype, name)
})
