// The page without a network, and notifications while it is closed.
const same = (text, base) => {
  const url = new URL(text, base)
  return url.origin === location.origin ? [url.href.split("#")[0]] : []
}
// What files name others with, by their types: `url(` is an address in styles and a call in scripts.
const PATTERNS = {
  html: [/(?:href|src)="([^"]+)"/g],
  javascript: [/\b(?:from|import)\s*\(?\s*"(\.{0,2}\/[^"]+)"/g, /"(\.\/[^"]+\.css)"/g],
  css: [/(?:url\(|@import )["']?([^"')]+)/g],
  manifest: [/"src": "([^"]+)"/g],
}
const patternsOf = reply => PATTERNS[/html|javascript|css|manifest/.exec(reply.headers.get("Content-Type"))?.[0]] ?? []

const COMPLETE = "/complete"
const isFixed = path => /^\/page\/(?!dev\/)/.test(path)

// Keeps the shell and everything that it names, directly or not: there is no list to maintain. An older copy goes when
// the new one is complete.
const keep = async shell => {
  const text = await shell.clone().text()
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
  const name = "page-" + [...bytes.slice(0, 8)].map(byte => byte.toString(16).padStart(2, "0")).join("")
  const cache = await caches.open(name)
  if (/"\/?page\/(?!dev\/)/.test(text) && (await cache.match(COMPLETE))) return
  const known = new Map([[new URL("/", location).href, shell]])
  let isComplete = true
  for (const [url, loaded] of known) {
    const reply = loaded ?? (await fetch(url, {cache: "no-cache"}))
    isComplete &&= reply.ok
    if (!reply.ok) continue
    const patterns = patternsOf(reply)
    const text = patterns.length ? await reply.clone().text() : ""
    for (const pattern of patterns) for (const [, found] of text.matchAll(pattern)) {
      for (const next of same(found, url)) if (!known.has(next)) known.set(next, null)
    }
    await cache.put(url, reply)
  }
  if (!isComplete) return
  await cache.put(COMPLETE, new Response())
  for (const other of await caches.keys()) if (other !== name) await caches.delete(other)
}

const shell = async event => {
  try {
    const reply = await fetch(event.request)
    if (reply.ok) event.waitUntil(keep(reply.clone()).catch(() => {}))
    return reply
  } catch (error) {
    return (await caches.match("/")) ?? Promise.reject(error)
  }
}

const part = async request => {
  if (isFixed(new URL(request.url).pathname)) return (await caches.match(request)) ?? fetch(request)
  return fetch(request).catch(async error => (await caches.match(request)) ?? Promise.reject(error))
}

addEventListener("install", event => {
  skipWaiting()
  event.waitUntil(fetch("/", {cache: "no-cache"}).then(keep))
})
addEventListener("activate", event => event.waitUntil(clients.claim()))
addEventListener("fetch", event => {
  const {request} = event
  const url = new URL(request.url)
  if (request.method !== "GET" || url.origin !== location.origin || /^\/v\d/.test(url.pathname)) return
  if (request.mode === "navigate") url.pathname === "/" && event.respondWith(shell(event))
  else if (["script", "style", "manifest", "image", "font"].includes(request.destination)) event.respondWith(part(request))
})

// The push service sees ids only, so the name comes from what the page keeps in this browser.
const titleOf = id => new Promise(resolve => {
  const request = indexedDB.open("nexus")
  request.onupgradeneeded = () => request.transaction.abort()
  request.onerror = () => resolve()
  request.onsuccess = () => {
    try {
      const get = request.result.transaction("conversations").objectStore("conversations").get(id)
      get.onsuccess = () => resolve(get.result?.entry.name)
      get.onerror = () => resolve()
    } catch {
      resolve()
    }
    request.result.close()
  }
})

addEventListener("push", event => event.waitUntil((async () => {
  let data = {}
  try { data = event.data.json() } catch {}
  const {conversationId, senderName, messageText, unread} = data
  const isGerman = navigator.language.startsWith("de")
  const count = unread > 1 ? (isGerman ? `${unread} neue Nachrichten` : `${unread} new messages`) : isGerman ? "Neue Nachricht" : "New message"
  const title = senderName ?? (conversationId && (await titleOf(conversationId))) ?? "Nexus"
  await registration.showNotification(title, {body: messageText ?? count, tag: conversationId ?? "nexus", renotify: true, data})
})()))

addEventListener("notificationclick", event => {
  event.notification.close()
  const {conversationId, messageId} = event.notification.data ?? {}
  const parts = conversationId ? ["conversation", conversationId, ...(messageId ? ["message", messageId] : [])] : []
  const hash = "#/" + parts.map(encodeURIComponent).join("/")
  event.waitUntil((async () => {
    const [page] = await clients.matchAll({type: "window"})
    if (!page) return clients.openWindow("/" + hash)
    await page.focus()
    page.postMessage({type: "open", hash})
  })())
})
