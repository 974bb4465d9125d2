#!/usr/bin/env bash
# litellm 1.110.2 with openai 3.3.0, without and with tenacity 9.1.4, Python 3.11.
#
# `completion(num_retries=2)` is called for a server that is down, and the server counts. litellm uses tenacity for its retries, but does not
# install it: there are the three requests of openai's client, which retries twice itself, and then an `Exception` that says that
# tenacity is missing, instead of the server's error. If some other package brings tenacity there are five requests: litellm asks three
# times, and openai tries one of these three times. A wrong key (401) and a wrong request (400), which no retry can mend, are sent
# three times, not once.
#
# Output (requests for one call, and the error):
#   without tenacity: 500 3 Exception, 401 1 Exception, 400 1 Exception
#   with tenacity: 500 5 InternalServerError, 401 3 AuthenticationError, 400 3 BadRequestError
#
# Most would guess that two retries are three requests, that a wrong key is not tried again, and that no other package changes that.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile litellm==1.110.2 openai==3.3.0
cat > "$work/count.py" <<'PYTHON'
import http.server
import json
import logging
import os
import sys
import threading

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
logging.disable(logging.CRITICAL)

import litellm

litellm.suppress_debug_info = True
asked, status = 0, 500


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global asked
        asked += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"error": {"message": "not now"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
seen = []
for status in (500, 401, 400):
    asked = 0
    try:
        litellm.completion(
            model="openai/a", api_base=f"http://127.0.0.1:{server.server_port}/v1", api_key="key", num_retries=2,
            messages=[{"role": "user", "content": "Is gate 4 open?"}])
    except Exception as error:
        seen.append(f"{status} {asked} {type(error).__name__}")
print(f"{sys.argv[1]}: {', '.join(seen)}", flush=True)
os._exit(0 if ", ".join(seen) == sys.argv[2] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/count.py" "without tenacity" "500 3 Exception, 401 1 Exception, 400 1 Exception"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile tenacity==9.1.4
"$work/env/bin/python" -W ignore "$work/count.py" "with tenacity" \
    "500 5 InternalServerError, 401 3 AuthenticationError, 400 3 BadRequestError"
