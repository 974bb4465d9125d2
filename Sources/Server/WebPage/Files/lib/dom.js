// Virtual nodes and a keyed patch. Only createElement and textContent are used, so there is no markup sink.
const SVG = "http://www.w3.org/2000/svg"
const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "defaultValue", "indeterminate", "srcObject", "selected"])
const LATE = new Set(["value", "selected"])
const state = new WeakMap()
let refs = null

const flat = (children, list = []) => {
  for (const child of children) {
    if (Array.isArray(child)) flat(child, list)
    else if (child !== null && child !== undefined && child !== false && child !== true) {
      list.push(typeof child === "object" ? child : String(child))
    }
  }
  return list
}

// h("li", {key, class, on: {click}, ref, …}, ...children). A function as tag is called at once with (props, children).
// `opaque: true` leaves the element's children to somebody else. A virtual node that is used again unchanged is skipped.
export const h = (tag, props, ...children) => {
  props ??= {}
  const list = flat(children)
  if (typeof tag !== "function") return {tag, props, key: props.key, children: list}
  const node = tag(props, list)
  return node && typeof node === "object" && !Array.isArray(node) && props.key !== undefined && node.key === undefined
    ? {...node, key: props.key}
    : node
}

const attribute = (element, name, value) => {
  if (value === true && !name.startsWith("aria-") && !name.startsWith("data-")) value = ""
  const none = value === null || value === undefined || (value === false && !name.startsWith("aria-"))
  if (none) element.removeAttribute(name)
  else element.setAttribute(name, value)
}

const listen = (element, listeners, own) => {
  for (const name of Object.keys(own.listeners)) {
    if (!listeners[name]) {
      element.removeEventListener(name, own)
      delete own.listeners[name]
    }
  }
  for (const [name, fn] of Object.entries(listeners)) {
    if (!fn) continue
    if (!own.listeners[name]) element.addEventListener(name, own)
    own.listeners[name] = fn
  }
}

const decorate = (element, before, props, late) => {
  for (const name of new Set([...Object.keys(before), ...Object.keys(props)])) {
    if (name === "key" || name === "on" || name === "ref" || name === "opaque" || LATE.has(name) !== late) continue
    const value = props[name]
    if (name === "style") {
      for (const key of Object.keys(before.style ?? {})) if (!(key in (value ?? {}))) element.style.removeProperty(key)
      for (const [key, v] of Object.entries(value ?? {})) if (before.style?.[key] !== v) element.style.setProperty(key, v)
    } else if (PROPERTIES.has(name)) {
      // Compared with the live element: writing an equal value would move the caret.
      const wanted = value ?? (name === "value" ? "" : name === "srcObject" ? null : false)
      if (name in props || name in before) if (element[name] !== wanted) element[name] = wanted
    } else if (before[name] !== value) attribute(element, name, value)
  }
}

const update = (element, own, node, space) => {
  const before = own.node
  if (before === node) return
  const old = before?.props ?? {}
  decorate(element, old, node.props, false)
  if (node.props.on || old.on) listen(element, node.props.on ?? {}, own)
  if (!node.props.opaque) children(element, node.children, space)
  decorate(element, old, node.props, true)
  own.node = node
}

const create = (node, space) => {
  if (typeof node === "string") return document.createTextNode(node)
  const element = space ? document.createElementNS(space, node.tag) : document.createElement(node.tag)
  const own = {node: null, listeners: {}, handleEvent(event) { this.listeners[event.type]?.call(element, event) }}
  state.set(element, own)
  update(element, own, node, node.tag === "foreignObject" ? null : space)
  if (node.props.ref) refs.push([node.props.ref, element])
  return element
}

const fits = (element, node) =>
  typeof node === "string" ? element.nodeType === 3 : state.get(element)?.node?.tag === node.tag

const children = (container, nodes, space) => {
  const keyed = new Map(), plain = []
  for (let child = container.firstChild; child; child = child.nextSibling) {
    const key = state.get(child)?.node?.key
    if (key === undefined) plain.push(child)
    else keyed.set(key, child)
  }
  let next = 0
  const used = new Set()
  const matched = nodes.map(node => {
    const key = node.key
    let old = key === undefined ? null : keyed.get(key)
    if (key === undefined) {
      for (let i = next; i < plain.length && !old; i++) if (fits(plain[i], node)) [old, next] = [plain[i], i + 1]
    }
    if (!old || used.has(old) || !fits(old, node)) return null
    used.add(old)
    return old
  })
  for (const child of [...keyed.values(), ...plain]) if (!used.has(child)) child.remove()
  let cursor = container.firstChild
  for (const [i, node] of nodes.entries()) {
    const old = matched[i]
    const inner = node.tag === "svg" ? SVG : space
    if (!old) {
      container.insertBefore(create(node, inner), cursor)
      continue
    }
    if (old !== cursor) {
      // Moving an element takes its focus and scroll position away, so the others move around the focused one.
      if (old.contains(document.activeElement)) {
        while (cursor !== old) {
          const following = cursor.nextSibling
          container.append(cursor)
          cursor = following
        }
      } else container.insertBefore(old, cursor)
    }
    if (old === cursor) cursor = cursor.nextSibling
    if (typeof node !== "string") update(old, state.get(old), node, node.tag === "foreignObject" ? null : inner)
    else if (old.data !== node) old.data = node
  }
}

export const patch = (container, nodes) => {
  const outer = refs
  refs = []
  try {
    children(container, flat([nodes]), container.namespaceURI === SVG ? SVG : null)
    for (const [ref, element] of refs) ref(element)
  } finally {
    refs = outer
  }
}

// A hidden tab runs no animation frames; its views are updated a little later by a timer.
const soon = fn => (document.hidden ? setTimeout(fn, 250) : requestAnimationFrame(fn))

export class View {
  constructor(container, render, keys = [], store = null) {
    Object.assign(this, {container, render, store, offs: [], isOpen: true, isWaiting: false})
    this.watch(keys)
    this.now()
  }
  watch(keys) {
    for (const off of this.offs) off()
    this.offs = this.store ? keys.map(key => this.store.on(key, () => this.update())) : []
  }
  update() {
    if (this.isWaiting || !this.isOpen) return
    this.isWaiting = true
    soon(() => this.isWaiting && this.now())
  }
  now() {
    this.isWaiting = false
    if (this.isOpen) patch(this.container, this.render())
  }
  close() {
    this.watch([])
    this.isOpen = false
    patch(this.container, null)
  }
}
