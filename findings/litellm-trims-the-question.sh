#!/usr/bin/env bash
# litellm 1.110.2: `trim_messages`, Python 3.11.
#
# The function shortens a conversation to a number of tokens. The system prompt has the budget first: if the question does not
# fit behind it, only the system prompt is returned, cut in its middle if it is too long, and the question is gone. Results of
# tools at the end are not counted and stay whole, whatever the budget is. One that is followed by an answer is shortened, and
# may come first in what is returned, without the call that asked for it, which OpenAI's servers refuse. Nothing is raised.
#
# Output (roles, and how many tokens they have):
#   budget 12: system (12)
#   budget 60, a long system prompt: system (59)
#   budget 50, results at the end: user assistant tool (355)
#   budget 50, results in the middle: tool assistant user (47)
#
# Most would guess that the newest question stays longest, that a call and its result stay or go together (as in langchain's
# function with this name), and that no more tokens come back than were asked for.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile litellm==1.110.2
cat > "$work/trim.py" <<'PYTHON'
import sys

from litellm.utils import token_counter, trim_messages

short = {"role": "system", "content": "Answer from the messages. Never name people."}
question = {"role": "user", "content": "Since when is the crane at the pier broken?"}
call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{\"words\": \"crane\"}"}}
calling = {"role": "assistant", "content": None, "tool_calls": [call]}
result = {"role": "tool", "tool_call_id": "1", "content": "The crane at the pier is broken. " * 40}
answer = {"role": "assistant", "content": "It is broken."}
cases = {
    "budget 12": (12, [short, question]),
    "budget 60, a long system prompt": (60, [{**short, "content": short["content"] * 20}, question]),
    "budget 50, results at the end": (50, [question, calling, result]),
    "budget 50, results in the middle": (50, [{**question, "content": question["content"] * 9}, calling, result, answer, question]),
}
seen = []
for name, (budget, messages) in cases.items():
    kept = trim_messages(messages, max_tokens=budget, trim_ratio=1)
    roles, tokens = [message["role"] for message in kept], token_counter(messages=kept)
    print(f"{name}: {' '.join(roles)} ({tokens})")
    seen.append((roles, tokens))
sys.exit(0 if seen == [
    (["system"], 12), (["system"], 59), (["user", "assistant", "tool"], 355), (["tool", "assistant", "user"], 47),
] else 1)
PYTHON
LITELLM_LOCAL_MODEL_COST_MAP=True "$work/env/bin/python" -W ignore "$work/trim.py"
