#!/usr/bin/env bash
# litellm 1.110.2: `litellm.responses(model="openai/NAME", api_base=…, stream=True)` streams only for names that are in its
# own price list. For any other name of an OpenAI-compatible server it sends the request without `stream`, waits for the
# whole answer, and then plays deltas of a few characters from it.
#
# Output: for a listed name "stream asked: True, deltas: 2", for another name "stream asked: None, deltas: N" with N far
# above 2, although the server and its answer are the same.
#
# Most would guess that stream=True is passed on to the server for every model name of the provider `openai`, and that
# the first delta arrives while the server still writes.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check litellm==1.110.2
export LITELLM_LOCAL_MODEL_COST_MAP=True no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
"$work/venv/bin/python" - <<'END'
import http.server, json, logging, threading, warnings

warnings.simplefilter("ignore")
import litellm

logging.disable(logging.CRITICAL)
TEXT = ["The barge leaves the lock ", "at noon, and the crew waits at the second gate until then."]
asked = []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked.append((self.path, body.get("stream")))
        def whole(status, output):
            return {"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": body["model"], "output": output,
                    "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None,
                    "instructions": None, "metadata": {}, "temperature": 1, "top_p": 1,
                    "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}
        def item(status, parts): return {"id": "msg_1", "type": "message", "role": "assistant", "status": status, "content": parts}
        def part(text): return {"type": "output_text", "text": text, "annotations": []}
        done = whole("completed", [item("completed", [part("".join(TEXT))])])
        if not body.get("stream"):
            kind, data = "application/json", json.dumps(done)
        else:
            place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
            events = [
                {"type": "response.created", "response": whole("in_progress", [])},
                {"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", [])},
                {"type": "response.content_part.added", **place, "part": part("")},
                *({"type": "response.output_text.delta", **place, "delta": text, "logprobs": []} for text in TEXT),
                {"type": "response.output_text.done", **place, "text": "".join(TEXT), "logprobs": []},
                {"type": "response.content_part.done", **place, "part": part("".join(TEXT))},
                {"type": "response.output_item.done", "output_index": 0, "item": done["output"][0]},
                {"type": "response.completed", "response": done},
            ]
            kind = "text/event-stream"
            data = "".join(f"event: {e['type']}\ndata: {json.dumps({**e, 'sequence_number': n})}\n\n" for n, e in enumerate(events))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data.encode())


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()


def run(name):
    events = litellm.responses(
        model=f"openai/{name}", input="When?", api_base=f"http://127.0.0.1:{server.server_port}/v1", api_key="any", stream=True)
    deltas = sum(getattr(event.type, "value", event.type) == "response.output_text.delta" for event in events)
    path, stream = asked[-1]
    print(f"{name}: {path}, stream asked: {stream}, deltas: {deltas}")
    return stream, deltas


known, own = run("gpt-4o"), run("barge-model")
raise SystemExit(0 if known == (True, 2) and not own[0] and own[1] > 2 else 1)
END
