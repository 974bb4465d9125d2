import test from "node:test"
import assert from "node:assert/strict"
import {document} from "./support/tiny-dom.mjs"

globalThis.document = document
const frames = []
globalThis.requestAnimationFrame = fn => frames.push(fn)
const {h, patch, View} = await import("../../../Sources/Server/WebPage/Files/lib/dom.js")

const texts = element => element.childNodes.map(child => child.textContent)
const list = (...keys) => h("ul", null, keys.map(key => h("li", {key}, key)))

test("creates elements, attributes and text", () => {
  const root = document.createElement("main")
  patch(root, h("p", {class: "a", "aria-expanded": false, title: null, hidden: true}, "one ", 2, null, false, [h("b", null, "three")]))
  const p = root.firstChild
  assert.equal(p.getAttribute("class"), "a")
  assert.equal(p.getAttribute("aria-expanded"), "false")
  assert.equal(p.getAttribute("title"), null)
  assert.equal(p.hidden, true)
  assert.equal(p.textContent, "one 2three")
})

test("keeps keyed elements in any order", () => {
  const root = document.createElement("main")
  patch(root, list("a", "b", "c", "d"))
  const ul = root.firstChild
  const before = new Map(ul.childNodes.map(child => [child.textContent, child]))
  for (const order of [["d", "a", "b", "c"], ["b", "x", "d"], ["c", "b", "a"], [], ["a", "d"]]) {
    patch(root, list(...order))
    assert.deepEqual(texts(ul), order)
  }
  patch(root, list("a", "b"))
  patch(root, list("b", "a"))
  assert.notEqual(before.get("a"), undefined)
  assert.deepEqual(texts(ul), ["b", "a"])
})

test("does not move the focused element", () => {
  const root = document.createElement("main")
  patch(root, list("a", "b", "c", "d"))
  const focused = root.firstChild.childNodes[2]
  document.activeElement = focused
  focused.moves = 0
  patch(root, list("c", "d", "b", "a", "e"))
  assert.deepEqual(texts(root.firstChild), ["c", "d", "b", "a", "e"])
  assert.equal(root.firstChild.childNodes[0], focused)
  assert.equal(focused.moves, 0)
  document.activeElement = null
})

test("replaces listeners without adding them twice", () => {
  const root = document.createElement("main")
  const calls = []
  patch(root, h("button", {on: {click: () => calls.push(1)}}))
  patch(root, h("button", {on: {click: () => calls.push(2)}}))
  root.firstChild.dispatch("click")
  patch(root, h("button", {}))
  root.firstChild.dispatch("click")
  assert.deepEqual(calls, [2])
})

test("writes a value only when it differs", () => {
  const root = document.createElement("main")
  patch(root, h("input", {value: "a"}))
  const input = root.firstChild
  input.writes = 0
  patch(root, h("input", {value: "a"}))
  assert.equal(input.writes, 0)
  patch(root, h("input", {value: "b"}))
  assert.equal(input.value, "b")
})

test("calls a ref once, after the element is in place", () => {
  const root = document.createElement("main")
  const seen = []
  const render = text => h("div", null, h("i", {ref: el => seen.push(el.parentNode.parentNode === root)}, text))
  patch(root, render("a"))
  patch(root, render("b"))
  assert.deepEqual(seen, [true])
})

test("leaves the children of opaque elements alone", () => {
  const root = document.createElement("main")
  patch(root, h("div", {opaque: true}))
  root.firstChild.append(document.createTextNode("mine"))
  patch(root, h("div", {opaque: true, class: "x"}))
  assert.equal(root.textContent, "mine")
})

test("puts svg and its children into the SVG namespace", () => {
  const root = document.createElement("main")
  patch(root, h("svg", {viewBox: "0 0 1 1"}, h("path", {d: "M0 0"})))
  patch(root, h("svg", {viewBox: "0 0 1 1"}, h("path", {d: "M0 0"}), h("circle", {r: 1})))
  assert.ok(root.firstChild.childNodes.every(child => child.namespaceURI.endsWith("svg")))
})

test("a component is called with its properties and children", () => {
  const root = document.createElement("main")
  const Item = ({name}, inner) => h("li", null, name, inner)
  patch(root, h("ul", null, [h(Item, {key: 1, name: "a"}, "!"), h(Item, {key: 2, name: "b"})]))
  const second = root.firstChild.childNodes[1]
  patch(root, h("ul", null, h(Item, {key: 2, name: "b"})))
  assert.equal(root.firstChild.firstChild, second)
})

test("random lists end as asked", () => {
  const root = document.createElement("main")
  let seed = 7
  const random = n => (seed = (seed * 48271) % 2147483647) % n
  for (let round = 0; round < 300; round++) {
    const keys = [...new Set(Array.from({length: random(12)}, () => String.fromCharCode(97 + random(14))))]
    const mixed = keys.map(key => (random(4) ? h("li", {key}, key) : h("li", null, key)))
    patch(root, h("ul", null, mixed))
    const items = root.firstChild.childNodes
    document.activeElement = items.length && random(2) ? items[random(items.length)] : null
    assert.deepEqual(texts(root.firstChild), keys)
  }
  document.activeElement = null
})

test("a view renders at once, and once a frame after changes", () => {
  const root = document.createElement("main")
  const fns = {}
  const store = {on: (key, fn) => { fns[key] = fn; return () => delete fns[key] }}
  let count = 0
  const view = new View(root, () => h("p", null, ++count), ["a", "b"], store)
  assert.equal(root.textContent, "1")
  fns.a(); fns.b(); fns.a()
  frames.splice(0).forEach(fn => fn())
  assert.equal(root.textContent, "2")
  fns.a()
  view.close()
  frames.splice(0).forEach(fn => fn())
  assert.equal(root.textContent, "")
  assert.deepEqual(fns, {})
})
