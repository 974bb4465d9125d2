#!/usr/bin/env bash
# mautrix 0.21.1, Python 3.11.
#
# `parse_html` of `mautrix.util.formatter`, with which bridges bring messages of Matrix to other chats, makes text of a message in HTML. It
# knows headings, lists, quotes and code. The cells of a table, which HTML of Matrix may have, are put together without a sign between,
# and so are the rows: berth 4 with 12 ships and 300 tons is "412300". A power loses its place, so 10 to the 5th is 105, and a list that
# counts from 7 by the item's own `value` counts from 1; by `start` of the list it is right. Nothing is left out, so it looks whole.
#
# Output (message: text):
#   table of berths: 'berthshipstons412300523'
#   10 to the 5th: '105 t'
#   item with value 7: '1. pier'
#   list from 7: '7. pier'
#   two paragraphs: 'gate 4\n\nis shut'
#
# Most would guess that cells are kept apart by a space, a tab or a line, as browsers do when a table is copied.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mautrix==0.21.1
cat > "$work/messages.py" <<'PYTHON'
import asyncio

from mautrix.util.formatter import parse_html

rows = [["berth", "ships", "tons"], ["4", "12", "300"], ["5", "2", "3"]]
messages = {
    "table of berths": "<table>" + "".join("<tr><td>" + "</td><td>".join(row) + "</td></tr>" for row in rows) + "</table>",
    "10 to the 5th": "10<sup>5</sup> t",
    "item with value 7": '<ol><li value="7">pier</li></ol>',
    "list from 7": '<ol start="7"><li>pier</li></ol>',
    "two paragraphs": "<p>gate 4</p><p>is shut</p>"}
for name, html in messages.items():
    print(f"{name}: {asyncio.run(parse_html(html))!r}")
PYTHON
"$work/env/bin/python" -W ignore "$work/messages.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
table of berths: 'berthshipstons412300523'
10 to the 5th: '105 t'
item with value 7: '1. pier'
list from 7: '7. pier'
two paragraphs: 'gate 4\n\nis shut'
SEEN
