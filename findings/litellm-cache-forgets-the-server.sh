#!/usr/bin/env bash
# litellm 1.110.2 with its cache in memory, Python 3.11. (Without fastapi, soundfile and orjson, which the package does not
# install, each hit raises ModuleNotFoundError.)
#
# With `litellm.cache = Cache()` an answer is kept under the parameters that litellm knows. The address of the server is not
# among them, and neither is what goes to a server of one's own: `extra_body`, and `chat_template_kwargs` or `guided_choice` of
# vLLM. So the second server never gets the question and the first one's answer is returned as its own: a comparison of two
# models behind OpenAI-compatible servers, or of thinking on and off, compares an answer with itself. Parameters of OpenAI, and
# `top_k`, count.
#
# Output (which server answered, and which of its answers it is):
#   first: server A, answer 1
#   another temperature: server A, answer 2
#   another top_k: server A, answer 3
#   another address: server A, answer 1
#   another extra_body: server A, answer 1
#   thinking off: server A, answer 1
#   another choice: server A, answer 1
#   requests at server B: 0
#
# Most would guess that the key of the cache is made of all that is sent, and of where it is sent to, as in langchain's cache.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    litellm==1.110.2 fastapi==0.165.0 soundfile==0.14.0 orjson==3.13.0
cat > "$work/cached.py" <<'PYTHON'
import json
import logging
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import litellm
from litellm.caching.caching import Cache

logging.disable(logging.CRITICAL)


class Model(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests += 1
        text = f"server {self.server.letter}, answer {self.server.requests}"
        body = json.dumps({
            "id": "1", "object": "chat.completion", "created": 1, "model": "small",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


servers = []
for letter in "AB":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.letter, server.requests = letter, 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    servers.append(server)
addresses = [f"http://127.0.0.1:{server.server_port}/v1" for server in servers]
litellm.cache = Cache()


def ask(**changes):
    reply = litellm.completion(**{
        "model": "openai/small", "api_base": addresses[0], "api_key": "none",
        "messages": [{"role": "user", "content": "Which gate is free?"}], **changes,
    })
    return reply.choices[0].message.content


cases = {
    "first": {}, "another temperature": {"temperature": 0.3}, "another top_k": {"top_k": 3},
    "another address": {"api_base": addresses[1]}, "another extra_body": {"extra_body": {"adapter": "port"}},
    "thinking off": {"chat_template_kwargs": {"enable_thinking": False}},
    "another choice": {"guided_choice": ["gate 4", "gate 5"]},
}
answers = {name: ask(**changes) for name, changes in cases.items()}
for name, answer in answers.items():
    print(f"{name}: {answer}")
print("requests at server B:", servers[1].requests)
expected = [f"server A, answer {number}" for number in (1, 2, 3, 1, 1, 1, 1)]
sys.exit(0 if list(answers.values()) == expected and servers[1].requests == 0 else 1)
PYTHON
LITELLM_LOCAL_MODEL_COST_MAP=True "$work/env/bin/python" "$work/cached.py"
