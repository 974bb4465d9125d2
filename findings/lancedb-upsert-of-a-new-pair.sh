#!/usr/bin/env bash
# lancedb 0.40.0, Python 3.11.
#
# A batch of messages is stored with `merge_insert("id")`, which updates rows that match and inserts the others. If the batch
# has one id twice, such as a message and its edit, the outcome depends on the table. For an id that the table has, the batch is
# refused as ambiguous. For a new id both rows are inserted, and the table has two rows with one id from then on: the next
# upsert updates both, and each search finds the message twice. So a first import fails to notice what every later one would
# refuse.
#
# Output:
#   known id twice: refused, rows: 1 one
#   new id twice: inserted 2, rows: 1 one | 2 sent | 2 edited
#   that id once: updated 2, rows: 1 one | 2 later | 2 later
#
# Most would guess that both batches are refused, or that the last row wins in both.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile lancedb==0.40.0
cat > "$work/upsert.py" <<'PYTHON'
import sys

import lancedb


def row(number, text):
    return {"id": number, "text": text, "vector": [1.0, 0.0]}


table = lancedb.connect(sys.argv[1]).create_table("messages", [row(1, "one")])


def upsert(*rows):
    merge = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
    try:
        result = merge.execute([row(*values) for values in rows])
    except ValueError as error:
        assert "Ambiguous" in str(error), error
        done = "refused"
    else:
        done = f"inserted {result.num_inserted_rows}" if result.num_inserted_rows else f"updated {result.num_updated_rows}"
    stored = sorted(table.search().limit(9).to_list(), key=lambda found: found["id"])
    return done + ", rows: " + " | ".join(f"{found['id']} {found['text']}" for found in stored)


found = {
    "known id twice": upsert((1, "sent"), (1, "edited")),
    "new id twice": upsert((2, "sent"), (2, "edited")),
    "that id once": upsert((2, "later")),
}
for name, outcome in found.items():
    print(f"{name}: {outcome}")
sys.exit(0 if list(found.values()) == [
    "refused, rows: 1 one", "inserted 2, rows: 1 one | 2 sent | 2 edited", "updated 2, rows: 1 one | 2 later | 2 later",
] else 1)
PYTHON
"$work/env/bin/python" "$work/upsert.py" "$work/database"
