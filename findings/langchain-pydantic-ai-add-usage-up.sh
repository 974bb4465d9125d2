#!/usr/bin/env bash
# langchain-openai 1.7.4 (langchain-core 1.8.3) and pydantic-ai-slim 2.68.0 beside openai 3.57.0, Python 3.11.
#
# A server of models sends with each frame of a stream how many tokens there are so far, as vLLM does with
# `continuous_usage_stats`. The question has 100 tokens, the answer 3. The helper of openai keeps the last numbers. LangChain
# and pydantic-ai add those of all frames: four frames make 400 and 9, so a long answer seems to cost hundreds of times its
# price. pydantic-ai is right once the setting `openai_continuous_usage_stats` is on. With the numbers only at the end all agree.
#
# Output (tokens of the question, of the answer):
#   openai: 100 3
#   langchain: 400 9
#   pydantic-ai: 400 9
#   pydantic-ai with the setting: 100 3
#   only at the end: 100 3, 100 3, 100 3
#
# Most would guess that each later number replaces the earlier one.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    langchain-openai==1.7.4 langchain-core==1.8.3 "pydantic-ai-slim[openai]==2.68.0" openai==3.57.0
cat > "$work/usage.py" <<'PYTHON'
import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import openai
from langchain_openai import ChatOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.providers.openai import OpenAIProvider

in_each = True


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        texts = ["Gate", " 4", "."]
        frames = [([{"index": 0, "delta": {"content": text}, "finish_reason": None}], count)
                  for count, text in enumerate(texts, 1)]
        frames[-1][0][0]["finish_reason"] = "stop"
        frames.append(([], len(texts)))
        body = ""
        for choices, count in frames:
            frame = {"id": "reply-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}
            if in_each or not choices:
                frame["usage"] = {"prompt_tokens": 100, "completion_tokens": count, "total_tokens": 100 + count}
            body += "data: " + json.dumps(frame) + "\n\n"
        body += "data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/v1"


def by_openai():
    client = openai.OpenAI(base_url=address, api_key="none")
    with client.chat.completions.stream(model="m", messages=[{"role": "user", "content": "Which gate?"}]) as stream:
        usage = stream.get_final_completion().usage
    return usage.prompt_tokens, usage.completion_tokens


def by_langchain():
    model = ChatOpenAI(model="m", base_url=address, api_key="none", stream_usage=True)
    answer = None
    for chunk in model.stream("Which gate?"):
        answer = chunk if answer is None else answer + chunk
    return answer.usage_metadata["input_tokens"], answer.usage_metadata["output_tokens"]


def by_pydantic_ai(**settings):
    async def ask():
        model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=address, api_key="none"))
        async with Agent(model, model_settings=OpenAIChatModelSettings(**settings)).run_stream("Which gate?") as result:
            await result.get_output()
            usage = result.usage() if callable(result.usage) else result.usage
            return usage.input_tokens, usage.output_tokens
    return asyncio.run(ask())


seen = {"openai": by_openai(), "langchain": by_langchain(), "pydantic-ai": by_pydantic_ai(),
        "pydantic-ai with the setting": by_pydantic_ai(openai_continuous_usage_stats=True)}
for name, (question, answer) in seen.items():
    print(f"{name}: {question} {answer}")
in_each = False
at_end = [by_openai(), by_langchain(), by_pydantic_ai()]
print(f"only at the end: {', '.join(f'{question} {answer}' for question, answer in at_end)}")
right, added = (100, 3), (400, 9)
raise SystemExit(0 if list(seen.values()) == [right, added, added, right] and at_end == [right] * 3 else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/usage.py"
