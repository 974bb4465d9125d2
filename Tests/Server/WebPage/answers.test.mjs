import assert from "node:assert/strict"
import {test} from "node:test"
import {blocks, marks} from "../../../Sources/Server/WebPage/Files/assistant/citations.js"
import {excerpt, found, highlight, struck, words} from "../../../Sources/Server/WebPage/Files/assistant/highlight.js"

const cut = (text, citations) => marks(text, citations).map(mark => text.slice(mark.start, mark.end))
const hits = (text, query) => highlight(text, query).filter(part => part.isHit).map(part => part.text)

test("citations are placed by characters as people see them", () => {
  const text = "👩‍👩‍👧 é 🇩🇪 caf\u0065\u0301 [1]\r\nend [2]"
  const characters = Array.from(new Intl.Segmenter("en", {granularity: "grapheme"}).segment(text), part => part.segment)
  const first = characters.indexOf("[")
  const second = characters.lastIndexOf("[")
  const all = [{number: 1, start: first, end: first + 3}, {number: 2, start: second, end: second + 3}]
  assert.deepEqual(cut(text, all), ["[1]", "[2]"])
  assert.equal(characters.includes("\r\n"), true)
})

test("several sources share one bracket", () => {
  const list = marks("so it is [1, 2].", [{number: 2, start: 9, end: 15}, {number: 1, start: 9, end: 15}])
  assert.equal(list.length, 1)
  assert.deepEqual(list[0].citations.map(one => one.number), [2, 1])
})

test("citations beyond the text so far are left out", () => {
  assert.deepEqual(cut("so [1", [{number: 1, start: 3, end: 6}]), [])
  assert.deepEqual(cut("", [{number: 1, start: 0, end: 3}]), [])
})

test("a range that is off moves to the bracket with its number", () => {
  assert.deepEqual(cut("go live [1] on Friday [2]", [{number: 1, start: 10, end: 13}]), ["[1]"])
  assert.deepEqual(cut("nothing here at all, really", [{number: 1, start: 10, end: 13}]), [])
})

test("answers become blocks, and citations stay in them", () => {
  const text = "Intro:\n\n> one\n> two [1]\n\n- **bold** `x` https://a.example/b.\n1. first\n# Head\ntail"
  const start = text.indexOf("[1]")
  const list = blocks(text, [{number: 1, start, end: start + 3}])
  assert.deepEqual(list.map(block => block.kind), ["paragraph", "quote", "items", "numbers", "heading", "paragraph"])
  const [said] = list[1].blocks
  assert.deepEqual(said.nodes.map(node => node.text), ["one\ntwo ", "[1]"])
  assert.equal(said.nodes[1].mark.origin.citations[0].number, 1)
})

test("a sentence without support is marked at its end, behind its citation", () => {
  const text = "Ä1 [1]. Two. Three."
  const sentences = [
    {start: 0, end: 7, needsSource: true, support: "contradicted"}, {start: 8, end: 12, needsSource: true, support: "supported"},
    {start: 13, end: 19, needsSource: true, support: "unsupported"}, {start: 0, end: 3, needsSource: false}]
  const {nodes} = blocks(text, [{number: 1, start: 3, end: 6}], sentences)[0]
  assert.deepEqual(nodes.map(node => node.mark?.origin.sentence?.support ?? node.text),
    ["Ä1 ", "[1]", ".", "contradicted", " Two. Three.", "unsupported"])
  assert.deepEqual(marks("so", [], [{start: 0, end: 9, support: "partly"}]), [])
})

test("a citation without a bracket is placed at the end of its sentence", () => {
  const {nodes} = blocks("One. Two.", [{number: 1, start: 4, end: 4}])[0]
  assert.deepEqual(nodes.map(node => [node.text, node.mark?.origin.citations[0].number]), [["One.", undefined], ["", 1], [" Two.", undefined]])
})

test("an unfinished answer is cut without errors at any character", () => {
  const text = "**a** [1]\n```js\nx\n```\n> q [2"
  for (let end = 0; end <= text.length; end++) blocks(text.slice(0, end), [{number: 1, start: 6, end: 9}])
})

test("a query's words are marked with their inflected forms and accents", () => {
  assert.deepEqual(hits("The Hamburg pilot goes live; pilots fly.", "when does the hamburg pilot go live"),
    ["Hamburg", "pilot", "live", "pilots"])
  assert.deepEqual(hits("Die Müllabfuhr kommt", "mullabfuhr"), ["Müllabfuhr"])
  assert.deepEqual(hits("cat concatenate", "cat"), ["cat"])
  assert.deepEqual(hits("the end", ""), [])
  assert.deepEqual(hits("会議は金曜日です", "金曜日"), ["金曜日"])
  assert.deepEqual(words("Who is it?"), ["it"])
})

test("highlighting loses no character", () => {
  const text = "a\u0301 👍🏽 <mark> Straße שלום مرحبا"
  assert.equal(highlight(text, "straße שלום mark").map(part => part.text).join(""), text)
})

test("a long text is cut around its first hit", () => {
  const text = "lorem ".repeat(200) + "crane " + "ipsum ".repeat(200)
  const part = excerpt(text, "crane")
  assert.ok(part.startsWith("… ") && part.endsWith(" …") && part.includes("crane") && part.length < 340)
  assert.equal(excerpt("short", "x"), "short")
  assert.ok(excerpt("x".repeat(250_000), "y").length < 340)
})

test("a result shows the part that the server found", () => {
  const text = "👍 One. The crane is late. Two."
  const part = "The crane is late."
  const start = text.indexOf(part)
  assert.equal(found({text, excerpt: part, start, end: start + part.length}, "crane"), "… The crane is late. …")
  assert.equal(text.slice(start, start + part.length), part)
  assert.equal(found({text: part, excerpt: part, start: 0, end: part.length}, "x"), part)
  assert.equal(found({text: "list", excerpt: "words of a file"}, "x"), "words of a file")
  assert.equal(found({text: part}, "crane"), part)
})

test("only the values that were replaced are struck out", () => {
  const said = (text, ...states) => struck(text, states.map(([value, isReplaced]) => ({kind: "date", text: value, isReplaced})))
    ?.map(({text: part, isReplaced}) => isReplaced ? `-${part}-` : part).join("")
  assert.equal(said("Dinner is on 12 May at 19:00.", ["12 May", true], ["19:00"]), "Dinner is on -12 May- at 19:00.")
  assert.equal(said("12 boats on 12 May", ["12 boats"], ["12 May", true]), "12 boats on -12 May-")
  assert.equal(said("5 of 5", ["5"], ["5", true]), "5 of -5-")
  assert.equal(said("In 15 of 4.5 rooms are 5 by 9:00", ["5", true], ["9:00"]), "In 15 of 4.5 rooms are -5- by 9:00")
  // All of it, or nothing that can be placed: the whole sentence.
  assert.equal(said("Dinner is on 12 May.", ["12 May", true]), undefined)
  assert.equal(said("Dinner is on 12 May.", ["12 May"]), undefined)
  assert.equal(said("Dinner is on 12\u00a0May at 19:00.", ["12 May", true], ["19:00"]), undefined)
})
