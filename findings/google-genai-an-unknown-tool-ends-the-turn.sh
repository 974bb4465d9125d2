#!/usr/bin/env bash
# google-genai 3.3.0, Python 3.11.
#
# Functions given as tools are called by the library itself, and their results go back to the model. What a function raises is reported to the
# model, and so is an argument of a wrong type. A name that is no tool, as models make up now and then, is not: `send_message` raises
# KeyError. Calls in front of it in the same reply have been carried out, and the chat remembers neither the question nor the payment,
# so a program that asks again pays twice. An argument that the function does not have is dropped, and the model reads "done".
#
# Output (what was paid, the outcome, and what the history has):
#   pay 10: paid 10, done, 4 entries
#   pay "10": nothing, told to the model, 4 entries
#   pay 10 and notify: paid 10, KeyError('notify'), 0 entries
#   the same question again: paid 10, KeyError('notify'), 0 entries
#   pay 10, currency USD: paid 10, done, 4 entries
#
# Most would guess that the model reads which tools there are, as with other errors of its calls, and can go on.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile google-genai==3.3.0
cat > "$work/unknown.py" <<'PYTHON'
import http.server
import json
import logging
import sys
import threading

logging.disable(logging.CRITICAL)

from google import genai
from google.genai import types

calls, asked, paid = [], [], []


class Server(http.server.BaseHTTPRequestHandler):
    """Answers the first request of a turn with calls of tools, the second with a text."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        last = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["contents"][-1]["parts"]
        results = [part["functionResponse"]["response"] for part in last if "functionResponse" in part]
        asked.extend(results)
        parts = [{"text": "ready"}] if results else [{"functionCall": {"name": name, "args": values}} for name, values in calls]
        body = json.dumps({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def pay(euros: int) -> str:
    """Pays an amount in euros."""
    paid.append(euros)
    return "done"


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = genai.Client(api_key="key", http_options=types.HttpOptions(base_url=f"http://127.0.0.1:{server.server_port}"))


def turn(chat, *made):
    calls[:], asked[:], paid[:] = made, [], []
    try:
        chat.send_message("Pay 10 euros.")
        outcome = "done" if asked[-1] == {"result": "done"} else "told to the model"
    except Exception as error:
        outcome = repr(error)
    return f"{'paid ' + str(paid[0]) if paid else 'nothing'}, {outcome}, {len(chat.get_history())} entries"


def chat():
    return client.chats.create(model="model", config=types.GenerateContentConfig(tools=[pay]))


pays, notifies = ("pay", {"euros": 10}), ("notify", {"who": "Bo"})
one = chat()
seen = [
    ("pay 10", turn(chat(), pays)), ('pay "10"', turn(chat(), ("pay", {"euros": "10"}))),
    ("pay 10 and notify", turn(one, pays, notifies)), ("the same question again", turn(one, pays, notifies)),
    ("pay 10, currency USD", turn(chat(), ("pay", {"euros": 10, "currency": "USD"}))),
]
for title, line in seen:
    print(f"{title}: {line}")
expected = [
    "paid 10, done, 4 entries", "nothing, told to the model, 4 entries", "paid 10, KeyError('notify'), 0 entries",
    "paid 10, KeyError('notify'), 0 entries", "paid 10, done, 4 entries",
]
sys.exit(0 if [line for _, line in seen] == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/unknown.py"
