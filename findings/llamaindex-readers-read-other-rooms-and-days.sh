#!/usr/bin/env bash
# llama-index-readers-slack 0.6.0 and llama-index-readers-zulip 0.6.0 (llama-index-core 0.14.25, slack-sdk 3.48.0, zulip 0.9.1), Python
# 3.11, with a server that answers as Slack and Zulip do, and shows what it was asked for.
#
# Two readers bring rooms of a chat into an index. `get_channel_ids(["quay"])` of the Slack reader takes the name for the beginning of one:
# it gives the room quay-private as well, because each name that can be read as a regular expression is one, and all names can. Its
# `latest_date_timestamp` is passed over: it asks for all messages until now, and only `latest_date` counts. The Zulip reader takes
# `earliest_date` and `latest_date` and uses neither: it asks for the last hundred messages of a room, and never for those before. No error.
#
# Output:
#   Slack, the room quay: C1 C2, that is quay and quay-private
#   Slack, until 1793600000: asks until 1793600000: False
#   Slack, until the same as a date: True
#   Zulip, from 1 to 8 November: asks for the last 100 messages, 1 request, with dates: False
#
# Most would guess that a name is a name, and that a reader that takes dates keeps to them.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile llama-index-readers-slack==0.6.0 \
    llama-index-readers-zulip==0.6.0 llama-index-core==0.14.25 slack-sdk==3.48.0 zulip==0.9.1
cat > "$work/readers.py" <<'PYTHON'
import functools
import json
import os
import threading
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import slack_sdk

asked = []
replies = {
    "conversations.list": {"channels": [
        {"id": f"C{number}", "name": name} for number, name in enumerate(["quay", "quay-private", "board"], 1)]},
    "conversations.history": {"messages": [{"text": "the gate is shut", "ts": "1793000000.000100"}], "has_more": False},
    "conversations.replies": {"messages": [{"text": "the gate is shut", "ts": "1793000000.000100"}], "has_more": False},
    "server_settings": {"zulip_version": "12.0", "zulip_feature_level": 400},
    "messages": {"messages": [{"id": number, "content": f"message {number}"} for number in range(100)], "found_oldest": False}}


class Server(BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        name = urlsplit(self.path).path.split("/")[-1]
        asked.append((name, dict(parse_qsl(urlsplit(self.path).query)) | dict(parse_qsl(body))))
        text = json.dumps({"ok": True, "result": "success"} | replies.get(name, {})).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_address[1]}"
slack_sdk.WebClient = functools.partial(slack_sdk.WebClient, base_url=f"{address}/api/")
os.environ["ZULIP_TOKEN"] = "token"

from llama_index.readers.slack import SlackReader
from llama_index.readers.zulip import ZulipReader

rooms = {room["id"]: room["name"] for room in replies["conversations.list"]["channels"]}
found = sorted(SlackReader(slack_token="token").get_channel_ids(["quay"]))
print(f"Slack, the room quay: {' '.join(found)}, that is {' and '.join(rooms[room] for room in found)}")


def keeps(**limits):
    asked.clear()
    SlackReader(slack_token="token", **limits).load_data(["C1"])
    return [float(values["latest"]) for name, values in asked if name == "conversations.history"] == [1793600000.0]


print("Slack, until 1793600000: asks until 1793600000:",
      keeps(earliest_date_timestamp=1793000000.0, latest_date_timestamp=1793600000.0))
print("Slack, until the same as a date:",
      keeps(earliest_date=datetime.fromtimestamp(1793000000), latest_date=datetime.fromtimestamp(1793600000)))
asked.clear()
ZulipReader("bot@t", address, earliest_date=datetime(2026, 11, 1), latest_date=datetime(2026, 11, 8)).load_data(["quay"])
requests = [values for name, values in asked if name == "messages"]
print(f"Zulip, from 1 to 8 November: asks for the last {requests[0]['num_before']} messages, {len(requests)} request, "
      f"with dates: {requests[0]['anchor'] != 'newest' or 'date' in json.dumps(requests)}")
PYTHON
"$work/env/bin/python" -W ignore "$work/readers.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
Slack, the room quay: C1 C2, that is quay and quay-private
Slack, until 1793600000: asks until 1793600000: False
Slack, until the same as a date: True
Zulip, from 1 to 8 November: asks for the last 100 messages, 1 request, with dates: False
SEEN
