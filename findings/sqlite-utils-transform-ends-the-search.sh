#!/usr/bin/env bash
# sqlite-utils 4.2.1 with the SQLite of pysqlite3-binary 0.5.4.post2 (3.51.1), Python 3.11.
#
# A table of messages has a full-text index, which triggers keep in step (`enable_fts(…, create_triggers=True)`). Then a column is renamed
# with `transform`, which makes a new table, copies the rows and drops the old one, and the triggers with it. The index itself stays, and
# the search goes on with what it knew: a message that is added is not found, a corrected one is found by its old words and not by its new
# ones. `add_column` keeps the triggers. Nothing is raised, and `detect_fts` still names the index.
#
# Output:
#   at first: triggers 3, gate: 1, bridge:
#   after add_column: triggers 3, gate: 1 3, bridge:
#   after transform: triggers 0, gate: 1 3, bridge:
#   after message 4 "gate four" and "bridge" in message 1: gate: 1 3, bridge:
#   the index, as detect_fts names it: messages_fts
#
# Most would guess that a library that made both the index and the new table keeps them together, or raises.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile sqlite-utils==4.2.1 pysqlite3-binary==0.5.4.post2
cat > "$work/search.py" <<'PYTHON'
import sqlite_utils
from pysqlite3 import dbapi2 as sqlite

database = sqlite_utils.Database(sqlite.connect(":memory:"))
messages = database["messages"]
messages.insert_all([{"id": 1, "room": "quay", "text": "the gate is shut"}, {"id": 2, "room": "pier", "text": "crane free"}], pk="id")
messages.enable_fts(["text"], create_triggers=True)


def found():
    return ", ".join(f"{word}: {' '.join(str(row['id']) for row in messages.search(word, order_by='id'))}".strip()
                     for word in ["gate", "bridge"])


print(f"at first: triggers {len(messages.triggers)}, {found()}")
messages.add_column("thread", int)
messages.insert({"id": 3, "room": "quay", "text": "gate three"})
print(f"after add_column: triggers {len(messages.triggers)}, {found()}")
messages.transform(rename={"room": "channel"})
print(f"after transform: triggers {len(messages.triggers)}, {found()}")
messages.insert({"id": 4, "channel": "quay", "text": "gate four"})
messages.update(1, {"text": "the bridge is shut"})
print(f'after message 4 "gate four" and "bridge" in message 1: {found()}')
print("the index, as detect_fts names it:", messages.detect_fts())
PYTHON
"$work/env/bin/python" -W ignore "$work/search.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
at first: triggers 3, gate: 1, bridge:
after add_column: triggers 3, gate: 1 3, bridge:
after transform: triggers 0, gate: 1 3, bridge:
after message 4 "gate four" and "bridge" in message 1: gate: 1 3, bridge:
the index, as detect_fts names it: messages_fts
SEEN
