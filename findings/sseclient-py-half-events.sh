#!/usr/bin/env bash
# sseclient-py 1.9.0 (with requests 2.34.2), against httpx-sse 0.4.3 with httpx 0.28.1, Python 3.11.
#
# A server of server-sent events ends in the middle of an event: the line of data is half, and the blank line that ends an
# event never came. The standard, and browsers, drop such an event. sseclient-py hands it to the program like a whole one,
# so `{"paid": 1200}` can arrive as `{"paid": 12` or, in a stream of plain text, as half a sentence with another meaning.
# Its `id` is given too, so a program that resumes at the last id never gets the whole event.
#
# Output:
#   httpx-sse: [('1', 'the pier is open')]
#   sseclient-py: [('1', 'the pier is open'), ('2', 'the crane is')]
#
# Most would guess that a library of this protocol gives only events that are complete.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
    sseclient-py==1.9.0 requests==2.34.2 httpx==0.28.1 httpx-sse==0.4.3
cat > "$work/half.py" <<'PYTHON'
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import httpx_sse
import requests
import sseclient


class Ending(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        # "the crane is not booked" was to come.
        self.wfile.write(b"id: 1\ndata: the pier is open\n\nid: 2\ndata: the crane is")

    def log_message(self, *values):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Ending)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/"

with httpx.Client(trust_env=False) as client, httpx_sse.connect_sse(client, "GET", address) as source:
    whole = [(event.id, event.data) for event in source.iter_sse()]
print("httpx-sse:", whole)
with requests.Session() as session:
    session.trust_env = False
    found = [(event.id, event.data) for event in sseclient.SSEClient(session.get(address, stream=True)).events()]
print("sseclient-py:", found)
raise SystemExit(0 if whole == found[:1] and found[1:] == [("2", "the crane is")] else 1)
PYTHON
"$work/env/bin/python" "$work/half.py"
