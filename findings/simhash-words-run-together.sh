#!/usr/bin/env bash
# simhash 2.1.2, Python 3.11.
#
# `Simhash(text)` finds messages that are nearly equal. Before it counts, it drops everything that is not a letter or a digit,
# also spaces and points, and cuts the rest into pieces of four characters. So a point in a number, a minus and the borders of
# words do not exist: texts with another meaning are at the distance 0, as if they were copies. A word in front is at a
# distance.
#
# Output (the distance, of 64):
#   pay 1.5 t | pay 15 t: 0
#   -5 degrees | 5 degrees: 0
#   gate 1 12 | gate 11 2: 0
#   the crew is now here | the crew is nowhere: 0
#   the crew is here | now the crew is here: more than 5
#
# Most would guess that the features are words or numbers, and that 0 means the same text up to case and spaces.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile simhash==2.1.2
cat > "$work/pairs.py" <<'PYTHON'
import sys

from simhash import Simhash

pairs = [("pay 1.5 t", "pay 15 t"), ("-5 degrees", "5 degrees"), ("gate 1 12", "gate 11 2"),
         ("the crew is now here", "the crew is nowhere"), ("the crew is here", "now the crew is here")]
distances = [Simhash(first).distance(Simhash(second)) for first, second in pairs]
for (first, second), distance in zip(pairs, distances):
    print(f"{first} | {second}: {'more than 5' if distance > 5 else distance}")
sys.exit(0 if distances[:4] == [0, 0, 0, 0] and distances[4] > 5 else 1)
PYTHON
"$work/env/bin/python" "$work/pairs.py"
