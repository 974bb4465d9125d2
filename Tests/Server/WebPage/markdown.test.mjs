import test from "node:test"
import assert from "node:assert/strict"
import {readFileSync} from "node:fs"
import {linksIn, markdown, plainText} from "../../../Sources/Server/WebPage/Files/lib/markdown.js"
import {blockNodes} from "../../../Sources/Server/WebPage/Files/lib/prose.js"

const mark = (range, words) => ({tag: "span", props: {class: range.kind}, children: [words]})
const nodes = (text, ranges) => blockNodes(markdown(text, ranges), {mark, tab: -1})
const html = node => Array.isArray(node) ? node.map(html).join("") : typeof node === "string" ? node
  : node.tag === "button" ? "" : `<${node.tag}${node.tag === "a" ? " " + node.props.href : ""}>${html(node.children)}</${node.tag}>`
const shown = text => html(nodes(text))
const same = examples => {
  for (const [text, expected] of Object.entries(examples)) assert.equal(shown(text), expected, text)
}

test("emphasis, struck and code words", () => same({
  "a **b** *c* _d_ __e__ ~~f~~ `g*h*`": "<p>a <strong>b</strong> <em>c</em> <em>d</em> <strong>e</strong> <s>f</s> <code>g*h*</code></p>",
  "***both*** **a *b* c** *a **b***": "<p><em><strong>both</strong></em> <strong>a <em>b</em> c</strong> <em>a <strong>b</strong></em></p>",
  "**bold:**text": "<p><strong>bold:</strong>text</p>",
  "``a ` b`` \\*no\\*": "<p><code>a ` b</code> *no*</p>",
  "**a\nb**": "<p><strong>a\nb</strong></p>",
}))

test("signs that are no markup stay", () => {
  for (const text of ["2*3*4", "snake_case_name", "**unfinished", "a * b * c", "~/x ~5 ~~", "#general", "C:\\foo\\bar", "<b>x</b> &amp;",
    "`open", "[x](javascript:alert(1))", "[x](data:text/html,y)", "[x]", "a | b", "-5 and - 6", "1.5 x", "----a", "@a_b_c"]) {
    assert.equal(shown(text), `<p>${text}</p>`, text)
  }
})

test("blocks of a message", () => same({
  "# Head\ntext\n\nmore": "<p>Head</p><p>text</p><p>more</p>",
  "- a\n- b\n  - c\n- d\nend": "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul><p>end</p>",
  "1. a\n2. b\n   more": "<ol><li>a</li><li>b\nmore</li></ol>",
  "- a\n\n  b\n\n- c": "<ul><li>a<p>b</p></li><li>c</li></ul>",
  "> a\n> > b\nc": "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote><p>c</p>",
  "```js\n**a**\n```\nb": "<div><pre>**a**</pre></div><p>b</p>",
  "~~~\nopen": "<div><pre>open</pre></div>",
  "| a | b |\n|--|:-:|\n| `x|y` | \\| |\n| 1 |\nend":
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x|y</code></td><td>|</td></tr><tr><td>1</td><td></td></tr></tbody></table><p>end</p>",
  "a\n\n---\nb": "<p>a</p><hr></hr><p>b</p>",
}))

test("the numbers of a list are those that were written", () => {
  const numbers = text => nodes(text)[0].children.map(({props}) => props.value)
  assert.deepEqual(numbers("3. May: shut\n7. May: open\n8. May: open"), [3, 7, 8])
  assert.deepEqual(numbers("1. a\n2. b\n3. c"), [1, 2, 3])
  assert.deepEqual(numbers("1. a\n1. b"), [1, 2])
  assert.deepEqual(numbers("24. Nov\n17. Nov"), [24, 17])
  assert.deepEqual(numbers("0. a\n1. b"), [0, 1])
})

test("a text without markup is one paragraph with all its spaces", () => {
  const text = "\n\n  one\n\n\n two 5 € \t(three)\n"
  assert.deepEqual(markdown(text), [{kind: "paragraph", nodes: [{kind: "text", text}]}])
  const signs = "2*3*4 <b>\n\n\n  a_b_c #x\nhttps://a.example"
  assert.equal(words(nodes(signs)), signs)
})

test("links with words lead to web addresses, and do not pretend to be others", () => same({
  "[docs](https://a.example/x_(y))": "<p><a https://a.example/x_(y)>docs</a></p>",
  "see https://a.example/_x_y, yes": "<p>see <a https://a.example/_x_y>https://a.example/_x_y</a>, yes</p>",
  "**https://a.example**": "<p><strong><a https://a.example/>https://a.example</a></strong></p>",
  "[a.example](https://www.a.example/)": "<p><a https://www.a.example/>a.example</a></p>",
  "[bank.example](https://evil.example)": "<p>[bank.example](<a https://evil.example/>https://evil.example</a>)</p>",
  "[**b** https://a.example/](https://a.example/)": "<p><a https://a.example/><strong>b</strong> https://a.example/</a></p>",
  "[x](https://user@a.example)": "<p>[x](https://user@a.example)</p>",
}))

test("given ranges stay whole, in words and in blocks", () => {
  const text = "> **hi @ada_x_y** [1]\n- [1](https://a.example)"
  const range = (kind, words, from = 0) => ({kind, start: text.indexOf(words, from), end: text.indexOf(words, from) + words.length})
  const ranges = [range("mention", "@ada_x_y"), range("citation", "[1]"), range("citation", "[1]", 22)]
  assert.equal(html(nodes(text, ranges)), "<blockquote><p><strong>hi <span>@ada_x_y</span></strong> <span>[1]</span></p></blockquote>"
    + "<ul><li><span>[1]</span>(<a https://a.example/>https://a.example</a>)</li></ul>")
  assert.deepEqual(markdown("ab", [{start: 1, end: 9}, {start: 1, end: 1}])[0].nodes.map(node => node.kind), ["text", "mark", "text"])
})

test("previews have the words without the signs", () => {
  assert.equal(plainText("# Plan\n- **go** live\n- [docs](https://a.example)\n\n```\ncode\n```\n> q\n\n|a|b|\n|-|-|\n|1|2|"),
    "Plan go live docs code q a b 1 2")
  assert.equal(plainText("2*3*4 <b>"), "2*3*4 <b>")
})

// What may stand in a message: these elements with these attributes, and addresses of the web.
const POLICY = {
  p: ["dir", "class"], blockquote: ["dir"], ul: [], ol: [], li: ["dir", "value"], pre: ["dir"], code: [], div: ["class"], hr: [], strong: [], em: [], s: [],
  table: [], thead: [], tbody: [], tr: [], th: ["dir", "scope"], td: ["dir", "scope"], span: ["class"],
  a: ["href", "title", "target", "rel", "tabindex"], button: ["type", "class", "tabindex", "title", "aria-label", "on"], svg: null,
}
const check = (node, text, depth = 0) => {
  assert.ok(depth < 120, text)
  if (Array.isArray(node)) return node.forEach(one => check(one, text, depth))
  if (typeof node === "string") return
  const allowed = POLICY[node.tag]
  assert.notEqual(allowed, undefined, `${node.tag} in ${text}`)
  if (!allowed) return
  for (const name of Object.keys(node.props)) assert.ok(allowed.includes(name), `${node.tag} ${name} in ${text}`)
  if (node.tag === "a") {
    const url = new URL(node.props.href)
    assert.ok(/^https?:$/.test(url.protocol) && !url.username && node.props.rel === "noopener noreferrer" && node.props.target === "_blank", text)
    assert.ok(!html(node.children).includes("<a "), text)
  }
  check(node.children, text, depth + 1)
}
const letters = text => text.replace(/[^\p{L}\p{N}]/gu, "")
const isPart = (part, whole) => {
  let at = 0
  for (const letter of whole) if (letter === part[at]) at++
  return at >= part.length
}
const words = node => Array.isArray(node) ? node.map(words).join("") : typeof node === "string" ? node : node.tag === "button" ? "" : words(node.children)

test("100,000 hostile texts keep to the policy, and show nothing that nobody wrote", () => {
  const pieces = ["*", "**", "_", "__", "~~", "~", "`", "``", "```", "[", "]", "(", ")", "](", "![", "|", "|-|", "---", "\n", "\n\n", "\n- ", "\n  * ", "\n1. ", "\n> ",
    "\n# ", "\n```js\n", "\n|a|b|\n|-|-|\n", " ", "  ", "\t", "\\", "<", ">", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "&lt;",
    "https://a.example/x", "http://u:p@b.example", "javascript:alert(1)", "data:text/html,x", "](javascript:alert(1))", "](https://c.example/(d))",
    "](//e.example)", "https://", "a", "b", "7", "é", "\u202e", "\u200b", "😀", "\u0000", "\ud800", "@ada", "\r\n"]
  let seed = 7
  const random = below => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed % below
  }
  for (let number = 0; number < 100_000; number++) {
    let text = ""
    for (let left = 1 + random(24); left; left--) text += pieces[(random(1 << 16) ^ number) % pieces.length]
    const start = random(text.length + 1)
    const made = nodes(text, number % 3 ? [] : [{kind: "mention", start, end: Math.min(text.length, start + random(4))}])
    check(made, text)
    assert.ok(isPart(letters(words(made)), letters(text)), text)
  }
})

test("costs grow with the length of a text, whatever it is", () => {
  const repeat = (text, length = 120_000) => text.repeat(Math.ceil(length / text.length))
  const texts = ["*a ", "**a** ", "` `a", "[", "[a](", "](https://a.example)", "> ", "- ", "|", "_*~`[", "- a\n", "> a\n", "```\n", "\n", "a|b\n", "*", "* a\n  ",
    "  - a\n - b\n", "- a\n\n", "\\", "`a``b```c", "https://a.example/ ", "*a* _b_ "].map(text => repeat(text))
  texts.push("a|b\n-|-\n" + repeat("a|b\n"), repeat("[", 60_000) + repeat("](https://a.example)", 60_000))
  for (const text of texts) {
    const start = process.cpuUsage().user
    markdown(text)
    assert.ok(process.cpuUsage().user - start < 2_500_000, JSON.stringify(text.slice(0, 12)))
  }
})

test("finds addresses without the punctuation behind them", () => {
  const found = text => linksIn(text).map(l => text.slice(l.start, l.end))
  assert.deepEqual(found("see https://a.example/x, and (http://b.example/y_(z)). Done"), ["https://a.example/x", "http://b.example/y_(z)"])
  assert.deepEqual(found("javascript://x%0aalert(1) ftp://a.example data:text/html,x mailto:a@b.c"), [])
  assert.deepEqual(found("https:// http:///"), [])
  assert.deepEqual(found("https://a.example/\u202egnp.exe"), ["https://a.example/"])
  assert.deepEqual(found("https://bank.example@evil.example/ https://a.example/" + "x".repeat(3_000)), [])
  assert.deepEqual(found("<https://a.example>"), ["https://a.example"])
  assert.deepEqual(found("https://a.example/ü?q=1#f…"), ["https://a.example/ü?q=1#f"])
  const href = linksIn("https://bücher.example/")[0].href
  assert.ok(href.startsWith("https://xn--"), "the address behind a look-alike name is shown by the browser")
})

test("finds the links of a long text in linear time", () => {
  const text = "https://" + "a".repeat(250_000) + " " + ")".repeat(50_000)
  const start = process.cpuUsage().user
  linksIn(text)
  linksIn("(".repeat(250_000))
  assert.ok(process.cpuUsage().user - start < 2_000_000)
})

// The server's pushes say the same: TextAnalysisTests read this file too.
test("the words without the signs are those that the server finds", () => {
  const cases = JSON.parse(readFileSync(new URL("../../Fixtures/Markdown/words.json", import.meta.url), "utf8"))
  for (const {text, words} of cases) assert.equal(plainText(text), words, text)
})
