// As much of a document as lib/dom.js uses.
class Node {
  parentNode = null
  moves = 0
  get nextSibling() {
    const list = this.parentNode?.childNodes ?? []
    return list[list.indexOf(this) + 1] ?? null
  }
  contains(other) {
    for (let node = other; node; node = node.parentNode) if (node === this) return true
    return false
  }
  remove() {
    if (!this.parentNode) return
    const list = this.parentNode.childNodes
    list.splice(list.indexOf(this), 1)
    this.parentNode = null
  }
}
class Text extends Node {
  nodeType = 3
  constructor(data) { super(); this.data = data }
  get textContent() { return this.data }
}
class Element extends Node {
  nodeType = 1
  childNodes = []
  attributes = new Map()
  listeners = new Map()
  writes = 0
  hidden = false
  #value = ""
  style = {setProperty: (k, v) => { this.style[k] = v }, removeProperty: k => { delete this.style[k] }}
  constructor(tag, namespaceURI) { super(); Object.assign(this, {tag, namespaceURI}) }
  get value() { return this.#value }
  set value(value) { this.#value = value; this.writes++ }
  get firstChild() { return this.childNodes[0] ?? null }
  get textContent() { return this.childNodes.map(child => child.textContent).join("") }
  append(child) { this.insertBefore(child, null) }
  insertBefore(child, before) {
    child.moves++
    child.remove()
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, child)
    child.parentNode = this
    return child
  }
  getAttribute(name) { return this.attributes.get(name) ?? null }
  setAttribute(name, value) { this.attributes.set(name, String(value)) }
  removeAttribute(name) { this.attributes.delete(name) }
  addEventListener(name, fn) { this.listeners.set(name, fn) }
  removeEventListener(name) { this.listeners.delete(name) }
  dispatch(type) { this.listeners.get(type)?.handleEvent({type}) }
}
export const document = {
  activeElement: null,
  hidden: false,
  createElement: tag => new Element(tag, "http://www.w3.org/1999/xhtml"),
  createElementNS: (space, tag) => new Element(tag, space),
  createTextNode: data => new Text(data),
}
