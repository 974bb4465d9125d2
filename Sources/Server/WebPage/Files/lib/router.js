// Addresses are in the hash: #/conversation/ID/message/MID, #/search?q=…
const parse = () => {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?")
  const [name = "", id = "", part = "", partId = ""] = path.split("/").map(segment => {
    try {
      return decodeURIComponent(segment)
    } catch {
      return segment
    }
  })
  return {name, id, part, partId, query: new URLSearchParams(query), hash: location.hash}
}
const watchers = new Set()
export let route = parse()
const changed = () => {
  route = parse()
  for (const fn of watchers) fn(route)
}
addEventListener("hashchange", changed)

// link("conversation", id, "message", messageId), link("search", {q}): the hash of an address.
export const link = (...segments) => {
  const last = segments.at(-1)
  const query = String(new URLSearchParams(last && typeof last === "object" ? segments.pop() : ""))
  return "#/" + segments.filter(s => s !== null && s !== undefined && s !== "").map(encodeURIComponent).join("/") + (query && `?${query}`)
}
// Replaces the address, without an entry in the history, if isReplacing.
export const go = (hash, isReplacing = false) => {
  if (hash === location.hash) return changed()
  if (!isReplacing) location.hash = hash
  else {
    history.replaceState(history.state, "", hash)
    changed()
  }
}
export const onRoute = fn => {
  watchers.add(fn)
  return () => watchers.delete(fn)
}
