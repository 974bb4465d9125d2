import test from "node:test"
import assert from "node:assert/strict"
import fs from "node:fs"
import zlib from "node:zlib"

const files = new URL("../../../Sources/Server/WebPage/Files/", import.meta.url)
const read = name => fs.readFileSync(new URL(name, files), "utf8")

// The modules that some load without being asked, as they are written.
const reachedFrom = (...starts) => {
  const reached = new Set()
  const follow = name => {
    if (reached.has(name)) return
    reached.add(name)
    for (const [, one, other] of read(name).matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"|^import "(\.[^"]+)"/gm)) {
      follow(new URL(one ?? other, new URL(name, files)).href.slice(files.href.length))
    }
  }
  starts.forEach(follow)
  return reached
}
const listedIn = pattern => [...read("index.html").matchAll(pattern)].map(match => match[1])

// Each level of imports that is not listed costs the first paint a round trip.
test("the first page preloads exactly what it imports", () => {
  const reached = reachedFrom("main.js", "chat/shell.js")
  assert.deepEqual(listedIn(/modulepreload" href="([^"]+)"/g).sort(), [...reached].filter(name => name !== "main.js").sort())
})

// As the server sends them: without comments and indentation, each compressed alone.
const sizeOf = name => {
  const lines = read(name).split("\n").map(line => line.trim()).filter(line => line && !line.startsWith("//"))
  return zlib.gzipSync(lines.join("\n"), {level: 9}).length
}

test("what a person loads who only chats is small", () => {
  const styles = listedIn(/stylesheet" href="([^"]+)"/g)
  const names = ["index.html", ...styles, ...reachedFrom("main.js", "chat/shell.js", "lib/markdown.js", "chat/timeline.js")]
  const size = names.reduce((sum, name) => sum + sizeOf(name), 0)
  assert.ok(size < 94_000, `${size} bytes: let what is not needed first come later`)
})
