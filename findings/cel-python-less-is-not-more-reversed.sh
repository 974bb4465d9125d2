#!/usr/bin/env bash
# cel-python 0.5.0 beside common-expression-language 0.10.0 (an implementation in Rust), Python 3.11.
#
# A rule in CEL decides about messages in JSON. For cel-python `m.amount > 100` holds for 150.5, and `100 < m.amount` of the same message is
# an error: a whole number may not stand before one that is not. So is `m.amount > 99.5` for an amount of 150, which JSON writes without a
# point: a rule works until somebody pays a round sum. The text of true is "True" there, and -1 is the last member of a list, as in
# Python. The other implementation compares all of these numbers, and refuses the last two.
#
# Output (cel-python | common-expression-language):
#   {"amount": 150.5}, m.amount > 100: True | True
#   {"amount": 150.5}, 100 < m.amount: error | True
#   {"amount": 150.5}, m.amount > 99.5: True | True
#   {"amount": 150}, m.amount > 99.5: error | True
#   {"amount": 150}, m.amount == 150.0: error | True
#   {"paid": true}, string(m.paid): True | error
#   {"rooms": ["pier", "quay"]}, m.rooms[-1]: quay | error
#
# Most would guess that `100 < m.amount` and `m.amount > 100` are the same rule.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile cel-python==0.5.0 common-expression-language==0.10.0
cat > "$work/rules.py" <<'PYTHON'
import json

import cel
import celpy
from celpy.adapter import json_to_cel

environment = celpy.Environment()


def first(rule, message):
    return environment.program(environment.compile(rule)).evaluate({"m": json_to_cel(message)})


def second(rule, message):
    return cel.evaluate(rule, {"m": message})


def outcome(evaluate, rule, message):
    try:
        return str(evaluate(rule, message))
    except Exception:
        return "error"


for text, rule in [('{"amount": 150.5}', "m.amount > 100"), ('{"amount": 150.5}', "100 < m.amount"), ('{"amount": 150.5}', "m.amount > 99.5"),
                   ('{"amount": 150}', "m.amount > 99.5"), ('{"amount": 150}', "m.amount == 150.0"), ('{"paid": true}', "string(m.paid)"),
                   ('{"rooms": ["pier", "quay"]}', "m.rooms[-1]")]:
    message = json.loads(text)
    print(f"{text}, {rule}: {outcome(first, rule, message)} | {outcome(second, rule, message)}")
PYTHON
"$work/env/bin/python" -W ignore "$work/rules.py" 2> "$work/log" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
{"amount": 150.5}, m.amount > 100: True | True
{"amount": 150.5}, 100 < m.amount: error | True
{"amount": 150.5}, m.amount > 99.5: True | True
{"amount": 150}, m.amount > 99.5: error | True
{"amount": 150}, m.amount == 150.0: error | True
{"paid": true}, string(m.paid): True | error
{"rooms": ["pier", "quay"]}, m.rooms[-1]: quay | error
SEEN
