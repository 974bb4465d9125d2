#!/usr/bin/env bash
# jiter 0.19.0 (which pydantic and the client of OpenAI use), partial-json-parser 0.2.1.1.post7 and partialjson 1.2.0, Python 3.11.
#
# Arguments of a tool are read while the model still writes them. The three close what is open. jiter leaves a half text out
# (unless it is asked for `trailing-strings`), and a half `true`, but it gives a half number like a whole one: of 1200 it gives
# 1, 12 and 120 before. A number that is cut before its digits behind the point is left out, so the field comes, goes and comes
# again. The other two take one letter for a whole word: `t` is true, `f` is false, and partialjson knows a key with nothing
# behind it as None.
#
# Output (jiter, partial-json-parser, partialjson):
#   {"text": "Pay no     -> {} {'text': 'Pay no'} {'text': 'Pay no'}
#   {"euros": 12         -> {'euros': 12} {'euros': 12} {'euros': 12}
#   {"euros": 12.        -> {} {'euros': 12} {'euros': 12}
#   {"paid": f           -> {} {'paid': False} {'paid': False}
#   {"paid               -> {} {} {'paid': None}
#
# Most would guess that a library which waits for the end of a text and of a word waits for the end of a number, too.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
    jiter==0.19.0 partial-json-parser==0.2.1.1.post7 partialjson==1.2.0
cat > "$work/partial.py" <<'PYTHON'
import sys

import jiter
import partial_json_parser
import partialjson

expected = {
    '{"text": "Pay no': [{}, {"text": "Pay no"}, {"text": "Pay no"}],
    '{"euros": 12': [{"euros": 12}, {"euros": 12}, {"euros": 12}],
    '{"euros": 12.': [{}, {"euros": 12}, {"euros": 12}],
    '{"paid": f': [{}, {"paid": False}, {"paid": False}],
    '{"paid': [{}, {}, {"paid": None}],
}
seen = {text: [jiter.from_json(text.encode(), partial_mode=True), partial_json_parser.loads(text),
               partialjson.JSONParser().parse(text)] for text in expected}
for text, found in seen.items():
    print(f"{text:20} ->", *found)
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" "$work/partial.py"
