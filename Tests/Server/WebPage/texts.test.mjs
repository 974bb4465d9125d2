import test from "node:test"
import assert from "node:assert/strict"
import fs from "node:fs"
import path from "node:path"

const files = new URL("../../../Sources/Server/WebPage/Files/", import.meta.url)
const names = fs.readdirSync(files, {recursive: true}).filter(name => name.endsWith(".js"))
const source = names.filter(name => !name.startsWith("text/")).map(name => fs.readFileSync(new URL(name, files), "utf8")).join("\n")
const lib = await import(new URL("lib/text.js", files))
const areas = []
for (const name of names.filter(name => name.startsWith("text/"))) {
  const {default: area} = await import(new URL(name, files))
  if (area?.en) areas.push([path.basename(name), area])
}
const slots = text => [...new Set(typeof text === "string" ? text.match(/\{\w+\}/g) : Object.values(text).join().match(/\{\w+\}/g))].sort()

test("every text is there in English and German, with the same places for values", () => {
  assert.ok(areas.length >= 3)
  for (const [name, {en, de}] of areas) {
    assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort(), name)
    for (const key of Object.keys(en)) assert.deepEqual(slots(de[key]), slots(en[key]), key)
  }
})

test("every text of the code exists", () => {
  const known = new Set(areas.flatMap(([, {en}]) => Object.keys(en)))
  const used = [...source.matchAll(/\b(?:t|parts)\("([\w.-]+)"/g)].map(match => match[1])
  assert.deepEqual([...new Set(used)].filter(key => !known.has(key)), [])
})

test("every text is used", () => {
  const computed = [...source.matchAll(/`([a-z]+(?:\.[\w-]+)*\.)\$\{/g)].map(match => match[1])
  const isUsed = key => source.includes(`"${key}"`) || computed.some(prefix => key.startsWith(prefix)) ||
    source.includes(`"${key.slice(key.indexOf(".") + 1)}"`) || source.includes(`${key.slice(key.indexOf(".") + 1)}:`)
  for (const [name, {en}] of areas) assert.deepEqual(Object.keys(en).filter(key => !isUsed(key)), [], name)
})

test("values and plurals are placed", () => {
  lib.addTexts({en: {"test.a": {one: "{count} day, {who}", other: "{count} days, {who}"}, "test.b": "by {who}."}, de: {}})
  assert.equal(lib.t("test.a", {count: 1, who: "Ada"}), "1 day, Ada")
  assert.equal(lib.t("test.a", {count: 1200, who: "$&"}), "1,200 days, $&")
  const node = {tag: "b"}
  assert.deepEqual(lib.parts("test.b", {who: node}), ["by ", node, "."])
  assert.equal(lib.t("test.none"), "test.none")
})

test("times are told for people", () => {
  lib.setTimeZone("UTC")
  const now = Date.parse("2026-11-23T15:00:00Z")
  assert.equal(lib.day("2026-11-23T01:00:00Z", now), "Today")
  assert.equal(lib.day("2026-11-22T23:00:00Z", now), "Yesterday")
  assert.match(lib.day("2026-10-09T10:00:00Z", now), /Friday.*October|October.*9/)
  assert.match(lib.day("2025-10-09T10:00:00Z", now), /2025/)
  assert.match(lib.shortTime("2026-11-23T09:05:00Z", now), /9:05/)
  assert.equal(lib.shortTime("2026-11-20T09:05:00Z", now), "Fri")
  assert.equal(lib.ago(now - 2 * 3_600_000, now), "2 hours ago")
  assert.equal(lib.bytes(1_500_000), "1.5 MB")
  lib.setTimeZone("Asia/Tokyo")
  assert.equal(lib.day("2026-11-22T23:00:00Z", now), "Yesterday")
  assert.equal(lib.day("2026-11-23T16:00:00Z", now + 3_600_000), "Today")
})
