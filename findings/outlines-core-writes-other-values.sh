#!/usr/bin/env bash
# outlines-core 0.2.14 beside llguidance 1.9.1 and jsonschema 4.26.0, Python 3.11.
#
# A model may write only what a JSON schema allows: outlines-core makes a regular expression of the schema, llguidance a
# grammar. The expression leaves valid values out and lets others in. A date-time ends with Z there, so a model that is asked
# for "10:00 in Berlin" cannot write +01:00, and writes another moment. A `pattern` has to fit the whole text, where JSON Schema
# looks for it inside. With `prefixItems` no item may be missing. `minimum`, `multipleOf` and `uniqueItems` are ignored. No
# error. llguidance is right in all of these, and refuses the schema with `uniqueItems`.
#
# Output (valid?, outlines-core, llguidance):
#   date-time "2026-11-29T10:00:00Z": yes yes yes
#   date-time "2026-11-29T10:00:00+01:00": yes no yes
#   pattern [0-9]+ "gate 4": yes no yes
#   prefixItems [1]: yes no yes
#   minimum 1 -4: no yes no
#   multipleOf 5 7: no yes no
#   uniqueItems [1, 1]: no yes refused
#
# Most would guess that such an expression is too narrow in the order of keys only, and that what it cannot express is refused.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    outlines-core==0.2.14 llguidance==1.9.1 'jsonschema[format]==4.26.0'
cat > "$work/values.py" <<'PYTHON'
import json
import re
import sys

import jsonschema
import llguidance
from outlines_core.json_schema import build_regex_from_schema

time = {"type": "string", "format": "date-time"}
cases = [
    ("date-time", time, "2026-11-29T10:00:00Z"),
    ("date-time", time, "2026-11-29T10:00:00+01:00"),
    ("pattern [0-9]+", {"type": "string", "pattern": "[0-9]+"}, "gate 4"),
    ("prefixItems", {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}]}, [1]),
    ("minimum 1", {"type": "integer", "minimum": 1}, -4),
    ("multipleOf 5", {"type": "integer", "multipleOf": 5}, 7),
    ("uniqueItems", {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, [1, 1]),
]
tokenizer = llguidance.LLTokenizer("byte")


def valid(schema, value):
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker()).is_valid(value)


def of_outlines(schema, text):
    return re.fullmatch(build_regex_from_schema(json.dumps(schema)), text) is not None


def of_llguidance(schema, text):
    matcher = llguidance.LLMatcher(tokenizer, llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema)), log_level=0)
    if matcher.get_error():
        return None
    return all(matcher.consume_token(token) for token in tokenizer.tokenize_str(text)) and matcher.is_accepting()


words, found = {True: "yes", False: "no", None: "refused"}, []
for name, schema, value in cases:
    text = json.dumps(value)
    found.append(" ".join(words[answer] for answer in (
        valid(schema, value), of_outlines(schema, text), of_llguidance(schema, text))))
    print(f"{name} {text}: {found[-1]}")
sys.exit(0 if found == ["yes yes yes", "yes no yes", "yes no yes", "yes no yes", "no yes no", "no yes no",
                        "no yes refused"] else 1)
PYTHON
"$work/env/bin/python" "$work/values.py"
