#!/usr/bin/env bash
# slack-sdk 3.48.0, Python 3.11.
#
# A reply of slack-sdk that has further pages can be gone through with `for page in reply`. The loop yields the same object each
# time, with other contents: `list(reply)` of three pages holds the last page three times, and so does each collection of
# them, without an error. After a loop the reply itself holds the last page, so that its first messages are no longer there; a
# second loop begins with them again and asks the server for the others once more.
#
# Output:
#   in a loop: 1 2 3
#   list(reply): 3 3 3
#   the reply before, after: 1 3
#   requests for two loops: 5
#
# Most would guess that each page is a new reply, or that a reply stays what it was.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check slack-sdk==3.48.0
cat > "$work/pages.py" <<'PYTHON'
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from slack_sdk import WebClient

requests = []


class Slack(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
        page = int(asked.get("cursor", ["1"])[0])
        requests.append(page)
        body = json.dumps({"ok": True, "messages": [{"ts": str(page)}],
                           "response_metadata": {"next_cursor": str(page + 1) if page < 3 else ""}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Slack)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = WebClient("token", base_url=f"http://127.0.0.1:{server.server_port}/api/")


def first(page):
    return page["messages"][0]["ts"]


reply = client.conversations_history(channel="C1")
before = first(reply)
loop = [first(page) for page in reply]
after = first(reply)
pages = [first(page) for page in list(reply)]
count = len(requests)
print(f"in a loop: {' '.join(loop)}")
print(f"list(reply): {' '.join(pages)}")
print(f"the reply before, after: {before} {after}")
print(f"requests for two loops: {count}")
raise SystemExit(0 if (loop, pages, before, after, count) == (["1", "2", "3"], ["3"] * 3, "1", "3", 5) else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/pages.py"
