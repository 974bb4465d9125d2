// Finding by name, as people type it: beginnings of words, in any order, without accents.
export const fold = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
const words = text => fold(text).split(/[\s\p{P}]+/u).filter(Boolean)

// The entries whose text has, for each word of the query, a word that begins with it. Those whose text begins with the
// query come first; else their order stays.
export const ranked = (entries, query, textOf = entry => entry.name) => {
  const wanted = words(query), start = fold(query.trim())
  const found = entries.filter(entry => {
    const there = words(textOf(entry))
    return wanted.every(word => there.some(other => other.startsWith(word)))
  })
  const isFirst = entry => start && fold(textOf(entry)).startsWith(start)
  return [...found.filter(isFirst), ...found.filter(entry => !isFirst(entry))]
}
