#!/usr/bin/env bash
# openai 3.57.0 and ollama 0.6.3, Python 3.11.
#
# A server of models ends in the middle of a streamed answer: its process is stopped, and the connection is closed in the
# ordinary way. Both clients end their loop as after a whole answer. For openai neither a `finish_reason` nor `[DONE]`
# came, for ollama no `done`. A frame with `event: error`, by which other protocols of event streams tell of a failure,
# becomes an ordinary chunk whose `choices` is None: only a data frame that holds `error` raises. So half an answer is
# stored as a whole one, unless the caller looks for the last chunk.
#
# Output:
#   openai, closed in the middle: ended, text 'Half an ', finish_reason None
#   openai, event error: ended, text 'Half an ', finish_reason None
#   openai, data with error: raised APIError, text 'Half an ', finish_reason None
#   ollama, closed in the middle: ended, text 'Half an ', done False
#
# Most would guess that a client raises when a stream ends without the mark that its protocol has for the end.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check openai==3.57.0 ollama==0.6.3
cat > "$work/half.py" <<'PYTHON'
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import ollama
import openai

piece = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [
    {"index": 0, "delta": {"role": "assistant", "content": "Half an "}, "finish_reason": None}
]}
line = {"model": "m", "created_at": "2026-11-01T00:00:00Z", "message": {"role": "assistant", "content": "Half an "},
        "done": False}
frame = f"data: {json.dumps(piece)}\n\n"
bodies = {
    "closed in the middle": frame,
    "event error": frame + 'event: error\ndata: {"message": "out of memory"}\n\n',
    "data with error": frame + 'data: {"error": {"message": "out of memory", "type": "server_error"}}\n\n',
}
now = [""]


class Stopping(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        ours = self.path.startswith("/api/")
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson" if ours else "text/event-stream")
        self.end_headers()
        self.wfile.write((json.dumps(line) + "\n" if ours else now[0]).encode())

    def log_message(self, *values):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Stopping)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
question = [{"role": "user", "content": "hello"}]
seen = []


def read(name, chunks, text, last):
    words, ending, final = "", "ended", None
    try:
        for chunk in chunks():
            words, final = words + text(chunk), last(chunk)
    except Exception as error:
        ending = f"raised {type(error).__name__}"
    print(f"{name}: {ending}, text {words!r}, {'done' if 'ollama' in name else 'finish_reason'} {final}")
    seen.append(ending)


client = openai.OpenAI(base_url=f"{address}/v1", api_key="none")
for name, now[0] in bodies.items():
    read(f"openai, {name}", lambda: client.chat.completions.create(model="m", messages=question, stream=True),
         lambda chunk: chunk.choices[0].delta.content if chunk.choices else "",
         lambda chunk: chunk.choices[0].finish_reason if chunk.choices else None)
local = ollama.Client(host=address)
read("ollama, closed in the middle", lambda: local.chat(model="m", messages=question, stream=True),
     lambda chunk: chunk.message.content, lambda chunk: chunk.done)
sys.exit(0 if seen == ["ended", "ended", "raised APIError", "ended"] else 1)
PYTHON
"$work/env/bin/python" "$work/half.py"
