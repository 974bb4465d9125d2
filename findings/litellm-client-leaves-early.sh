#!/usr/bin/env bash
# litellm[proxy] 1.108.7, Python 3.11.
#
# A client of the proxy asks for a stream, and closes its connection. If the server behind the proxy has sent its first
# frame, the proxy closes its connection to that server within seconds. If the server has not, as a language model that still
# reads the prompt, the proxy keeps that connection open and waits for an answer that nobody will read.
#
# Output (the seconds vary):
#   after the first frame: closed 0.0 s after the client left
#   before the first frame: still open 10 s after the client left
#
# Most would guess that the request to the server ends with the client's in both cases, above all in the second, where a
# server on processors can save a minute.
set -euo pipefail
work="$(mktemp -d)"
proxy=
trap '[ -z "$proxy" ] || kill "$proxy" 2>/dev/null || true; rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check 'litellm[proxy]==1.108.7'
export LITELLM_LOCAL_MODEL_COST_MAP=True LITELLM_TELEMETRY=False LITELLM_MASTER_KEY=sk-local no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
read -r server port < <(python3 - <<'END'
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in sockets))
END
)
cat > "$work/config.yaml" <<END
model_list:
  - model_name: barge
    litellm_params: {model: openai/barge, api_base: "http://127.0.0.1:$server/v1", api_key: any, max_retries: 0}
router_settings: {num_retries: 0}
END
"$work/venv/bin/litellm" --config "$work/config.yaml" --host 127.0.0.1 --port "$port" >"$work/log" 2>&1 &
proxy=$!
python3 - "$server" "$port" <<'END'
import json, select, socket, sys, threading, time, urllib.request

server, port = map(int, sys.argv[1:])
WAIT = 10
FIRST = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "barge",
         "choices": [{"index": 0, "delta": {"role": "assistant", "content": "At"}}]}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

for _ in range(120):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=2)
        break
    except OSError:
        time.sleep(1)
else:
    sys.exit("the proxy does not start")
listener = socket.create_server(("127.0.0.1", server))


def seconds_until_closed(sends_first):
    """Lets a client ask and leave; returns when the proxy closed its connection after that, None if it did not."""
    client = socket.create_connection(("127.0.0.1", port))
    body = json.dumps({"model": "barge", "stream": True, "messages": [{"role": "user", "content": "When?"}]}).encode()
    client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer sk-local\r\n"
                   b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    connection, _ = listener.accept()
    received = b""
    while b'"messages"' not in received:
        received += connection.recv(65536)
    if sends_first:
        connection.sendall(HEAD + b"data: " + json.dumps(FIRST).encode() + b"\n\n")
        received = b""
        while b'"At"' not in received:
            received += client.recv(65536)
    client.close()
    left = time.monotonic()
    while time.monotonic() - left < WAIT:
        readable, _, _ = select.select([connection], [], [], 0.1)
        try:
            if readable and not connection.recv(65536):
                return time.monotonic() - left
        except ConnectionResetError:
            return time.monotonic() - left
    connection.close()
    return None


after, before = seconds_until_closed(True), seconds_until_closed(False)
for name, seconds in [("after", after), ("before", before)]:
    end = f"still open {WAIT} s" if seconds is None else f"closed {seconds:.1f} s"
    print(f"{name} the first frame: {end} after the client left")
sys.exit(0 if after is not None and before is None else 1)
END
