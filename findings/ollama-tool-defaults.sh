#!/usr/bin/env bash
# ollama 0.6.3 (the Python client), Python 3.11.
#
# A function in Python is given as a tool: one parameter without a default, one with a default, one that is None by
# default, and a list of texts. The client makes the schema that the model sees, and marks all of them as required; the
# defaults are not in it, and of the list it says no more than that it is one. So a model that keeps to the schema invents
# a limit and a person for each search. Only a parameter whose type names None, `str | None`, is left out.
#
# Output:
#   required: ['words', 'limit', 'person', 'rooms'], the list: {'type': 'array', 'description': ''}
#   with `str | None`: ['words', 'limit', 'rooms']
#
# Most would guess that a parameter with a default is optional, as in the function itself and in other makers of schemas.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check ollama==0.6.3
cat > "$work/tools.py" <<'PYTHON'
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import ollama

requests = []


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        body = json.dumps({"model": "m", "message": {"role": "assistant", "content": "ok"}, "done": True}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *values):
        pass


def search(words: str, limit: int = 10, person: str = None, rooms: list[str] = ()):
    """Search messages."""


def search_typed(words: str, limit: int = 10, person: str | None = None, rooms: list[str] = ()):
    """Search messages."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = ollama.Client(host=f"http://127.0.0.1:{server.server_port}")
for function in (search, search_typed):
    client.chat(model="m", messages=[{"role": "user", "content": "hello"}], tools=[function])
plain, typed = (request["tools"][0]["function"]["parameters"] for request in requests)
print(f"required: {plain['required']}, the list: {plain['properties']['rooms']}")
print(f"with `str | None`: {typed['required']}")
every = ["words", "limit", "person", "rooms"]
sys.exit(0 if plain["required"] == every and "person" not in typed["required"] and "default" not in str(plain) else 1)
PYTHON
"$work/env/bin/python" "$work/tools.py"
