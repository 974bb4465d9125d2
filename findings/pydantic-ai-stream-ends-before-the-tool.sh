#!/usr/bin/env bash
# pydantic-ai-slim 2.68.0 (openai 3.57.0), Python 3.11.
#
# A model answers "Let me look." and calls a tool in the same reply, as many do. `agent.run` calls the tool, sends its result to
# the model, and returns the model's second answer. `agent.run_stream` with the same model and question takes the first words
# for the answer, because text is what the agent has to return: it calls the tool, whatever that does, but its result goes
# nowhere, and the output is "Let me look." No error. So an agent that was tried with `run` answers nothing once it streams, but
# only with models that speak before they act. `run_stream_events` behaves as `run`.
#
# Output (the answer, calls of the tool, requests to the model):
#   run: 'Gate 4 is free.', 1, 2
#   run_stream: 'Let me look.', 1, 1
#   run_stream_events: 'Gate 4 is free.', 1, 2
#
# Most would guess that streaming changes when the words come, and not which.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile "pydantic-ai-slim[openai]==2.68.0" openai==3.57.0
cat > "$work/agent.py" <<'PYTHON'
import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.run import AgentRunResultEvent

requests = []
called = []


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        requests.append(asked)
        message, end = {"role": "assistant", "content": "Gate 4 is free."}, "stop"
        if asked["messages"][-1]["role"] != "tool":
            call = {"id": "call-1", "type": "function", "function": {"name": "look", "arguments": '{"room": "quay"}'}}
            message, end = {"role": "assistant", "content": "Let me look.", "tool_calls": [call]}, "tool_calls"
        reply = {"id": "reply-1", "created": 1, "model": "m"}
        if asked.get("stream"):
            calls = [{"index": 0, **call} for call in message.pop("tool_calls", [])]
            deltas = [(message, None), *[({"tool_calls": [call]}, None) for call in calls], ({}, end)]
            body = "".join("data: " + json.dumps({**reply, "object": "chat.completion.chunk", "choices": [
                {"index": 0, "delta": delta, "finish_reason": reason}]}) + "\n\n" for delta, reason in deltas)
            body += "data: [DONE]\n\n"
        else:
            body = json.dumps({**reply, "object": "chat.completion", "choices": [
                {"index": 0, "message": message, "finish_reason": end}]})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if asked.get("stream") else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
provider = OpenAIProvider(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none")
agent = Agent(OpenAIChatModel("m", provider=provider))


@agent.tool_plain
def look(room: str) -> str:
    """Looks which gate of a room is free."""
    called.append(room)
    return "4"


async def run():
    return (await agent.run("Which gate is free?")).output


async def run_stream():
    async with agent.run_stream("Which gate is free?") as result:
        return [text async for text in result.stream_text()][-1]


async def run_stream_events():
    async with agent.run_stream_events("Which gate is free?") as events:
        return [event.result.output async for event in events if isinstance(event, AgentRunResultEvent)][-1]


seen = []
for way in (run, run_stream, run_stream_events):
    requests.clear()
    called.clear()
    seen.append((asyncio.run(way()), len(called), len(requests)))
    print(f"{way.__name__}: {seen[-1][0]!r}, {seen[-1][1]}, {seen[-1][2]}")
whole, half = ("Gate 4 is free.", 1, 2), ("Let me look.", 1, 1)
raise SystemExit(0 if seen == [whole, half, whole] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/agent.py"
