#!/usr/bin/env bash
# rocketchat-API 3.7.1 beside zulip 0.9.1, Python 3.11, with a server that shows what it reads.
#
# The library writes the values of a request into the address as they are. So a search with `chat_search` for "R&D" asks the
# server for R, one for "C++" for "C" and two spaces, and one for "gate #4" for "gate": the server answers another question, and
# the program takes the hits for its own. In `oldest` of a history the plus before the time zone becomes a space. Nothing is
# raised. The client of Zulip sends what it was given.
#
# Output (given, read by the server: rocketchat-API, zulip):
#   R&D: R | R&D
#   C++: C   | C++
#   gate #4: gate | gate #4
#   2026-11-29T10:00:00+01:00: 2026-11-29T10:00:00 01:00 | 2026-11-29T10:00:00+01:00
#
# Most would guess that a client of a web API quotes what it puts into an address.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile rocketchat-API==3.7.1 zulip==0.9.1
cat > "$work/search.py" <<'PYTHON'
import http.server
import json
import sys
import threading
import urllib.parse

import zulip
from rocketchat_API.rocketchat import RocketChat

read = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        read.clear()
        read.update(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        body = json.dumps({
            "success": True, "result": "success", "msg": "", "messages": [], "zulip_version": "10.0",
            "zulip_feature_level": 300}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
site = f"http://127.0.0.1:{server.server_port}"
rocket = RocketChat(user_id="u", auth_token="t", server_url=site)
client = zulip.Client(email="bot@example.org", api_key="k", site=site, insecure=False)
seen = []
for value in ["R&D", "C++", "gate #4", "2026-11-29T10:00:00+01:00"]:
    if value.startswith("2026"):
        rocket.channels_history("quay", oldest=value)
        by_rocket = read["oldest"]
    else:
        rocket.chat_search("quay", value)
        by_rocket = read["searchText"]
    client.call_endpoint("messages", method="GET", request={"query": value})
    seen.append((by_rocket, read["query"]))
    print(f"{value}: {seen[-1][0]} | {seen[-1][1]}")
sys.exit(0 if seen == [
    ("R", "R&D"), ("C  ", "C++"), ("gate ", "gate #4"),
    ("2026-11-29T10:00:00 01:00", "2026-11-29T10:00:00+01:00")] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/search.py"
