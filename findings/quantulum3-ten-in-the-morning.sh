#!/usr/bin/env bash
# quantulum3 0.10.0 without its classifier, Python 3.11.
#
# The library finds amounts with their units in a message: 1.5 t, 1,500 kg. A unit is any sign that some unit has, whatever the words around
# it: "at 10 am" is a length of ten attometres, "room 12 a" are twelve years, "in the 90s" is a minute and a half, and "2-3 hours" become
# two and a half. A time of the clock is two numbers without a unit. Nothing marks these as doubtful.
#
# Output:
#   crane 3 lifts 1.5 t: 3 dimensionless, 1.5 tonne
#   come at 10 am: 10 attometre
#   room 12 a: 12 year
#   built in the 90s: 90 second
#   it takes 2-3 hours: 2.5 hour
#   come at 10:30: 10 dimensionless, 30 dimensionless
#
# Most would guess that a reader of amounts in English takes "10 am" for a time, or leaves it alone.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile quantulum3==0.10.0
cat > "$work/amounts.py" <<'PYTHON'
import logging
import sys

logging.disable(logging.CRITICAL)

from quantulum3 import parser

expected = {
    "crane 3 lifts 1.5 t": "3 dimensionless, 1.5 tonne", "come at 10 am": "10 attometre", "room 12 a": "12 year",
    "built in the 90s": "90 second", "it takes 2-3 hours": "2.5 hour", "come at 10:30": "10 dimensionless, 30 dimensionless",
}
seen = {}
for text in expected:
    seen[text] = ", ".join(f"{amount.value:g} {amount.unit.name}" for amount in parser.parse(text))
    print(f"{text}: {seen[text]}")
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/amounts.py"
