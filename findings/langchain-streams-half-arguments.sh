#!/usr/bin/env bash
# langchain-openai 1.7.4 (langchain-core 1.8.3, openai 3.57.0), Python 3.11.
#
# A model calls a tool, and its answer ends at the token limit in the middle of the arguments (`finish_reason` is "length").
# Without a stream, langchain puts the call into `invalid_tool_calls`, with an error, and no agent runs it. With a stream it
# closes the half text and the brackets itself, and the call is in `tool_calls` like any other: an agent (`create_agent` of
# langchain 1.5.2) posts half a sentence, and a number has the digits that had arrived. `streaming=True` is enough: `invoke` then
# behaves so, too.
#
# Output:
#   without a stream: calls [], invalid ['post']
#   with a stream:    calls [{'room': 'quay', 'text': 'Pay the harbour, but not'}], invalid []
#   later cut:        calls [{'room': 'quay', 'text': 'Pay the harbour, but not before Friday', 'euros': 12}], invalid []
#
# Most would guess that both ways check the arguments alike, because the same model gives the same text.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    langchain-openai==1.7.4 langchain-core==1.8.3 openai==3.57.0
cat > "$work/half.py" <<'PYTHON'
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from langchain_openai import ChatOpenAI

arguments = json.dumps({"room": "quay", "text": "Pay the harbour, but not before Friday", "euros": 1200})
cuts = {"first": arguments.index(" before Friday"), "later": arguments.index("00}")}
cut = cuts["first"]


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        call = {"id": "call-1", "type": "function", "function": {"name": "post", "arguments": arguments[:cut]}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        reply = {"id": "reply-1", "created": 1, "model": "m"}
        if asked.get("stream"):
            delta = {**message, "tool_calls": [{"index": 0, **call}]}
            frames = [({"index": 0, "delta": delta, "finish_reason": None}),
                      ({"index": 0, "delta": {}, "finish_reason": "length"})]
            body = "".join("data: " + json.dumps({**reply, "object": "chat.completion.chunk", "choices": [frame]}) + "\n\n"
                           for frame in frames) + "data: [DONE]\n\n"
        else:
            choice = {"index": 0, "message": message, "finish_reason": "length"}
            body = json.dumps({**reply, "object": "chat.completion", "choices": [choice]})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if asked.get("stream") else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


def post(room: str, text: str, euros: int | None = None) -> str:
    """Posts a message in a room."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
seen = []
for name, streaming, cut in [("without a stream:", False, cuts["first"]), ("with a stream:   ", True, cuts["first"]),
                             ("later cut:       ", True, cuts["later"])]:
    model = ChatOpenAI(model="m", base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none", streaming=streaming)
    answer = model.bind_tools([post]).invoke("Tell the quay about the payment.")
    calls, invalid = [call["args"] for call in answer.tool_calls], [call["name"] for call in answer.invalid_tool_calls]
    print(name, f"calls {calls}, invalid {invalid}")
    seen.append((calls, invalid))
half = {"room": "quay", "text": "Pay the harbour, but not"}
raise SystemExit(0 if seen == [
    ([], ["post"]), ([half], []),
    ([{"room": "quay", "text": "Pay the harbour, but not before Friday", "euros": 12}], [])] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/half.py"
