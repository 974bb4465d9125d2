import assert from "node:assert/strict"
import {readdirSync, readFileSync} from "node:fs"
import {test} from "node:test"
import administration from "../../../Sources/Server/WebPage/Files/text/administration.js"
import assistant from "../../../Sources/Server/WebPage/Files/text/assistant.js"

const files = new URL("../../../Sources/Server/WebPage/Files/", import.meta.url)
const sources = ["assistant", "administration"].flatMap(folder => readdirSync(new URL(folder, files))
  .map(name => readFileSync(new URL(`${folder}/${name}`, files), "utf8"))).join("\n")

test("each text that is named in full exists", () => {
  const known = new Set([...Object.keys(assistant.en), ...Object.keys(administration.en)])
  const named = sources.matchAll(/\bt\("((?:assistant|administration)\.[\w.-]+)"/g)
  const short = sources.matchAll(/\ba\("([\w.-]+)"/g)
  const missing = [...Array.from(named, found => found[1]), ...Array.from(short, found => `administration.${found[1]}`)]
    .filter(key => !known.has(key))
  assert.deepEqual(missing, [])
})

test("both languages have the same values", () => {
  const values = text => [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].sort()
  for (const {en, de} of [assistant, administration]) {
    for (const key of Object.keys(en)) assert.deepEqual(values(de[key]), values(en[key]), key)
  }
})

test("no markup sink is used", () => {
  assert.doesNotMatch(sources, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/)
})
