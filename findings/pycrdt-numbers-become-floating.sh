#!/usr/bin/env bash
# pycrdt 0.14.13 (Yjs for Python) beside loro 1.17.1, Python 3.11.
#
# A ticket is kept in a document that several people edit. Its number is written as 4711 and read as 4711.0, by the program that
# wrote it, too: whole numbers become floating ones, also in lists and in nested maps, but from 2^53 on they stay whole.
# So a text made of the number has ".0" in it, `range` and an index refuse it, and JSON has 4711.0, while the number of a message as
# Discord has it is whole. Booleans stay. loro gives each number as it was written. No error when it is stored.
#
# Output (pycrdt, loro):
#   4711: 4711.0, 4711
#   [1, 2.5]: [1.0, 2.5], [1, 2.5]
#   {'votes': 3}: {'votes': 3.0}, {'votes': 3}
#   1306935417262374942: 1306935417262374942, 1306935417262374942
#   True: True, True
#   as text: ticket 4711.0
#   range: 'float' object cannot be interpreted as an integer
#
# Most would guess that a document that keeps numbers, texts and booleans apart gives a whole number back as one.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pycrdt==0.14.13 loro==1.17.1
cat > "$work/numbers.py" <<'PYTHON'
import loro
import pycrdt

document, other = pycrdt.Doc(), loro.LoroDoc()
document["ticket"] = ticket = pycrdt.Map()
for value in [4711, [1, 2.5], {"votes": 3}, 1306935417262374942, True]:
    ticket["value"] = value
    other.get_map("ticket").insert("value", value)
    print(f"{value}: {ticket['value']}, {other.get_deep_value()['ticket']['value']}")
ticket["value"] = 4711
print(f"as text: ticket {ticket['value']}")
try:
    range(ticket["value"])
except TypeError as error:
    print(f"range: {error}")
PYTHON
"$work/env/bin/python" -W ignore "$work/numbers.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
4711: 4711.0, 4711
[1, 2.5]: [1.0, 2.5], [1, 2.5]
{'votes': 3}: {'votes': 3.0}, {'votes': 3}
1306935417262374942: 1306935417262374942, 1306935417262374942
True: True, True
as text: ticket 4711.0
range: 'float' object cannot be interpreted as an integer
SEEN
