import test from "node:test"
import assert from "node:assert/strict"
import fs from "node:fs"

const files = new URL("../../../Sources/Server/WebPage/Files/", import.meta.url)
const read = name => fs.readFileSync(new URL(name, files), "utf8")

// Each level of imports that is not listed costs the first paint a round trip.
test("the first page preloads exactly what it imports", () => {
  const reached = new Set()
  const follow = name => {
    if (reached.has(name)) return
    reached.add(name)
    for (const [, found] of read(name).matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"|^import "(\.[^"]+)"/gm)) {
      follow(new URL(found, new URL(name, files)).href.slice(files.href.length))
    }
  }
  follow("main.js")
  follow("chat/shell.js")
  const listed = [...read("index.html").matchAll(/modulepreload" href="([^"]+)"/g)].map(match => match[1])
  assert.deepEqual(listed.sort(), [...reached].filter(name => name !== "main.js").sort())
})
