// Places citations in an answer. The server counts characters as people see them (extended grapheme clusters).
const clusters = new Intl.Segmenter("en", {granularity: "grapheme"})
const isSimple = text => /^[\x00-\x0c\x0e-\x7f]*$/.test(text)

const offsets = text => {
  const list = Array.from(clusters.segment(text), part => part.index)
  list.push(text.length)
  return list
}

// The Unicode versions of server and browser may differ: a range that is no bracket moves to one with its number.
const range = (text, places, {start, end, number}) => {
  const from = places ? places[start] : start
  const to = places ? places[end] : end
  if (from === undefined || to === undefined || from > to || to > text.length) return null
  // The check of a streamed answer adds citations that have no bracket.
  if (from === to) return [from, to]
  if (/^[[【][^[\]]*[\]】]$/.test(text.slice(from, to))) return [from, to]
  const near = Math.max(0, from - 12)
  const found = new RegExp(`[[【][^[\\]]*\\b${Number(number)}\\b[^[\\]]*[\\]】]`).exec(text.slice(near, to + 12))
  return found && [near + found.index, near + found.index + found[0].length]
}

const isDoubtful = ({support}) => support && support !== "supported"

// Returns [{start, end, citations}] in UTF-16 units, in order and without overlaps; a sentence without support is an
// empty mark {start, end, sentence} at its end.
export const marks = (text, citations = [], sentences) => {
  const places = citations.length + (sentences?.length ?? 0) && !isSimple(text) ? offsets(text) : null
  const list = []
  for (const citation of [...citations].sort((a, b) => a.start - b.start)) {
    const found = range(text, places, citation)
    if (!found) continue
    const [start, end] = found
    const last = list.at(-1)
    if (last && last.start === start && last.end === end) last.citations.push(citation)
    else if (!last || start >= last.end) list.push({start, end, citations: [citation]})
  }
  for (const sentence of (sentences ?? []).filter(isDoubtful)) {
    const end = places ? places[sentence.end] : sentence.end
    if (end === undefined || end > text.length) continue
    const next = list.findIndex(mark => mark.start >= end && mark.end > end)
    list.splice(next < 0 ? list.length : next, 0, {start: end, end, sentence})
  }
  return list
}

const INLINE = /\*\*(?=\S)(.+?\S)\*\*|`([^`]+)`|(https?:\/\/[^\s<>"'“”]+[^\s<>"'“”.,;:!?)\]])/g

const plain = (text, isStrong) => {
  const parts = []
  let at = 0
  const add = (part, more) => part && parts.push({text: part, ...(isStrong && {isStrong}), ...more})
  for (const found of text.matchAll(INLINE)) {
    add(text.slice(at, found.index))
    if (found[1]) parts.push(...plain(found[1], true))
    else if (found[2]) add(found[2], {isCode: true})
    else add(found[3], {url: found[3]})
    at = found.index + found[0].length
  }
  add(text.slice(at))
  return parts
}

const inline = (text, start, end, all) => {
  const parts = []
  let at = start
  for (const mark of all) {
    if (mark.start < start || mark.end > end) continue
    const {start: from, end: to, ...what} = mark
    parts.push(...plain(text.slice(at, from)), {text: text.slice(from, to), ...what})
    at = mark.end
  }
  return [...parts, ...plain(text.slice(at, end))]
}

const LINE = /^(\s*)(?:(#{1,6})\s+|(>)\s?|([-*•])\s+|(\d{1,3})[.)]\s+)?/

// Cuts an answer into blocks {kind, level?, number?, parts}; kind is text, heading, quote, item, number or code.
export const blocks = (text, citations, sentences) => {
  const all = marks(text, citations, sentences)
  const list = []
  let at = 0
  let isCode = false
  let isOpen = false
  for (const line of text.split("\n")) {
    const start = at
    const end = at + line.length
    at = end + 1
    if (/^\s*```/.test(line)) {
      isCode = !isCode
      if (isCode) list.push({kind: "code", parts: []})
      isOpen = false
      continue
    }
    if (isCode) {
      list.at(-1).parts.push({text: line + "\n"})
      continue
    }
    if (!line.trim()) {
      isOpen = false
      continue
    }
    const [head, space, heading, quote, bullet, number] = LINE.exec(line)
    const kind = heading ? "heading" : quote ? "quote" : bullet ? "item" : number ? "number" : "text"
    const parts = inline(text, start + head.length, end, all)
    const last = list.at(-1)
    if (isOpen && (kind === "text" && last.kind !== "heading" || kind === "quote" && last.kind === "quote")) {
      last.parts.push({text: "\n"}, ...parts)
    } else {
      list.push({kind, parts, ...(number && {number: Number(number)}), ...(space.length > 1 && {level: 1})})
    }
    isOpen = true
  }
  return list
}
