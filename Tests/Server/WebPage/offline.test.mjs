import test from "node:test"
import assert from "node:assert/strict"
import fs from "node:fs"
import vm from "node:vm"

const files = new URL("../../../Sources/Server/WebPage/Files/", import.meta.url)
const TYPES = {html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css", svg: "image/svg+xml", webmanifest: "application/manifest+json"}
const ORIGIN = "https://chat.test"

// As the server sends it: without lines of comments.
const sent = url => fs.readFileSync(url, "utf8").split("\n").filter(line => !line.trim().startsWith("//")).join("\n")

// Installs the service worker; returns the paths that it asked for, by whether they are there, and those that it keeps.
const install = async () => {
  const asked = new Map(), kept = new Map(), listeners = {}
  const fetch = async address => {
    const {pathname} = new URL(address, ORIGIN)
    const url = new URL(`.${pathname === "/" ? "/index.html" : pathname}`, files)
    const ok = fs.existsSync(url)
    asked.set(pathname, ok)
    return new Response(ok ? sent(url) : "", {status: ok ? 200 : 404, headers: {"Content-Type": TYPES[pathname.split(".")[1] ?? "html"]}})
  }
  const cache = {match: async () => undefined, put: async (key, reply) => void kept.set(new URL(key, ORIGIN).pathname, reply)}
  const caches = {open: async () => cache, keys: async () => [], match: async () => undefined}
  const addEventListener = (name, listener) => (listeners[name] = listener)
  const context = {fetch, caches, addEventListener, skipWaiting() {}, location: new URL(ORIGIN), URL, Response, TextEncoder, Uint8Array, crypto: globalThis.crypto}
  vm.runInNewContext(fs.readFileSync(new URL("service-worker.js", files), "utf8"), context)
  let done
  listeners.install({waitUntil: promise => (done = promise)})
  await done
  return {asked, kept}
}

test("the service worker keeps every file of the page, and asks for nothing else", async () => {
  const {asked, kept} = await install()
  assert.deepEqual([...asked].filter(([, isThere]) => !isThere).map(([path]) => path), [])
  assert.ok(kept.has("/complete"))
  const names = fs.readdirSync(files, {recursive: true}).filter(name => /\.\w+$/.test(name))
  const missing = names.filter(name => !kept.has(`/${name}`) && !["index.html", "service-worker.js"].includes(name))
  assert.deepEqual(missing, [])
})
