#!/usr/bin/env bash
# pyturso 0.8.3 (Turso, the database that is compatible with SQLite), with its experimental full-text
# index, Python 3.11.
#
# `fts_match(title, body, …)` knows AND, minus and phrases as long as the index answers: alone or joined by AND in WHERE. In any
# other place it is computed row by row, as "has one of these words". So "crane -broken" finds the broken cranes as soon as a
# condition is added by OR, after NOT, in the list of columns, or for one column of the two in the index. No error.
#
# Output (messages: 1 crane free, 2 broken crane, 3 gate shut):
#   fts_match(title, body, 'crane -broken'): [1]
#   fts_match(title, body, 'crane -broken') AND id > 0: [1]
#   fts_match(title, body, 'crane -broken') OR id = 3: [1, 2, 3]
#   fts_match(title, body, '"crane broken"') OR id = 3: [1, 2, 3]
#   NOT fts_match(title, body, 'crane -broken'): [3]
#   fts_match(body, 'crane -broken'): [1, 2]
#   as a column: [1, 1, 0]
#
# Most would guess that a condition means the same on each side of OR, or is refused where the index cannot answer it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pyturso==0.8.3
cat > "$work/match.py" <<'PYTHON'
import sys

import turso

database = turso.connect(":memory:", experimental_features="index_method")
database.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
database.execute("INSERT INTO messages VALUES (1, 'a', 'crane free'), (2, 'b', 'broken crane'), (3, 'c', 'gate shut')")
database.execute("CREATE INDEX words ON messages USING fts (title, body)")
match = "fts_match(title, body, 'crane -broken')"
expected = {
    match: [1],
    f"{match} AND id > 0": [1],
    f"{match} OR id = 3": [1, 2, 3],
    "fts_match(title, body, '\"crane broken\"') OR id = 3": [1, 2, 3],
    f"NOT {match}": [3],
    "fts_match(body, 'crane -broken')": [1, 2],
}
seen = {}
for condition in expected:
    rows = database.execute(f"SELECT id FROM messages WHERE {condition} ORDER BY id").fetchall()
    seen[condition] = [number for (number,) in rows]
    print(f"{condition}: {seen[condition]}")
column = [value for (value,) in database.execute(f"SELECT {match} FROM messages ORDER BY id").fetchall()]
print(f"as a column: {column}")
sys.exit(0 if seen == expected and column == [1, 1, 0] else 1)
PYTHON
"$work/env/bin/python" "$work/match.py"
