#!/usr/bin/env bash
# langchain-classic 1.0.8, Python 3.11.
#
# `JsonEqualityEvaluator` compares the JSON that a model wrote with the expected one. It completes what was cut off before it compares, so an
# answer that ended at its limit, with a quote and brackets missing, is equal, which `JsonValidityEvaluator` of the same package calls no
# JSON, and so does a program that has to use it. A list at the top is sorted first, so two payments in the wrong order are equal; a
# list inside of an object is not, so there they are unequal. And true is 1.
#
# Output (given, expected: equal; valid):
#   {"who": "Bo", "euros": 15 | {"who": "Bo", "euros": 15}: True; 0
#   {"euros": 15, "who": "Bo | {"who": "Bo", "euros": 15}: True; 0
#   {"euros": 15, "who" | {"euros": 15}: True; 0
#   ["pay", "close"] | ["close", "pay"]: True; 1
#   {"steps": ["pay", "close"]} | {"steps": ["close", "pay"]}: False; 1
#   {"paid": true} | {"paid": 1}: True; 1
#
# Most would guess that what is no JSON is equal to none, and that the order of a list counts everywhere or nowhere.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile langchain-classic==1.0.8
cat > "$work/equal.py" <<'PYTHON'
import sys

from langchain_classic.evaluation import JsonEqualityEvaluator, JsonValidityEvaluator

pairs = [
    ('{"who": "Bo", "euros": 15', '{"who": "Bo", "euros": 15}', "True; 0"),
    ('{"euros": 15, "who": "Bo', '{"who": "Bo", "euros": 15}', "True; 0"),
    ('{"euros": 15, "who"', '{"euros": 15}', "True; 0"),
    ('["pay", "close"]', '["close", "pay"]', "True; 1"),
    ('{"steps": ["pay", "close"]}', '{"steps": ["close", "pay"]}', "False; 1"),
    ('{"paid": true}', '{"paid": 1}', "True; 1"),
]
equality, validity = JsonEqualityEvaluator(), JsonValidityEvaluator()
right = True
for given, expected, outcome in pairs:
    equal = equality.evaluate_strings(prediction=given, reference=expected)["score"]
    line = f"{equal}; {validity.evaluate_strings(prediction=given)['score']}"
    print(f"{given} | {expected}: {line}")
    right = right and line == outcome
sys.exit(0 if right else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/equal.py"
