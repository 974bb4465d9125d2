// Marks the words of a query in a text.
import {fold} from "../lib/ranked.js"

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const COMMON = new Set(("the a an is are was of to in on at for and or who what when where why how does do did der " +
  "die das ein eine ist sind war und oder wer was wann wo warum wie im am zu mit von den dem").split(" "))

export const words = query => {
  const all = [...new Set((query.match(WORD) ?? []).map(fold))]
  const wanted = all.filter(word => !COMMON.has(word) && (word.length > 1 || CJK.test(word) || /\d/.test(word)))
  return wanted.length ? wanted : all
}

// The beginning that inflected forms share: "delays" finds "delayed", "Pläne" finds "Plan".
const stem = word => word.length < 5 ? word : word.slice(0, Math.max(4, word.length - (word.length > 7 ? 3 : 2)))

// Returns [{text, isHit}], which make up the text.
export const highlight = (text, query) => {
  const wanted = words(query)
  const parts = []
  const add = (part, isHit) => {
    if (!part) return
    if (parts.length && parts.at(-1).isHit === isHit) parts.at(-1).text += part
    else parts.push({text: part, isHit})
  }
  let at = 0
  for (const found of text.matchAll(WORD)) {
    add(text.slice(at, found.index), false)
    at = found.index + found[0].length
    const word = fold(found[0])
    if (!CJK.test(word)) {
      const isHit = wanted.some(one => word === one || (one.length > 3 && word.startsWith(stem(one))
        && word.length < one.length + 5))
      add(found[0], isHit)
      continue
    }
    const all = wanted.filter(one => CJK.test(one)).join("")
    for (const character of found[0]) add(character, all.includes(character))
  }
  add(text.slice(at), false)
  return parts
}

// Where a value is in a sentence from a place on: "5" is not in "15" and "4.5".
const placed = (text, value, from) => {
  for (let at = text.indexOf(value, from); value && at >= 0; at = text.indexOf(value, at + 1)) {
    if (!(/\d$/.test(value) && /^[.,]?\d/.test(text.slice(at + value.length)))
      && !(/^\d/.test(value) && /\d[.,]?$/.test(text.slice(0, at)))) return at
  }
  return -1
}

// Returns [{text, isReplaced}], which make up a sentence of a timeline; null if all that it states was replaced.
export const struck = (text, states) => {
  if (states.every(({isReplaced}) => isReplaced)) return null
  const parts = []
  let [at, from] = [0, 0]
  // The values are in the order of the text. A decision is the whole sentence.
  for (const {text: value, isReplaced} of states.filter(({kind}) => kind !== "decision")) {
    const start = placed(text, value, from)
    if (start < 0) {
      if (isReplaced) return null
      continue
    }
    from = start + value.length
    if (!isReplaced) continue
    if (start > at) parts.push({text: text.slice(at, start), isReplaced: false})
    parts.push({text: value, isReplaced: true})
    at = from
  }
  if (at < text.length) parts.push({text: text.slice(at), isReplaced: false})
  return parts.some(({isReplaced}) => isReplaced) ? parts : null
}

// Returns the part of a message that the server found; offline that around its first hit.
export const found = (message, query) => {
  const {excerpt: part, start, end, text} = message
  if (part === undefined) return excerpt(text, query)
  return (start > 0 ? "… " : "") + part + (end < text.length ? " …" : "")
}

// Returns the part of a long text around its first hit.
export const excerpt = (text, query, limit = 320) => {
  if (text.length <= limit) return text
  let first = 0
  for (const part of highlight(text.slice(0, 20_000), query)) {
    if (part.isHit) break
    first += part.text.length
  }
  if (first >= Math.min(text.length, 20_000)) first = 0
  let start = Math.max(0, first - 80)
  if (start) start = text.indexOf(" ", start) + 1 || start
  if (start > first) start = first
  const cut = Array.from(text.slice(start, start + limit * 2)).slice(0, limit).join("")
  return (start ? "… " : "") + cut.replace(/[\ud800-\udbff]$/, "") + (start + cut.length < text.length ? " …" : "")
}
