#!/usr/bin/env bash
# json_repair 0.64.6, Python 3.11.
#
# A model without an interface for tools writes two calls, one under the other, each as JSON. json_repair, which many use to
# read such answers, gives a list of both if their keys differ. If they have the same keys it gives the last one only, whatever
# their values are: the first call is never made, and nothing says so. A comma between them keeps both. Two blocks of code with
# words between them behave alike, and so do lines of records: of three messages the last is left.
#
# Output:
#   post, search: 2 values
#   post, post: {'name': 'post', 'to': 'board'}
#   post, post, search: ['board', 'search']
#   post, post, with a comma: 2 values
#   three records: {'id': 3, 'text': 'gate'}
#   two blocks of code: {'name': 'post', 'to': 'board'}
#
# Most would guess that two values are a list of two whatever is in them, or that the first or the last is taken always.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check json_repair==0.64.6
cat > "$work/two.py" <<'PYTHON'
import json
import sys

import json_repair

quay, board = {"name": "post", "to": "quay"}, {"name": "post", "to": "board"}
search = {"name": "search", "words": "crane"}
records = [{"id": 1, "text": "crane"}, {"id": 2, "text": "berth"}, {"id": 3, "text": "gate"}]


def read(values, between="\n"):
    return json_repair.loads(between.join(json.dumps(value) for value in values))


blocks = "\nThen:\n".join(f"```json\n{json.dumps(value)}\n```" for value in (quay, board))
seen = {
    "post, search": read([quay, search]),
    "post, post": read([quay, board]),
    "post, post, search": read([quay, board, search]),
    "post, post, with a comma": read([quay, board], ", "),
    "three records": read(records),
    "two blocks of code": json_repair.loads(blocks),
}
for name, found in seen.items():
    if isinstance(found, list):
        found = [value.get("to", value["name"]) for value in found] if len(name.split(", ")) == 3 and "comma" not in name \
            else f"{len(found)} values"
    print(f"{name}: {found}")
sys.exit(0 if list(seen.values()) == [
    [quay, search], board, [board, search], [quay, board], records[2], board] else 1)
PYTHON
"$work/env/bin/python" "$work/two.py"
