#!/usr/bin/env bash
# deepdiff 9.1.0, Python 3.11.
#
# Two states of a document are compared to send the other side what changed (`Delta`). The value of a key that goes from 1 to true, or
# from 0 to false, is reported as a change of type, as it is in an object of a list. The members of a list itself are compared as Python
# does: [1, 0] and [true, false] have no difference, nor do [1, 2.5] and [1.0, 2.5], and if another member differs only that one is
# reported. So the other side, which applies the delta, has 1 for ever where this side has true. With `ignore_order=True` the same lists
# differ.
#
# Output (old, new: difference, old with the delta):
#   {"urgent": 1}, {"urgent": true}: type_changes, {"urgent": true}
#   [{"urgent": 1}], [{"urgent": true}]: type_changes, [{"urgent": true}]
#   [1, 0], [true, false]: none, [1, 0]
#   [1, 0, "gate"], [true, false, "crane"]: values_changed, [1, 0, "crane"]
#   [1, 2.5], [1.0, 2.5]: none, [1, 2.5]
#   [1, 0], [true, false], without order: values_changed
#
# Most would guess that a library that tells 1 from true under a key does so in a list.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile deepdiff==9.1.0
cat > "$work/changes.py" <<'PYTHON'
import json

from deepdiff import DeepDiff, Delta

for old, new in [({"urgent": 1}, {"urgent": True}), ([{"urgent": 1}], [{"urgent": True}]), ([1, 0], [True, False]),
                 ([1, 0, "gate"], [True, False, "crane"]), ([1, 2.5], [1.0, 2.5])]:
    difference = DeepDiff(old, new)
    kinds = ", ".join(difference) or "none"
    print(f"{json.dumps(old)}, {json.dumps(new)}: {kinds}, {json.dumps(old + Delta(difference))}")
print("[1, 0], [true, false], without order:", ", ".join(DeepDiff([1, 0], [True, False], ignore_order=True)))
PYTHON
"$work/env/bin/python" -W ignore "$work/changes.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
{"urgent": 1}, {"urgent": true}: type_changes, {"urgent": true}
[{"urgent": 1}], [{"urgent": true}]: type_changes, [{"urgent": true}]
[1, 0], [true, false]: none, [1, 0]
[1, 0, "gate"], [true, false, "crane"]: values_changed, [1, 0, "crane"]
[1, 2.5], [1.0, 2.5]: none, [1, 2.5]
[1, 0], [true, false], without order: values_changed
SEEN
