#!/usr/bin/env bash
# aiohttp 3.14.5, against httpx 0.28.1, Python 3.11.
#
# A server takes a DELETE on a connection that was used before, deletes, and is stopped before it answers; another process of it
# takes the next connection. aiohttp sends the DELETE again by itself, and the program gets only the second reply: 404, although
# its request deleted the thing. Nothing tells it that there were two requests. PUT is repeated as well; POST and PATCH are not,
# and neither is a DELETE on a fresh connection. So a program that counts, notifies or logs by the status says that nothing was
# deleted, and a queue behind such a route ("delete the next one") loses two.
#
# Output:
#   httpx: DELETE /jobs/next -> RemoteProtocolError, deleted ['job 1']
#   aiohttp: DELETE /jobs/next -> 200 job 2, deleted ['job 1', 'job 2']
#   aiohttp: DELETE /messages/1 -> 404 there is none, deleted ['message 1']
#
# Most would guess that a client without a setting for retries sends each request once, as httpx and requests do
# when a server has read the request and gives no reply.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5 httpx==0.28.1
cat > "$work/twice.py" <<'PYTHON'
import asyncio
import socket
import threading

import aiohttp
import httpx

jobs, messages, deleted = [], [], []


def request(connection):
    """Returns method and path of the next request, or None at the end."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        if not piece:
            return None
        data += piece
    return tuple(data.decode().split(" ")[:2])


def perform(method, path):
    if method != "DELETE":
        return 200, "hello"
    pool = jobs if path == "/jobs/next" else messages
    if not pool:
        return 404, "there is none"
    deleted.append(pool.pop(0))
    return 200, deleted[-1]


def serve(connection, is_first):
    """Answers; the first process is stopped after it has deleted and before it answers."""
    while found := request(connection):
        status, text = perform(*found)
        if is_first and found[0] == "DELETE":
            break
        connection.sendall(f"HTTP/1.1 {status} X\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
    connection.close()


def start():
    jobs[:], messages[:], deleted[:] = ["job 1", "job 2", "job 3"], ["message 1"], []
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        for number in range(3):
            connection = listener.accept()[0]
            threading.Thread(target=serve, args=(connection, number == 0), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def with_httpx(path):
    address = start()
    with httpx.Client(trust_env=False) as client:
        client.get(address + "/")
        try:
            reply = client.request("DELETE", address + path)
            return f"{reply.status_code} {reply.text}"
        except httpx.HTTPError as error:
            return type(error).__name__


async def with_aiohttp(path):
    address = start()
    async with aiohttp.ClientSession() as session:
        async with session.get(address + "/") as reply:
            await reply.text()
        try:
            async with session.delete(address + path) as reply:
                return f"{reply.status} {await reply.text()}"
        except aiohttp.ClientError as error:
            return type(error).__name__


seen = []
for name, run, path in [
    ("httpx", with_httpx, "/jobs/next"), ("aiohttp", lambda path: asyncio.run(with_aiohttp(path)), "/jobs/next"),
    ("aiohttp", lambda path: asyncio.run(with_aiohttp(path)), "/messages/1"),
]:
    outcome = run(path)
    print(f"{name}: DELETE {path} -> {outcome}, deleted {deleted}")
    seen.append((outcome[:3], list(deleted)))
raise SystemExit(0 if seen == [
    ("Rem", ["job 1"]), ("200", ["job 1", "job 2"]), ("404", ["message 1"])] else 1)
PYTHON
"$work/env/bin/python" "$work/twice.py"
