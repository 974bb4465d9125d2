// Reads the Markdown that people and models write. What is not understood stays text; nothing here makes elements.
// Costs grow with the length of the text, whatever it is: each part is looked at once, and nesting has a limit.
const DEPTH = 6       // of quotes and lists
const OPENERS = 24    // that wait for their ends in one paragraph

const closing = {")": "(", "]": "["}
const count = (text, letter) => text.split(letter).length - 1
const addressOf = text => {
  try {
    const url = new URL(text)
    // A name before an @ pretends to be a host, and an address that was cut off leads elsewhere.
    return /^https?:$/.test(url.protocol) && url.hostname && !url.username && text.length < 2048 ? url : null
  } catch {
    return null
  }
}
// The addresses in a text as {start, end, href}: http and https only, without the punctuation behind them.
export const linksIn = text => {
  const found = []
  if (!text.includes("://")) return found
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"\u0000-\u001f\u200b-\u200f\u202a-\u202e\u2060-\u2069]{1,2048}/gi)) {
    // In the words of a link its target follows.
    let [address] = match[0].split("](", 1)
    for (;;) {
      const last = address.at(-1)
      const isLoose = closing[last] ? count(address, last) > count(address, closing[last]) : /[.,;:!?'*_~}»”’…]/.test(last)
      if (!isLoose) break
      address = address.slice(0, -1)
    }
    const url = match[0].length < 2048 && addressOf(address)
    if (url) found.push({kind: "link", start: match.index, end: match.index + address.length, href: url.href})
  }
  return found
}

// Whether the words of a link name another host than the one that it leads to.
const pretends = (words, url) => {
  const named = /(?:https?:\/\/)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/iu.exec(words)?.[1].toLowerCase()
  return named !== undefined && named !== url.hostname && `www.${named}` !== url.hostname && named !== `www.${url.hostname}`
}

const isSpace = letter => letter === undefined || /\s/.test(letter)
const isWord = letter => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)
const SPECIAL = /[\\`*_~[\]]/g
const TARGET = /\]\((https?:\/\/[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)\)/iy

// The nodes of a paragraph: {kind: "text", text}, {kind: "strong" | "em" | "strike" | "code" | "link", nodes}, and the
// given ranges {start, end, …} as {kind: "mark", mark, text}. Ranges are sorted and do not overlap.
const inline = (text, marks) => {
  const out = []
  const open = []     // places in `out` of delimiters that may begin something
  let brackets = []   // places in `out` of [
  const runs = new Map()
  for (const {0: run, index} of text.matchAll(/`+/g)) {
    if (!runs.has(run.length)) runs.set(run.length, [])
    runs.get(run.length).push(index)
  }
  const cursors = new Map()
  // The next run of backticks with this length; each list is walked once.
  const closer = (length, from) => {
    const places = runs.get(length) ?? []
    let at = cursors.get(length) ?? 0
    while (at < places.length && places[at] < from) at++
    cursors.set(length, at)
    return places[at]
  }
  let plain = ""
  const flush = () => {
    if (plain) out.push({kind: "text", text: plain})
    plain = ""
  }
  const forget = place => {
    while (open.length && open.at(-1) >= place) open.pop()
    while (brackets.length && brackets.at(-1) >= place) brackets.pop()
  }
  const wrap = (place, node) => {
    node.nodes = out.splice(place + 1)
    forget(place + 1)
    out.push(node)
  }
  const close = (letter, length) => {
    while (length > 0) {
      const at = open.findLastIndex(place => out[place].text[0] === letter && (letter !== "~" || out[place].text.length === length))
      if (at < 0) return length
      const place = open[at], opener = out[place]
      const used = letter === "~" ? length : Math.min(2, length, opener.text.length)
      wrap(place, {kind: letter === "~" ? "strike" : used === 2 ? "strong" : "em"})
      opener.text = opener.text.slice(used)
      if (!opener.text) {
        out.splice(place, 1)
        forget(place)
      }
      length -= used
    }
    return 0
  }
  const delimiters = (letter, length, before, after) => {
    flush()
    const needsEdge = letter === "_" || length === 1
    const canOpen = !isSpace(after) && !(needsEdge && isWord(before))
    const canClose = !isSpace(before) && !(needsEdge && isWord(after))
    const rest = canClose ? close(letter, length) : length
    if (!rest) return
    out.push({kind: "text", text: letter.repeat(rest)})
    if (!canOpen || rest > 3) return
    open.push(out.length - 1)
    if (open.length > OPENERS) open.shift()
  }
  let next = 0, at = 0, special = 0
  const takeMark = () => {
    const mark = marks[next++]
    flush()
    const words = text.slice(mark.start, mark.end)
    out.push(mark.kind === "link" ? {kind: "link", href: mark.href, nodes: [{kind: "text", text: words}]} : {kind: "mark", mark, text: words})
    at = Math.max(at, mark.end)
  }
  // A character of code or of an address is part of it; an empty mark comes behind.
  const skipTo = end => {
    const late = []
    while (next < marks.length && marks[next].start < end) {
      if (marks[next].start === marks[next].end) late.push(marks[next])
      next++
    }
    for (const mark of late) out.push({kind: "mark", mark, text: ""})
    at = end
  }
  while (at < text.length || next < marks.length) {
    if (next < marks.length && marks[next].start <= at) {
      takeMark()
      continue
    }
    const letter = text[at]
    if (letter === "\\" && /[\\`*_~[\]|]/.test(text[at + 1] ?? "") && text[at + 1] !== "\\") {
      plain += text[at + 1]
      at += 2
    } else if (letter === "`") {
      const length = /`+/y.exec(text.slice(at, at + 64))[0].length
      const end = closer(length, at + length)
      if (end === undefined) {
        plain += "`".repeat(length)
        at += length
      } else {
        flush()
        const words = text.slice(at + length, end)
        out.push({kind: "code", nodes: [{kind: "text", text: /^ .*\S.* $/s.test(words) ? words.slice(1, -1) : words}]})
        skipTo(end + length)
      }
    } else if (letter === "*" || letter === "_" || letter === "~") {
      let end = at + 1
      while (text[end] === letter) end++
      const length = end - at
      if (length > 3 || letter === "~" && length !== 2) plain += letter.repeat(length)
      else delimiters(letter, length, text[at - 1], text[end])
      at = end
    } else if (letter === "[") {
      flush()
      out.push({kind: "text", text: "["})
      brackets.push(out.length - 1)
      if (brackets.length > OPENERS) brackets.shift()
      at++
    } else if (letter === "]" && brackets.length) {
      const place = brackets.pop()
      TARGET.lastIndex = at
      const found = TARGET.exec(text)
      const url = found && addressOf(found[1])
      flush()
      if (url && out.length > place + 1 && !pretends(wordsOf(out.slice(place + 1)), url)) {
        wrap(place, {kind: "link", href: url.href})
        out.splice(place, 1)
        forget(place)
        // There are no links within links.
        brackets = []
        out.at(-1).nodes = unlinked(out.at(-1).nodes)
        skipTo(at + found[0].length)
      } else {
        plain += "]"
        at++
      }
    } else {
      if (special <= at) {
        SPECIAL.lastIndex = at + 1
        special = SPECIAL.exec(text)?.index ?? text.length
      }
      const end = Math.max(at + 1, Math.min(special, marks[next]?.start ?? text.length))
      plain += text.slice(at, end)
      at = end
    }
  }
  flush()
  return out
}

const unlinked = nodes => nodes.flatMap(node =>
  node.kind === "link" ? unlinked(node.nodes) : node.nodes ? [{...node, nodes: unlinked(node.nodes)}] : [node])
const wordsOf = nodes => nodes.map(node => node.text ?? wordsOf(node.nodes)).join("")

// A paragraph's lines are parts of the text; marks are moved to where they are in the paragraph.
const paragraph = (source, lines) => {
  const words = lines.map(({start, end}) => source.text.slice(start, end))
  const marks = []
  let at = 0
  for (const [i, {start, end}] of lines.entries()) {
    for (const mark of source.marksIn(start, end)) {
      marks.push({...mark, origin: mark, start: mark.start - start + at, end: mark.end - start + at})
    }
    at += words[i].length + 1
  }
  return inline(words.join("\n"), marks)
}

const FENCE = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^([ \t]*)([-*•]|\d{1,9}[.)])([ \t]+)(?=\S)/
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const DIVIDER = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

// The cells of a row, without those bars that are escaped or in code.
const cells = (text, {start, end}) => {
  let from = start, to = end, isCode = false
  while (from < to && /\s/.test(text[from])) from++
  while (to > from && /\s/.test(text[to - 1])) to--
  if (text[from] === "|") from++
  if (to > from && text[to - 1] === "|" && text[to - 2] !== "\\") to--
  const found = []
  let begin = from
  for (let at = from; at <= to; at++) {
    if (at < to && text[at] === "\\") at++
    else if (at < to && text[at] === "`") isCode = !isCode
    else if (at === to || text[at] === "|" && !isCode) {
      let [a, b] = [begin, at]
      while (a < b && /\s/.test(text[a])) a++
      while (b > a && /\s/.test(text[b - 1])) b--
      found.push({start: a, end: b})
      begin = at + 1
    }
  }
  return found
}

const table = (source, lines, at) => {
  const text = line => source.text.slice(line.start, line.end)
  if (!text(lines[at]).includes("|") || !lines[at + 1] || !text(lines[at + 1]).includes("-") || !DIVIDER.test(text(lines[at + 1]))) return null
  const head = cells(source.text, lines[at])
  if (head.length !== cells(source.text, lines[at + 1]).length || head.length > 50) return null
  let end = at + 2
  while (lines[end] && text(lines[end]).includes("|")) end++
  const row = line => {
    const found = cells(source.text, line).slice(0, head.length)
    return head.map((_, i) => (found[i] ? paragraph(source, [found[i]]) : []))
  }
  return {block: {kind: "table", head: row(lines[at]), rows: lines.slice(at + 2, end).map(row)}, end}
}

const blocksOf = (source, lines, depth) => {
  const {text} = source
  const blocks = []
  let waiting = []
  const flush = () => {
    if (waiting.length) blocks.push({kind: "paragraph", nodes: paragraph(source, waiting)})
    waiting = []
  }
  const textOf = line => text.slice(line.start, line.end)
  for (let at = 0; at < lines.length;) {
    const line = lines[at], words = textOf(line)
    if (!/\S/.test(words)) {
      flush()
      at++
      continue
    }
    const fence = FENCE.exec(words)
    if (fence) {
      flush()
      const mark = fence[1] ?? fence[3]
      const isEnd = other => new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}[ \\t]*$`).test(textOf(other))
      let end = at + 1
      while (end < lines.length && !isEnd(lines[end])) end++
      blocks.push({kind: "code", language: (fence[2] ?? fence[4]).trim().split(/\s/)[0], text: lines.slice(at + 1, end).map(textOf).join("\n")})
      at = end + 1
      continue
    }
    const heading = HEADING.exec(words)
    if (heading) {
      flush()
      const start = line.start + words.indexOf(heading[2], heading[1].length)
      blocks.push({kind: "heading", level: heading[1].length, nodes: paragraph(source, [{start, end: start + heading[2].length}])})
      at++
      continue
    }
    if (RULE.test(words)) {
      flush()
      blocks.push({kind: "rule"})
      at++
      continue
    }
    const quoted = depth < DEPTH && QUOTE.exec(words)
    if (quoted) {
      flush()
      const inner = []
      for (let match; at < lines.length && (match = QUOTE.exec(textOf(lines[at]))); at++) {
        inner.push({start: lines[at].start + match[0].length, end: lines[at].end})
      }
      blocks.push({kind: "quote", blocks: blocksOf(source, inner, depth + 1)})
      continue
    }
    const item = depth < DEPTH && ITEM.exec(words)
    if (item) {
      flush()
      const isNumber = /\d/.test(item[2])
      const indent = item[1].length
      const list = {kind: isNumber ? "numbers" : "items", values: [], items: []}
      while (at < lines.length) {
        const first = ITEM.exec(textOf(lines[at]))
        if (!first || first[1].length > indent + 3 && list.items.length || first[1].length < indent || /\d/.test(first[2]) !== isNumber) break
        list.values.push(Number.parseInt(first[2], 10))
        const content = first[0].length
        const inner = [{start: lines[at].start + content, end: lines[at].end}]
        at++
        // What follows belongs to the item as long as it is indented, also after an empty line.
        for (let empty = 0; at < lines.length; at++) {
          const more = textOf(lines[at])
          if (!/\S/.test(more)) {
            empty++
            continue
          }
          const space = /^[ \t]*/.exec(more)[0].length
          if (space <= indent || space < content && ITEM.test(more) && space < indent + 2 || empty > 1) {
            at -= empty
            break
          }
          for (; empty; empty--) inner.push({start: lines[at].start, end: lines[at].start})
          inner.push({start: lines[at].start + Math.min(space, content), end: lines[at].end})
        }
        list.items.push(blocksOf(source, inner, depth + 1))
        while (at < lines.length && !/\S/.test(textOf(lines[at])) && ITEM.test(textOf(lines[at + 1] ?? {start: 0, end: 0}))) at++
      }
      // "3. May" and "7. May" are dates, not the third and the fourth point. Who writes "1." before each point leaves counting to others.
      if (list.values.every(one => one === 1)) list.values = list.items.map((_, place) => place + 1)
      blocks.push(list)
      continue
    }
    const found = table(source, lines, at)
    if (found) {
      flush()
      blocks.push(found.block)
      at = found.end
      continue
    }
    waiting.push(line)
    at++
  }
  flush()
  return blocks
}

const bare = text => text.replace(/\s+/g, "")
const MARKUP = /[`*_~[\]\\|#>]|^[ \t]*(?:[-•]|\d{1,9}[.)])[ \t]|^ {0,3}---/m

// Blocks: {kind: "paragraph" | "heading", nodes}, {kind: "quote", blocks}, {kind: "items" | "numbers", values: [numbers], items: [blocks]},
// {kind: "code", language, text}, {kind: "table", head, rows}, {kind: "rule"}. A text without markup is one paragraph as it is, unless `isProse`.
// `ranges` {start, end, …} become nodes of the kind "mark" where they are in words; earlier ones win.
export const markdown = (text, ranges = [], isProse = false) => {
  const marks = []
  for (const range of [...ranges, ...linksIn(text)].sort((a, b) => a.start - b.start || (a.kind === "link") - (b.kind === "link"))) {
    if (range.end >= range.start && range.end <= text.length && range.start >= (marks.at(-1)?.end ?? 0)) marks.push(range)
  }
  const asItIs = () => [{kind: "paragraph", nodes: text ? inline(text, marks.map(mark => ({...mark, origin: mark}))) : []}]
  if (!isProse && !MARKUP.test(text)) return asItIs()
  const marksIn = (start, end) => {
    let low = 0, high = marks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (marks[middle].start < start) low = middle + 1
      else high = middle
    }
    const found = []
    for (; low < marks.length && marks[low].start <= end; low++) if (marks[low].end <= end) found.push(marks[low])
    return found
  }
  const lines = []
  let start = 0
  for (const line of text.split("\n")) {
    const end = start + line.length
    lines.push({start, end: line.endsWith("\r") ? end - 1 : end})
    start = end + 1
  }
  const blocks = blocksOf({text, marksIn}, lines, 0)
  // If no sign meant anything, the text keeps its lines and spaces.
  const isPlain = !isProse && blocks.every(({kind}) => kind === "paragraph") && bare(blocks.map(({nodes}) => wordsOf(nodes)).join("")) === bare(text)
  return isPlain ? asItIs() : blocks
}

// The words without the signs, in one line: for previews and banners.
export const plainText = text => {
  const words = blocks => blocks.map(block =>
    block.text ?? (block.nodes ? wordsOf(block.nodes) : block.blocks ? words(block.blocks) : block.items ? block.items.map(words).join(" ")
      : block.rows ? [block.head, ...block.rows].map(row => row.map(wordsOf).join(" ")).join(" ") : "")).join(" ")
  return words(markdown(text)).replace(/\s+/g, " ").trim()
}
