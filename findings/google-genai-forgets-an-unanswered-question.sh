#!/usr/bin/env bash
# google-genai 3.6.1, Python 3.11, with a server that answers as Gemini does.
#
# A chat (`client.chats`) keeps what was said and sends it along. If a reply has no text, as when the thinking used up the tokens
# or the reply was blocked, the person's message goes with it: the next request has neither. Somebody writes "Pay 10", is
# answered, corrects it with "No, pay 20", gets an empty reply and asks "Sent?": the model sees "Pay 10" and "Sent?". Nothing is
# raised. `get_history()` still has the correction, so a page that shows it differs from what the model knows;
# `get_history(curated=True)` has not.
#
# Output (what the third request says after the second reply):
#   a text: Pay 10 / No, pay 20 / Sent?
#   no parts, MAX_TOKENS: Pay 10 / Sent?
#   blocked: Pay 10 / Sent?
#   no parts, MAX_TOKENS, as a stream: Pay 10 / Sent?
#   get_history has 'No, pay 20': True
#
# Most would guess that a message which was sent stays in the conversation, whatever came back.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile google-genai==3.6.1
cat > "$work/chat.py" <<'PYTHON'
import http.server
import json
import sys
import threading

from google import genai
from google.genai import types

requests, replies = [], []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        body = json.dumps(replies.pop(0))
        if "stream" in self.path:
            body = f"data: {body}\r\n\r\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if "stream" in self.path else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = genai.Client(
    api_key="k", http_options=types.HttpOptions(base_url=f"http://127.0.0.1:{server.server_port}"))


def reply(parts, reason="STOP"):
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}]}


empty = reply([], "MAX_TOKENS")
blocked = {"promptFeedback": {"blockReason": "OTHER"}}
seen = []
for name, second, is_stream in [
        ("a text", reply([{"text": "I see."}]), False), ("no parts, MAX_TOKENS", empty, False), ("blocked", blocked, False),
        ("no parts, MAX_TOKENS, as a stream", empty, True)]:
    replies[:] = [reply([{"text": "Yes?"}]), second, reply([{"text": "Yes."}])]
    chat = client.chats.create(model="m")
    for message in ["Pay 10", "No, pay 20", "Sent?"]:
        if is_stream:
            list(chat.send_message_stream(message))
        else:
            chat.send_message(message)
    seen.append([part["text"] for content in requests[-1]["contents"] if content["role"] == "user"
                 for part in content["parts"]])
    print(f"{name}: {' / '.join(seen[-1])}")
shown = any(part.text == "No, pay 20" for content in chat.get_history() for part in content.parts or [])
print(f"get_history has 'No, pay 20': {shown}")
whole, short = ["Pay 10", "No, pay 20", "Sent?"], ["Pay 10", "Sent?"]
sys.exit(0 if seen == [whole, short, short, short] and shown else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/chat.py"
