#!/usr/bin/env bash
# websocket-client 1.9.2, with a server of websockets 17.4, Python 3.11.
#
# With `run_forever(reconnect=1)` neither `on_close` nor `on_error` is called when the server closes the connection. The program
# is not told the close code, so it cannot tell "the token has expired" (3000) from a restart, and what it does at the end of a
# connection (forget who is present, stop a timer, ask for another ticket) is not done: it hears only the next `on_open`. The
# same connection without `reconnect` calls both, with code and reason. At the end of the program `on_close` is called once, with
# no code.
#
# Output:
#   without reconnect: open, message hello, error WebSocketConnectionClosedException, close 3000 token expired
#   with reconnect: open, message hello, open, message hello, open, message hello
#
# Most would guess that `reconnect` adds connections, and that each of them still ends with `on_close`.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check websocket-client==1.9.2 websockets==17.4
cat > "$work/closing.py" <<'PYTHON'
import asyncio
import logging
import threading

import websocket
from websockets.asyncio.server import serve

logging.getLogger("websocket").setLevel(logging.CRITICAL)
address = []
ready = threading.Event()


async def handler(connection):
    await connection.send("hello")
    await connection.close(3000, "token expired")


async def main():
    async with serve(handler, "127.0.0.1", 0) as server:
        address.append(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        ready.set()
        await asyncio.Future()


def run(**options):
    """Returns what the program hears until the third message, or the end."""
    heard, enough = [], threading.Event()

    def on_message(app, text):
        heard.append(f"message {text}")
        if heard.count("message hello") == 3:
            enough.set()

    app = websocket.WebSocketApp(
        address[0], on_message=on_message, on_open=lambda app: heard.append("open"),
        on_error=lambda app, error: heard.append(f"error {type(error).__name__}"),
        on_close=lambda app, code, reason: heard.append(f"close {code} {reason}"))

    def forever():
        app.run_forever(http_no_proxy=["127.0.0.1"], **options)
        enough.set()

    threading.Thread(target=forever, daemon=True).start()
    enough.wait(60)
    found = list(heard)
    app.close()
    return found


threading.Thread(target=lambda: asyncio.run(main()), daemon=True).start()
ready.wait()
once, again = run(), run(reconnect=1)
print("without reconnect:", ", ".join(once))
print("with reconnect:", ", ".join(again))
ended = ["error WebSocketConnectionClosedException", "close 3000 token expired"]
raise SystemExit(0 if once == ["open", "message hello", *ended] and again == ["open", "message hello"] * 3 else 1)
PYTHON
"$work/env/bin/python" "$work/closing.py"
