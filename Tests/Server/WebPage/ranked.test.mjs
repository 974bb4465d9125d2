import test from "node:test"
import assert from "node:assert/strict"

const {ranked} = await import(new URL("../../../Sources/Server/WebPage/Files/lib/ranked.js", import.meta.url))
const names = (entries, query) => ranked(entries.map(name => ({name})), query).map(({name}) => name)

test("each word begins a word of the name, in any order", () => {
  assert.deepEqual(names(["Harbor crew", "Crew cabins", "Harbour"], "ha cr"), ["Harbor crew"])
  assert.deepEqual(names(["Harbor crew", "Crew cabins"], "crew"), ["Crew cabins", "Harbor crew"])
  assert.deepEqual(names(["Harbor crew"], "arbor"), [])
})

test("accents, letter case and punctuation do not matter", () => {
  assert.deepEqual(names(["Émile-Antoine", "emil"], "emi"), ["Émile-Antoine", "emil"])
  assert.deepEqual(names(["Émile-Antoine", "Tony"], "ANT"), ["Émile-Antoine"])
})

test("without words all stay in their order", () => {
  assert.deepEqual(names(["b", "a"], "  "), ["b", "a"])
})
