#!/usr/bin/env bash
# instructor 1.17.0 with openai 3.3.0, Python 3.11.
#
# `create(response_model=Payment)` lets a model answer with a call of a tool that has the fields of the class, checks it, and asks again with
# the error if a field is wrong. If a model calls the tool twice in one reply, as for "Pay Bo 10 and Ana 20", the first call is returned and
# the second is dropped: no error, no second question, nothing in the result. If the second has a wrong field nothing is said
# either; if the first has one, the model is asked again.
#
# Output (what is returned, and how often the model was asked):
#   one call: Bo 10, asked once
#   two calls: Bo 10, asked once
#   two calls, the second one wrong: Bo 10, asked once
#   two calls, the first one wrong: Cy 5, asked twice
#
# Most would guess that an answer which does not fit the class, two things for one, is an error or is asked for again.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile instructor==1.17.0 openai==3.3.0
cat > "$work/calls.py" <<'PYTHON'
import http.server
import json
import logging
import sys
import threading

logging.disable(logging.CRITICAL)

import instructor
import openai
from pydantic import BaseModel

replies, asked = [], 0


class Payment(BaseModel):
    who: str
    euros: int


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global asked
        self.rfile.read(int(self.headers["Content-Length"]))
        calls = [
            {"id": f"call-{number}", "type": "function", "function": {"name": "Payment", "arguments": json.dumps(arguments)}}
            for number, arguments in enumerate(replies[asked])
        ]
        asked += 1
        body = json.dumps({
            "id": "1", "object": "chat.completion", "created": 1, "model": "model",
            "choices": [{
                "index": 0, "finish_reason": "tool_calls",
                "message": {"role": "assistant", "content": None, "tool_calls": calls}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = instructor.from_openai(openai.OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="key"))


def answer(*calls):
    global asked
    asked, replies[:] = 0, [calls, [{"who": "Cy", "euros": 5}]]
    payment = client.chat.completions.create(
        model="model", response_model=Payment, max_retries=2, messages=[{"role": "user", "content": "Pay Bo 10 and Ana 20."}])
    return f"{payment.who} {payment.euros}, asked {'once' if asked == 1 else 'twice'}"


bo, ana = {"who": "Bo", "euros": 10}, {"who": "Ana", "euros": 20}
seen = {
    "one call": answer(bo), "two calls": answer(bo, ana),
    "two calls, the second one wrong": answer(bo, {"who": "Ana", "euros": "many"}),
    "two calls, the first one wrong": answer({"who": "Bo", "euros": "many"}, ana),
}
for title, line in seen.items():
    print(f"{title}: {line}")
sys.exit(0 if list(seen.values()) == ["Bo 10, asked once"] * 3 + ["Cy 5, asked twice"] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/calls.py"
