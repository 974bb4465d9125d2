#!/usr/bin/env bash
# rocketchat-API 3.7.1, Python 3.11, with a small server that counts as Rocket.Chat does.
#
# Lists of Rocket.Chat come in pages. A server gives at most 100 items for one request, whatever `count` asks for, unless its
# administrator changes the "Max Record Amount", and it says in `total` how many there are. The library goes through the pages
# by itself. It takes a page with fewer items than it asked for as the last one, and does not look at `total`. So a program that
# asks for larger pages, to save requests, gets the first 100 rooms and takes them for all. With `count=100`, or without a
# count, it gets all.
#
# Output (of 250 rooms):
#   without a count: 250 in 6 requests
#   count=100: 250 in 3 requests
#   count=200: 100 in 1 request
#
# Most would guess that a larger count means fewer requests, and never fewer rooms.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile rocketchat-API==3.7.1
cat > "$work/pages.py" <<'PYTHON'
import http.server
import json
import sys
import threading
import urllib.parse

from rocketchat_API.rocketchat import RocketChat

requests = []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        requests.append(query)
        offset, count = int(query["offset"]), min(int(query["count"]), 100)
        rooms = [{"_id": str(number)} for number in range(250)][offset:offset + count]
        body = json.dumps({
            "success": True, "channels": rooms, "count": len(rooms), "offset": offset, "total": 250}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
rocket = RocketChat(user_id="u", auth_token="t", server_url=f"http://127.0.0.1:{server.server_port}")
seen = []
for name, options in [("without a count", {}), ("count=100", {"count": 100}), ("count=200", {"count": 200})]:
    requests.clear()
    seen.append((len(list(rocket.channels_list(**options))), len(requests)))
    print(f"{name}: {seen[-1][0]} in {seen[-1][1]} request{'s' if seen[-1][1] > 1 else ''}")
sys.exit(0 if seen == [(250, 6), (250, 3), (100, 1)] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/pages.py"
