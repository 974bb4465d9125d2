// A window of at most LIMIT rows over a list of messages, with its own scroll anchoring and one focusable article.
import {h, patch} from "../lib/dom.js"
import {LIMIT, STEP, keyOf, windowAround, windowStart} from "./parts.js"

const NEAR_END = 8

// source: {items(), hasOlder(), hasNewer(), loadOlder(), loadNewer(), head(), row(message, place), label}.
// onView({first, last, isAtEnd, hasMoved}) is called after each change of what is visible; indexes are of items().
export const messageList = (scroller, source, onView) => {
  let items = [], start = 0, startKey, isAtEnd = true, current, anchors = [], lastTop = 0, isOpen = true, frame = 0,
    idle
  let shifted = 0
  const shell = () => patch(scroller, [
    h("div", {class: "list-head", key: "head"}, source.head()),
    // A feed without articles would be an error.
    h("div", {class: "feed", key: "feed", ...(items.length && {role: "feed", "aria-label": source.label(),
      "aria-busy": String(!!source.isLoading())}),
      opaque: true, on: {keydown: onKey, focusin: onFocus}}),
  ])
  const rows = () => scroller.lastElementChild.children
  const articleOf = row => row?.querySelector("article")
  const top = row => row.offsetTop
  // The first row that reaches below a height.
  const rowAt = height => {
    const list = rows()
    let low = 0, high = list.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (top(list[middle]) + list[middle].offsetHeight > height) high = middle
      else low = middle + 1
    }
    return low
  }
  // Articles that should stay where they are. The first row may lose its header when earlier messages come, and a row
  // that begins above the view may change there, so these come last.
  const remember = () => {
    lastTop = scroller.scrollTop
    const first = rowAt(lastTop), list = [...rows()].slice(first, first + 12)
    if (list.length > 1 && (first === 0 || top(list[0]) < lastTop)) list.push(list.shift())
    anchors = list.map(articleOf).map(article => ({article, top: top(article) - lastTop}))
  }
  const restore = () => {
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight
    else {
      const anchor = anchors.find(a => a.article.isConnected)
      if (anchor) scroller.scrollTop = top(anchor.article) - anchor.top
    }
    remember()
  }

  const place = () => {
    const found = items.findIndex(m => keyOf(m) === startKey)
    if (found >= 0) start = found
    start = windowStart({start, length: items.length, isAtEnd: isAtEnd && !source.hasNewer()})
    // At the very top there is no room to make up for a first row that loses its header, so rows are put before it at once.
    if (!isAtEnd && lastTop < 300 && shifted <= 0) start = Math.max(0, start - STEP)
    startKey = items[start] && keyOf(items[start])
  }
  const render = () => {
    items = source.items()
    place()
    const shown = items.slice(start, start + LIMIT)
    if (!shown.some(m => keyOf(m) === current)) current = shown.length ? keyOf(shown.at(-1)) : undefined
    const hadFocus = scroller.lastElementChild?.contains(document.activeElement) && document.activeElement.closest("article")
    shell()
    const isWhole = !source.hasOlder() && !source.hasNewer()
    patch(scroller.lastElementChild, shown.map((message, i) => source.row(message, {
      before: items[start + i - 1], after: items[start + i + 1], isCurrent: keyOf(message) === current})))
    let i = start
    for (const row of rows()) {
      const article = articleOf(row)
      article.setAttribute("aria-posinset", String(++i))
      article.setAttribute("aria-setsize", isWhole ? String(items.length) : "-1")
    }
    if (hadFocus && !hadFocus.isConnected) articleOf(rows()[Math.min(rowAt(scroller.scrollTop),
      rows().length - 1)])?.focus({preventScroll: true})
  }
  const update = () => {
    if (!isOpen) return
    render()
    restore()
    look()
  }
  const visible = () => {
    if (!rows().length) return {first: -1, last: -1}
    const upper = scroller.scrollTop, lower = upper + scroller.clientHeight
    const first = rowAt(upper)
    let last = Math.min(rowAt(lower), rows().length - 1)
    // A row counts when its end is visible, or when it fills the view.
    const row = rows()[last]
    if (last > first && top(row) + row.offsetHeight > lower + NEAR_END) last--
    return {first: start + first, last: start + last}
  }
  const look = () => {
    if (frame) return
    frame = requestAnimationFrame(() => {
      frame = 0
      if (!isOpen) return
      onView({...visible(), isAtEnd: isAtEnd && !source.hasNewer()})
      clearTimeout(idle)
      idle = setTimeout(enter, 250)
      const room = scroller.scrollHeight - scroller.clientHeight
      const reach = Math.min(Math.max(600, scroller.clientHeight), Math.max(200,
        (room - scroller.scrollHeight * STEP / LIMIT) / 2))
      if (scroller.scrollTop < reach) {
        if (start > 0 && shifted <= 0) return shift(-1)
        if (start === 0 && source.hasOlder() && !source.isLoading()) source.loadOlder()
      }
      if (room - scroller.scrollTop < reach) {
        if (start + LIMIT < items.length && shifted >= 0) return shift(1)
        if (start + LIMIT >= items.length && source.hasNewer() && !source.isLoading()) source.loadNewer()
      }
    })
  }
  // The keyboard comes in at the last message in view.
  const enter = () => {
    const {last} = visible()
    if (last < 0 || !items[last] || keyOf(items[last]) === current || scroller.contains(document.activeElement)) return
    current = keyOf(items[last])
    source.changed()
  }
  // Moves the window; back again only after a person scrolled, or rows of unequal height could move it to and fro.
  const shift = direction => {
    shifted = direction
    start = Math.max(0, start + direction * STEP)
    isAtEnd &&= start + LIMIT >= items.length
    startKey = items[start] && keyOf(items[start])
    update()
  }
  const isBottom = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= NEAR_END
  const onScroll = () => {
    const {scrollTop} = scroller
    if (isBottom() && start + LIMIT >= items.length && !source.hasNewer()) isAtEnd = true
    // Only a move upwards leaves the end: growing content moves nothing.
    else if (scrollTop < lastTop - 1) isAtEnd = false
    else if (scrollTop > lastTop + 1 && !isBottom()) isAtEnd = false
    if (Math.abs(scrollTop - lastTop) > 1) shifted = 0
    remember()
    look()
  }
  const onResize = new ResizeObserver(() => {
    restore()
    look()
  })

  const focusAt = (index, {align = "nearest"} = {}) => {
    if (!items.length) return
    index = Math.max(0, Math.min(index, items.length - 1))
    current = keyOf(items[index])
    if (index < start + 5 && start > 0 || index >= start + LIMIT - 5 && start + LIMIT < items.length) {
      isAtEnd = false
      start = windowAround(index, items.length)
      startKey = keyOf(items[start])
    }
    render()
    const row = rows()[index - start]
    reveal(row, align)
    articleOf(row)?.focus({preventScroll: true})
    look()
  }
  const reveal = (row, align) => {
    const margin = 12, height = scroller.clientHeight
    const isTall = row.offsetHeight > height - 2 * margin
    const upper = top(row) - margin, lower = top(row) + row.offsetHeight + margin
    if (align === "center") scroller.scrollTop = isTall ? upper : top(row) - (height - row.offsetHeight) / 2
    // What follows matters more than what was before: the row begins where the upper third ends.
    else if (align === "third") scroller.scrollTop = isTall ? upper : top(row) - height / 3
    else if (upper < scroller.scrollTop || isTall) scroller.scrollTop = upper
    else if (lower > scroller.scrollTop + height) scroller.scrollTop = lower - height
    isAtEnd = isBottom() && start + LIMIT >= items.length && !source.hasNewer()
    remember()
  }
  const step = (index, direction) => {
    const row = rows()[index - start]
    const height = scroller.clientHeight
    const rest = direction > 0 ? top(row) + row.offsetHeight - scroller.scrollTop - height : scroller.scrollTop - top(row)
    if (rest > 24 && row.offsetHeight > height) scroller.scrollTop += direction * Math.min(rest + 12, height * 0.8)
    else focusAt(index + direction)
  }
  const page = (index, direction) => {
    let to = index
    for (let sum = 0; items[to + direction] && rows()[to - start] &&
      sum < scroller.clientHeight * 0.8; to += direction) {
      sum += rows()[to - start].offsetHeight
    }
    focusAt(to === index ? index + direction : to)
  }
  const onKey = event => {
    if (event.target.closest("textarea, input, [role=menu]")) return
    const article = event.target.closest("article")
    if (!article || event.altKey || event.shiftKey) return
    const index = start + [...rows()].indexOf(article.parentElement)
    const isLeaving = event.ctrlKey || event.metaKey
    const moves = {
      ArrowUp: () => step(index, -1), ArrowDown: () => step(index, 1),
      PageUp: () => page(index, -1), PageDown: () => page(index, 1),
      Home: () => focusAt(0), End: () => source.toEnd ? source.toEnd(true) : focusAt(items.length - 1),
    }
    if (isLeaving || !moves[event.key]) return
    event.preventDefault()
    moves[event.key]()
  }
  const onFocus = event => {
    const key = event.target.closest(".msg")?.dataset.key
    if (key === undefined || key === current) return
    current = key
    source.changed()
  }

  scroller.addEventListener("scroll", onScroll, {passive: true})
  render()
  onResize.observe(scroller)
  onResize.observe(scroller.lastElementChild)
  restore()
  look()
  return {
    update, focusAt, look,
    get isAtEnd() { return isAtEnd && !source.hasNewer() },
    // To the newest loaded message.
    toEnd(isFocusing) {
      items = source.items()
      isAtEnd = true
      start = Math.max(0, items.length - LIMIT)
      startKey = undefined
      update()
      if (isFocusing) focusAt(items.length - 1)
    },
    // Shows a message in the middle; returns its article.
    show(index, {isFocusing = true, align = "center"} = {}) {
      items = source.items()
      isAtEnd = false
      start = windowAround(index, items.length)
      startKey = items[start] && keyOf(items[start])
      current = items[index] && keyOf(items[index])
      render()
      const row = rows()[index - start]
      if (!row) return null
      reveal(row, align)
      if (isFocusing) articleOf(row).focus({preventScroll: true})
      look()
      return articleOf(row)
    },
    close() {
      isOpen = false
      cancelAnimationFrame(frame)
      clearTimeout(idle)
      onResize.disconnect()
      scroller.removeEventListener("scroll", onScroll)
      patch(scroller, null)
    },
  }
}
