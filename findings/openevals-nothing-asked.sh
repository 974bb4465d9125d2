#!/usr/bin/env bash
# openevals 0.2.2, Python 3.11.
#
# `create_json_match_evaluator` compares what a model extracted, or the arguments of its calls, with what was expected. If
# nothing is expected and nothing came, a call without arguments or a text without dates, the `average` of the keys is 0, as for
# an answer that is wrong throughout. With the aggregator `all` the same pair is 1, and inside of another object it is 1 as well.
# An average over a set with such cases is too low, and a change that invents arguments for them costs nothing.
#
# Output:
#   average: {} for {} is 0, {'room': 'quay'} for {} is 0, [] for [] is 0, {'dates': {}} for {'dates': {}} is 1
#   all:     {} for {} is 1, {'room': 'quay'} for {} is 0, [] for [] is 1, {'dates': {}} for {'dates': {}} is 1
#
# Most would guess that equal values have the full score.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile openevals==0.2.2
cat > "$work/empty.py" <<'PYTHON'
import sys

from openevals.json import create_json_match_evaluator

pairs = [({}, {}), ({"room": "quay"}, {}), ([], []), ({"dates": {}}, {"dates": {}})]
seen = {}
for name in ("average", "all"):
    match = create_json_match_evaluator(aggregator=name, list_aggregator=name)
    seen[name] = [int(match(outputs=found, reference_outputs=expected)[0]["score"]) for found, expected in pairs]
    print(f"{name + ':':8}", ", ".join(
        f"{found} for {expected} is {score}" for (found, expected), score in zip(pairs, seen[name])))
sys.exit(0 if seen == {"average": [0, 0, 0, 1], "all": [1, 0, 1, 1]} else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/empty.py"
