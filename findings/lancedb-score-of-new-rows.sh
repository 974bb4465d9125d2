#!/usr/bin/env bash
# lancedb 0.40.0, Python 3.11.
#
# A full-text index is made, and then a row is added whose text is one of those in it. A search finds both, but the new
# row has a lower score for the same words: rows that are not in the index yet are scored apart from it. After `optimize`
# both have the same score, so the order of results and a limit on the score change although no text did.
#
# Output:
#   before optimize: {1: 1.0417, 4: 0.7262}
#   after optimize: the two scores are equal
#
# Most would guess that rows with the same text have the same score, or that a new row is not found before.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check lancedb==0.40.0
cat > "$work/scores.py" <<'PYTHON'
import sys

import lancedb
from lancedb.index import FTS

table = lancedb.connect(sys.argv[1]).create_table("messages", [
    {"id": 1, "text": "the crane is broken"}, {"id": 2, "text": "berth four is free"},
    {"id": 3, "text": "the crane works again"},
])
table.create_index("text", config=FTS())


def scores():
    rows = table.search("broken", query_type="fts").limit(9).to_list()
    return {row["id"]: round(row["_score"], 4) for row in sorted(rows, key=lambda row: row["id"])}


table.add([{"id": 4, "text": "the crane is broken"}])
early = scores()
print(f"before optimize: {early}")
table.optimize()
late = scores()
print("after optimize:", "the two scores are equal" if late[1] == late[4] else late)
sys.exit(0 if early[4] < early[1] and late[1] == late[4] else 1)
PYTHON
"$work/env/bin/python" "$work/scores.py" "$work/data"
