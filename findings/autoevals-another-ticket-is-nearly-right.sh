#!/usr/bin/env bash
# autoevals 0.4.1, Python 3.11.
#
# `JSONDiff` compares the arguments that a model gave to a tool with the expected ones. Numbers are compared as quantities and texts
# by their letters: ticket 4712 instead of 4711 has the score 0.9999, a day later 0.9, "unpaid" instead of "paid" 0.67. The true
# number as a text has less than the wrong number. A missing key counts like null. So an average hides that every ticket
# was wrong. `ExactMatch` is no way out: it compares dictionaries by their text, so the same keys in another order have the score 0.
#
# Output (given, expected: score):
#   JSONDiff, {'ticket': 4712}, {'ticket': 4711}: 0.9999
#   JSONDiff, {'ticket': '4711'}, {'ticket': 4711}: 0.6667
#   JSONDiff, {'due': '2026-11-19'}, {'due': '2026-11-18'}: 0.9
#   JSONDiff, {'state': 'unpaid'}, {'state': 'paid'}: 0.6667
#   JSONDiff, {'room': None}, {}: 1.0
#   ExactMatch, {'room': 'quay', 'n': 1}, {'room': 'quay', 'n': 1}: 1.0
#   ExactMatch, {'n': 1, 'room': 'quay'}, {'room': 'quay', 'n': 1}: 0.0
#
# Most would guess that a wrong number of a ticket is wrong, and that the order of keys does not matter for an exact match.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile autoevals==0.4.1
cat > "$work/scores.py" <<'PYTHON'
import sys

from autoevals.json import JSONDiff
from autoevals.value import ExactMatch

EXPECTED = [
    (JSONDiff, {"ticket": 4712}, {"ticket": 4711}, 0.9999),
    (JSONDiff, {"ticket": "4711"}, {"ticket": 4711}, 0.6667),
    (JSONDiff, {"due": "2026-11-19"}, {"due": "2026-11-18"}, 0.9),
    (JSONDiff, {"state": "unpaid"}, {"state": "paid"}, 0.6667),
    (JSONDiff, {"room": None}, {}, 1.0),
    (ExactMatch, {"room": "quay", "n": 1}, {"room": "quay", "n": 1}, 1.0),
    (ExactMatch, {"n": 1, "room": "quay"}, {"room": "quay", "n": 1}, 0.0),
]
right = True
for kind, given, expected, score in EXPECTED:
    seen = round(float(kind()(output=given, expected=expected).score), 4)
    right = right and seen == score
    print(f"{kind.__name__}, {given}, {expected}: {seen}")
sys.exit(0 if right else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/scores.py"
