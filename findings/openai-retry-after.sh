#!/usr/bin/env bash
# openai 3.57.0 beside openai 1.109.1, Python 3.11.
#
# A server of models is busy and answers 429 with `Retry-After`. The client has a timeout of 2 seconds and may ask once
# more. For 61 seconds, 3.57.0 sleeps that long inside of the call, whatever the timeout is (with the default of two more
# tries and 120 seconds it raised after 240 seconds), and the caller hears nothing before. For 121 it does not ask again
# and raises at once. 1.109.1 takes a wait above a minute for unreasonable and puts its own in its place, half a second: a
# server that asks for two minutes of rest gets the next request at once, by default three in two seconds.
#
# Output (seconds to the next request, for 2, 61 and 121 seconds):
#   openai 1.109.1: 2 0 0
#   openai 3.57.0: 2 61 none
#
# Most would guess that the timeout bounds the call, that a client asks again late rather than early, and that two
# releases of it treat the header alike.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cat > "$work/busy.py" <<'PYTHON'
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import openai

times, wait = [], ["2"]


class Busy(BaseHTTPRequestHandler):
    def do_POST(self):
        times.append(time.monotonic())
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"error": {"message": "busy", "type": "rate_limit_error", "code": None}}).encode()
        self.send_response(429)
        self.send_header("Retry-After", wait[0])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *values):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = openai.OpenAI(
    base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none", timeout=2, max_retries=1
)
gaps = []
for wait[0] in ("2", "61", "121"):
    times.clear()
    try:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hello"}])
    except openai.RateLimitError:
        gaps.append(int(times[1] - times[0]) if len(times) > 1 else None)
print(f"openai {openai.__version__}:", *("none" if gap is None else gap for gap in gaps))
early = gaps[1] is not None and gaps[1] < 20 and gaps[2] is not None and gaps[2] < 20
late = gaps[1] is not None and gaps[1] >= 61 and gaps[2] is None
sys.exit(0 if {"early": early, "late": late}[sys.argv[1]] else 1)
PYTHON
python3 -m venv "$work/env"
see() {
    "$work/env/bin/pip" install --quiet --disable-pip-version-check "$1"
    "$work/env/bin/python" "$work/busy.py" "$2"
}
see openai==1.109.1 early
see openai==3.57.0 late
