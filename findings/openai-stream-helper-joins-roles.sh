#!/usr/bin/env bash
# openai 3.57.0, Python 3.11.
#
# `chat.completions.stream()` of the client joins the frames of a streamed answer into a message. It joins every text in them,
# also the ones that are not pieces: a server that names the role in each frame gives the role "assistantassistant", and one
# that repeats a call's id and name gives "call-1call-1" and "postpost", a tool that nobody has. Two answers (n=2) of which the
# second begins first raise IndexError in the middle of the loop; `create(stream=True)` reads these frames.
#
# Output:
#   role in each frame: role 'assistantassistant', text 'Gate 4'
#   id and name in each frame: calls [('call-1call-1', 'postpost', '{"gate": 4}')]
#   the second answer first: IndexError
#   the same with create: ['Gate 4', 'Gate 5']
#
# Most would guess that only content and arguments are joined, and that the order of two answers does not matter.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile openai==3.57.0
cat > "$work/helper.py" <<'PYTHON'
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import openai

frames = []


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = "".join("data: " + json.dumps({
            "id": "reply-1", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": index, "delta": delta, "finish_reason": reason}]}) + "\n\n"
            for index, delta, reason in frames) + "data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


def call(arguments):
    function = {"name": "post", "arguments": arguments}
    return {"tool_calls": [{"index": 0, "id": "call-1", "type": "function", "function": function}]}


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = openai.OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none", max_retries=0)
question = {"model": "m", "messages": [{"role": "user", "content": "Which gate is free?"}]}


def ask(*sent):
    frames[:] = sent
    with client.chat.completions.stream(**question) as stream:
        for _ in stream:
            pass
        return stream.get_final_completion().choices[0].message


said = ask((0, {"role": "assistant", "content": "Gate "}, None), (0, {"role": "assistant", "content": "4"}, None),
           (0, {}, "stop"))
print(f"role in each frame: role {said.role!r}, text {said.content!r}")
called = ask((0, call('{"gate": '), None), (0, call("4}"), None), (0, {}, "tool_calls"))
calls = [(one.id, one.function.name, one.function.arguments) for one in called.tool_calls]
print(f"id and name in each frame: calls {calls}")
two = [(1, {"content": "Gate 5"}, None), (0, {"content": "Gate 4"}, None), (1, {}, "stop"), (0, {}, "stop")]
try:
    ask(*two)
    failed = "no error"
except IndexError as error:
    failed = type(error).__name__
print(f"the second answer first: {failed}")
texts = ["", ""]
for chunk in client.chat.completions.create(**question, n=2, stream=True):
    for choice in chunk.choices:
        texts[choice.index] += choice.delta.content or ""
print(f"the same with create: {texts}")
raise SystemExit(0 if (said.role, said.content) == ("assistantassistant", "Gate 4")
                 and calls == [("call-1call-1", "postpost", '{"gate": 4}')]
                 and failed == "IndexError" and texts == ["Gate 4", "Gate 5"] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/helper.py"
