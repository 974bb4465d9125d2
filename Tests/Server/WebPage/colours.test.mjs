import test from "node:test"
import assert from "node:assert/strict"

const {pieces} = await import(new URL("../../../Sources/Server/WebPage/Files/lib/colours.js", import.meta.url))
const marked = (code, language) => pieces(code, language).map(({kind, text}) => (kind ? `<${kind} ${text}>` : text)).join("")

test("comments, texts, numbers and words of the language are told apart", () => {
  assert.equal(marked(`let a = "if // b" // if "c"\nreturn 12.5 + a1`, "swift"),
    `<word let> a = <text "if // b"> <comment // if "c">\n<word return> <number 12.5> + a1`)
  assert.equal(marked("x = 'a#b' # def\ny = a#b", "Python"), "x = <text 'a#b'> <comment # def>\ny = a#b")
  assert.equal(marked("Select 1 -- from\nFROM t", "sql"), "<word Select> <number 1> <comment -- from>\n<word FROM> t")
  assert.equal(marked("a /* 1\n2 */ `b ${c}\n`", "js"), "a <comment /* 1\n2 */> <text `b ${c}\n`>")
})

test("an unknown language and long code stay as they are", () => {
  assert.equal(marked("let a = 1", "klingon"), "let a = 1")
  assert.equal(marked("let a = 1", ""), "let a = 1")
  const long = "let a = 1\n".repeat(3_000)
  assert.deepEqual(pieces(long, "js"), [{kind: null, text: long}])
})

// A generator with a seed: the same codes at every run.
const random = seed => () => (seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0) >>> 0
test("the pieces are the whole code, whatever it is", () => {
  const next = random(7), parts = ["\"", "'", "`", "\\", "/*", "*/", "//", "#", "--", "\"\"\"", "\n", " ", "if", "9.", "é", "${", "}", "�"]
  for (let round = 0; round < 3_000; round++) {
    const code = Array.from({length: next() % 40}, () => parts[next() % parts.length]).join("")
    for (const language of ["js", "python", "sql", "json"]) {
      assert.equal(pieces(code, language).map(({text}) => text).join(""), code)
    }
  }
})

test("what is not closed is read once", () => {
  for (const part of ["/* a", "\"\"\"", "`\\"]) {
    const code = part.repeat(5_001)
    const [{text}, ...rest] = pieces(code, "js")
    assert.ok(text.length >= code.length - part.length && rest.length <= 1, part)
  }
  assert.equal(pieces("'" + "a".repeat(2_000) + "'", "js")[0].kind, null)
})
