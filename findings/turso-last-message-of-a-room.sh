#!/usr/bin/env bash
# pyturso 0.8.3 (Turso, the database that is compatible with SQLite) beside SQLite 3.51.1 (pysqlite3-binary 0.5.4.post2), Python
# 3.11.
#
# "The last message of each room" is often asked with `SELECT room, max(id), text … GROUP BY room`: SQLite promises that the
# other columns come from the row with the largest value, and from the one with the smallest for `min`. Turso takes the same
# statement without an error, and gives the text of another row: the number is that of the last message, the text that of the
# first. So a list of rooms shows what nobody said last. A window function gives the same in both.
#
# Output (Turso, SQLite):
#   max(id): quay 3 'one' | board 4 'two', quay 3 'three' | board 4 'four'
#   min(at): quay 10 'one' | board 20 'two', quay 10 'three' | board 20 'two'
#   row_number(): quay 3 'three' | board 4 'four', quay 3 'three' | board 4 'four'
#
# Most would guess that a database which reads SQLite's files and statements keeps this promise of its documentation.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pyturso==0.8.3 pysqlite3-binary==0.5.4.post2
cat > "$work/last.py" <<'PYTHON'
import sys

import pysqlite3
import turso

questions = {
    "max(id)": "SELECT room, max(id), text FROM messages GROUP BY room ORDER BY room DESC",
    "min(at)": "SELECT room, min(at), text FROM messages GROUP BY room ORDER BY room DESC",
    "row_number()": "SELECT room, id, text FROM (SELECT *, row_number() OVER (PARTITION BY room ORDER BY id DESC) AS n "
                    "FROM messages) WHERE n = 1 ORDER BY room DESC",
}


def answers(library):
    database = library.connect(":memory:")
    database.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, room TEXT, at INTEGER, text TEXT)")
    database.execute("INSERT INTO messages VALUES (1, 'quay', 30, 'one'), (2, 'board', 20, 'two'), "
                     "(3, 'quay', 10, 'three'), (4, 'board', 40, 'four')")
    return {name: " | ".join(f"{room} {number} {text!r}" for room, number, text in database.execute(question).fetchall())
            for name, question in questions.items()}


first, second = answers(turso), answers(pysqlite3)
for name in questions:
    print(f"{name}: {first[name]}, {second[name]}")
right = {"max(id)": "quay 3 'three' | board 4 'four'", "min(at)": "quay 10 'three' | board 20 'two'",
         "row_number()": "quay 3 'three' | board 4 'four'"}
other = right | {"max(id)": "quay 3 'one' | board 4 'two'", "min(at)": "quay 10 'one' | board 20 'two'"}
sys.exit(0 if second == right and first == other else 1)
PYTHON
"$work/env/bin/python" "$work/last.py"
