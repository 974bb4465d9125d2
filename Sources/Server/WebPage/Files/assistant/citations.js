// Places citations in an answer. The server counts characters as people see them (extended grapheme clusters).
import {markdown} from "../lib/markdown.js"

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

// The blocks of an answer; the nodes of the kind "mark" are those of `marks`.
export const blocks = (text, citations, sentences) => markdown(text, marks(text, citations, sentences), true)
