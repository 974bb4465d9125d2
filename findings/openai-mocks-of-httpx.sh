#!/usr/bin/env bash
# openai 3.57.0 beside openai 1.109.1, with respx 0.23.1 and httpx 0.28.1, Python 3.11.
#
# openai 3 sends with httpx2, a package with its own name. A test that answers requests with respx, which replaces the transport
# of httpx, still runs without an error, but the request leaves the machine, with the key, and a real server answers it. An
# `httpx.Client` given as `http_client` is taken as before, and the mock answers again. If a stream breaks off in the middle,
# 1.109.1 raises the exception of httpx, which is none of openai's own; 3.57.0 raises one of its own, also with that client. So
# the code that caught the one does not catch the other.
#
# Output:
#   openai 1.109.1: the mock answered, requests at the server 0; broken stream: httpx.RemoteProtocolError
#   openai 3.57.0: the server answered, requests at the server 1; broken stream: openai.APIConnectionError
#   openai 3.57.0 with httpx.Client: the mock answered, requests at the server 0; broken stream: openai.APIConnectionError
#
# Most would guess that the client is built on httpx, whose clients and timeouts it takes, and that a mock that is passed by
# makes a test fail.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    openai==3.57.0 httpx==0.28.1 respx==0.23.1 distro==1.9.0 tqdm==4.70.1
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile --no-deps --target "$work/old" openai==1.109.1
cat > "$work/mock.py" <<'PYTHON'
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import openai
import respx

requests = []


def reply(text):
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        requests.append(asked)
        self.send_response(200)
        if asked.get("stream"):
            # The connection ends before the last chunk.
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"6\r\n: hi\n\n\r\n")
            self.close_connection = True
            return
        body = json.dumps(reply("the server")).encode()
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/v1"
own = {"http_client": httpx.Client(trust_env=False)} if "own" in sys.argv else {}
client = openai.OpenAI(base_url=address, api_key="none", max_retries=0, **own)
ask = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
with respx.mock(assert_all_called=False) as mock:
    mock.post(address + "/chat/completions").respond(json=reply("the mock"))
    answered = client.chat.completions.create(**ask).choices[0].message.content
seen = [answered, len(requests)]
try:
    for _ in client.chat.completions.create(**ask, stream=True):
        pass
    raised = "ended"
except (httpx.HTTPError, openai.OpenAIError) as error:
    raised = f"{type(error).__module__.split('.')[0]}.{type(error).__name__}"
print(f"{answered} answered, requests at the server {seen[1]}; broken stream: {raised}")
PYTHON
cat > "$work/expected" <<'LINES'
openai 1.109.1: the mock answered, requests at the server 0; broken stream: httpx.RemoteProtocolError
openai 3.57.0: the server answered, requests at the server 1; broken stream: openai.APIConnectionError
openai 3.57.0 with httpx.Client: the mock answered, requests at the server 0; broken stream: openai.APIConnectionError
LINES
python="$work/env/bin/python"
{
    echo "openai 1.109.1: $(PYTHONPATH="$work/old" "$python" -W ignore "$work/mock.py")"
    echo "openai 3.57.0: $("$python" -W ignore "$work/mock.py")"
    echo "openai 3.57.0 with httpx.Client: $("$python" -W ignore "$work/mock.py" own)"
} | tee "$work/seen"
cmp "$work/seen" "$work/expected"
