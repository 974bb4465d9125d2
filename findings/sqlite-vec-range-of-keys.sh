#!/usr/bin/env bash
# sqlite-vec 0.1.9 with pysqlite3-binary 0.5.4.post2, Python 3.11.
#
# A vec0 table has a primary key and a metadata column with the same numbers. In a search for the 2 nearest, the
# conditions `number > 2`, `id IN (3, 4, 5)` and `id IN (SELECT …)` choose among which rows is searched, and two are
# found. `id > 2` and a join are applied afterwards to the two nearest of all rows, and nothing is found, without an error.
#
# Output:
#   number > 2: [3, 4]
#   id IN (3, 4, 5): [3, 4]
#   id IN (SELECT …): [3, 4]
#   id > 2: []
#   join: []
#
# Most would guess that either all conditions choose before the search, or all afterwards.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check sqlite-vec==0.1.9 pysqlite3-binary==0.5.4.post2
cat > "$work/range.py" <<'PYTHON'
import sys

import pysqlite3
import sqlite_vec

database = pysqlite3.connect(":memory:")
database.enable_load_extension(True)
sqlite_vec.load(database)
database.execute("CREATE VIRTUAL TABLE notes USING vec0(id INTEGER PRIMARY KEY, number INTEGER, place FLOAT[2])")
for number in range(1, 6):
    database.execute("INSERT INTO notes (id, number, place) VALUES (?1, ?1, ?2)", (number, f"[{number}, 0]"))
database.execute("CREATE TABLE open (id INTEGER PRIMARY KEY)")
database.executemany("INSERT INTO open VALUES (?)", [(3,), (4,), (5,)])


def nearest(condition, tables="notes"):
    rows = database.execute(
        f"SELECT notes.id FROM {tables} WHERE place MATCH '[0, 0]' AND k = 2 AND {condition} ORDER BY distance")
    return [number for number, in rows]


found = {
    "number > 2": nearest("number > 2"),
    "id IN (3, 4, 5)": nearest("id IN (3, 4, 5)"),
    "id IN (SELECT …)": nearest("id IN (SELECT id FROM open)"),
    "id > 2": nearest("id > 2"),
    "join": nearest("TRUE", "notes JOIN open ON open.id = notes.id"),
}
for name, numbers in found.items(): print(f"{name}: {numbers}")
sys.exit(0 if list(found.values()) == [[3, 4]] * 3 + [[]] * 2 else 1)
PYTHON
"$work/env/bin/python" "$work/range.py"
