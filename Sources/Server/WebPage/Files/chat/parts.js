// Pure parts of the timeline: groups, links, mentions, windows. No document, no store.
import {ranked} from "../lib/ranked.js"

export const GROUP_GAP = 5 * 60_000
export const LIMIT = 160
export const SETTLED = 110
export const STEP = 50
export const LONG_TEXT = 2_400
export const LONG_LINES = 30

export const keyOf = message => message.localId ?? message.id

// {isFirst, startsDay, isNew}: whether a message begins a group, a day, or what is new, after the message before it.
export const placeOf = (message, before, {newFrom, isSameDay}) => {
  const startsDay = !before || !isSameDay(before.timestamp, message.timestamp)
  const isNew = newFrom != null && message.id === newFrom
  const isFirst = startsDay || isNew || before.senderId !== message.senderId || before.kind !== message.kind ||
    (before.threadRoot ?? before.id) !== (message.threadRoot ?? before.id) && !!(before.threadRoot ||
      message.threadRoot) ||
    Math.abs(Date.parse(message.timestamp) - Date.parse(before.timestamp)) > GROUP_GAP
  return {isFirst, startsDay, isNew}
}

const isWord = letter => letter !== undefined && /[\p{Alphabetic}\p{N}_]/u.test(letter)
const letterBefore = (text, index) => [...text.slice(Math.max(0, index - 2), index)].at(-1)

// The ranges of a text that its writer does not say to anybody: code between backticks of one paragraph or in a fenced
// block, and lines that begin with ">"; as the server's UnspokenParts.
const unspokenIn = text => {
  const found = []
  let [fence, paragraph, start] = [null, 0, 0]
  const spans = (from, to) => {
    const runs = [...text.slice(from, to).matchAll(/\\[^]|`+/g)].filter(run => run[0][0] === "`")
    for (let at = 0; at < runs.length; at++) {
      let close = at + 1
      while (close < runs.length && runs[close][0].length !== runs[at][0].length) close++
      if (close === runs.length) continue
      found.push([from + runs[at].index, from + runs[close].index + runs[close][0].length])
      at = close
    }
  }
  for (const line of text.split("\n")) {
    const end = start + line.length
    const opening = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/su.exec(line)
    const isQuote = /^ {0,3}>/.test(line)
    const isText = !isQuote && !opening && /\S/.test(line)
    if (fence) {
      found.push([start, end])
      const close = /^ {0,3}(`+|~+)\s*$/.exec(line)?.[1] ?? ""
      if (close[0] === fence[0] && close.length >= fence.length) fence = null
    } else if (!isText) {
      spans(paragraph, start)
      if (isQuote || opening) found.push([start, end])
      fence = opening ? opening[1] ?? opening[2] : null
    }
    start = end + 1
    if (fence || !isText) paragraph = start
  }
  spans(paragraph, text.length)
  return found
}
const isInAddress = (text, index) => /:\/\/\S*$/.test(text.slice(Math.max(0, index - 500), index))
// A longer name follows: more of a word, also after a hyphen, a dot or @.
const continuesName = (text, index) => /^[-\u2010\u2011.@]?[\p{Alphabetic}\p{N}_]/u.test(text.slice(index, index + 3))

// Finds mentions as the server does: the longest name wins, and a name of two members mentions nobody.
export const mentionReader = members => {
  const users = new Map()
  for (const {userId, id = userId, name, aliases = []} of members) {
    for (const word of new Set([name, id, ...aliases].filter(Boolean).map(w => w.toLowerCase()))) {
      users.set(word, users.has(word) && users.get(word) !== id ? null : id)
    }
  }
  const names = [...users].filter(([, id]) => id).sort(([a], [b]) => b.length - a.length)
  return text => {
    const found = []
    if (!names.length) return found
    const folded = text.toLowerCase()
    if (folded.length !== text.length) return found
    const unspoken = text.includes("@") ? unspokenIn(text) : []
    for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
      if (isWord(letterBefore(text, at)) || isInAddress(text, at)) continue
      while (unspoken.length && unspoken[0][1] <= at) unspoken.shift()
      if (unspoken.length && unspoken[0][0] <= at) continue
      const hit = names.find(([name]) => folded.startsWith(name, at + 1) &&
        !continuesName(text, at + 1 + name.length))
      if (hit) found.push({kind: "mention", start: at, end: at + 1 + hit[0].length, userId: hit[1]})
      if (found.length > 500) break
    }
    return found
  }
}

// Citations such as [2] of the given numbers.
export const citationsIn = (text, numbers) =>
  numbers.length
    ? [...text.matchAll(/\[(\d{1,3})\]/g)].filter(m => numbers.includes(+m[1]))
        .map(m => ({kind: "citation", start: m.index, end: m.index + m[0].length, number: +m[1]}))
    : []

// Leaves no half of a surrogate pair at the end.
export const cut = (text, length) => text.slice(0, length).replace(/[\ud800-\udbff]$/, "")
// The beginning of a very long text, or null if it is short enough.
export const shortened = text => {
  let end = text.length > LONG_TEXT ? LONG_TEXT : text.length
  let at = -1
  for (let lines = 0; lines < LONG_LINES && (at = text.indexOf("\n",
    at + 1)) >= 0;) if (++lines === LONG_LINES) end = Math.min(end, at)
  return end < text.length * 0.9 ? cut(text, end) : null
}
export const excerpt = (text, length = 140) => {
  const flatText = text.slice(0, length * 4).replace(/\s+/g, " ").trim()
  return flatText.length > length ? cut(flatText, length) + "…" : flatText
}

// Where the window of at most LIMIT rows begins, after a change. At the end it is cut back to SETTLED rows at a time.
export const windowStart = ({start, length, isAtEnd}) => {
  if (isAtEnd) return length - start > LIMIT || start > length ? Math.max(0, length - SETTLED) : start
  return Math.max(0, Math.min(start, length - 1))
}
export const windowAround = (index, length) => Math.max(0, Math.min(index - LIMIT / 2, length - SETTLED))

// What is being completed before the caret: {start, query, isFirst} after an @ that begins a word, or null.
export const mentionQuery = (text, caret) => {
  const from = Math.max(0, caret - 60)
  const match = /@([^\n@]{0,50})$/u.exec(text.slice(from, caret))
  if (!match) return null
  const start = from + match.index
  if (isWord(letterBefore(text, start))) return null
  if (/\s\s|^\s/.test(match[1])) return null
  return {start, query: match[1], isFirst: text.slice(0, start).trim() === ""}
}
// The emoji that is being written before the caret, ":tad" or ":+1", as {start, query}; a time as 10:30 is none.
export const emojiQuery = (text, caret) => {
  const match = /(?<=^|[\s(]):([\p{L}+-][\p{L}\d_+-]{1,20})$/u.exec(text.slice(Math.max(0, caret - 30), caret))
  return match ? {start: caret - match[0].length, query: match[1]} : null
}
// People whose name, id or aliases have words that begin with those of the query; a name that begins with it comes first.
export const candidates = (people, query, limit = 8) =>
  ranked(people, query, ({name, id, aliases = []}) => [name, id, ...aliases].join(" ")).slice(0, limit)
// The text of an answer without the list of sources at its end, which is shown as buttons.
export const withoutSourceLines = (text, sources) => {
  const lines = text.split("\n")
  let end = lines.length
  while (end > 0 && sources.some(s => lines[end - 1].startsWith(`[${s.number}] `))) end--
  return lines.length - end === sources.length ? lines.slice(0, end).join("\n").trimEnd() : text
}
