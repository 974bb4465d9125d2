#!/usr/bin/env bash
# diff-match-patch 20241021 for Python, Python 3.11.
#
# Somebody marks a line of a list while being offline, and the patch is applied later to the list as it is then. If the line was taken out
# or changed in the meantime, the patch looks for text that is nearly the same, and finds a line beside it: gate 2 is shut instead of
# gate 3, Ada is crossed off instead of Ilse, and Joost has the 1900 of Ilse. The result for each patch is True, as if it had been
# applied. If another line was taken out, the right one is marked. `Match_Threshold = 0` finds False, and refuses that as well.
#
# Output (patch, list at the time: applied, changed line):
#   gate 3 is shut, gate 1 is gone: True, gate 3: shut
#   gate 3 is shut, gate 3 is gone: True, gate 2: shut
#   gate 3 is shut, gate 3 is broken: True, gate 2: shut
#   Ilse was called, Ilse is gone: True, [x] call Ada
#   Ilse has 1900, Ilse is gone: True, pay 1900 to Joost
#   gate 3 is shut, gate 3 is gone, threshold 0: False, none
#   gate 3 is shut, gate 1 is gone, threshold 0: False, none
#
# Most would guess that a patch whose line is gone is reported as not applied.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile diff-match-patch==20241021
cat > "$work/patches.py" <<'PYTHON'
from diff_match_patch import diff_match_patch


def apply(title, before, after, now, threshold=0.5):
    library = diff_match_patch()
    library.Match_Threshold = threshold
    text, applied = library.patch_apply(library.patch_make(before, after), now)
    changed = [line for line in text.splitlines() if line not in now.splitlines()]
    print(f"{title}: {applied[0]}, {', '.join(changed) or 'none'}")


gates = "".join(f"gate {number}: open\n" for number in range(1, 6))
shut = gates.replace("gate 3: open", "gate 3: shut")
apply("gate 3 is shut, gate 1 is gone", gates, shut, gates.replace("gate 1: open\n", ""))
apply("gate 3 is shut, gate 3 is gone", gates, shut, gates.replace("gate 3: open\n", ""))
apply("gate 3 is shut, gate 3 is broken", gates, shut, gates.replace("gate 3: open", "gate 3: broken"))
calls = "[ ] call Mara\n[ ] call Ilse\n[ ] call Ada\n"
apply("Ilse was called, Ilse is gone", calls, calls.replace("[ ] call Ilse", "[x] call Ilse"), calls.replace("[ ] call Ilse\n", ""))
sums = "pay 1200 to Mara\npay 1300 to Joost\npay 1400 to Ilse\n"
apply("Ilse has 1900, Ilse is gone", sums, sums.replace("1400", "1900"), sums.replace("pay 1400 to Ilse\n", ""))
for gone in [3, 1]:
    apply(f"gate 3 is shut, gate {gone} is gone, threshold 0", gates, shut, gates.replace(f"gate {gone}: open\n", ""), 0)
PYTHON
"$work/env/bin/python" -W ignore "$work/patches.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
gate 3 is shut, gate 1 is gone: True, gate 3: shut
gate 3 is shut, gate 3 is gone: True, gate 2: shut
gate 3 is shut, gate 3 is broken: True, gate 2: shut
Ilse was called, Ilse is gone: True, [x] call Ada
Ilse has 1900, Ilse is gone: True, pay 1900 to Joost
gate 3 is shut, gate 3 is gone, threshold 0: False, none
gate 3 is shut, gate 1 is gone, threshold 0: False, none
SEEN
