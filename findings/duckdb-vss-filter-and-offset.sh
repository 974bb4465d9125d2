#!/usr/bin/env bash
# duckdb 1.5.5 with its extension vss (packages duckdb-extensions and duckdb-extension-vss 1.5.5), Python 3.11.
#
# A table of vectors is asked for the nearest rows with ORDER BY array_distance(…) LIMIT 3, and gets an HNSW index to make that
# faster. The answers of the same SQL change. With `OFFSET 3` the second page is the first page again. With a WHERE the index
# gives its 3 nearest rows, and the condition is applied afterwards: a room that has rows further away is empty, and leaving
# out one row gives two. `min_by(id, distance, 3)` of a room is NULL. In a common table expression the room is found, because
# the index is not used there. No error.
#
# Output (without the index, with it):
#   first page: [0, 1, 2], [0, 1, 2]
#   second page: [3, 4, 5], [0, 1, 2]
#   room quay: [90, 91, 92], []
#   not row 0: [1, 2, 3], [1, 2]
#   min_by of quay: [90, 91, 92], None
#   room quay in WITH: [90, 91, 92], [90, 91, 92]
#
# Most would guess that an index of a SQL database changes the time and not the rows, or that an approximate index misses a few
# rows of many: these are 100 vectors on a line.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
    duckdb==1.5.5 duckdb-extensions==1.5.5 duckdb-extension-vss==1.5.5
cat > "$work/nearest.py" <<'PYTHON'
import sys

import duckdb
import duckdb_extensions

duckdb_extensions.import_extension("vss")
database = duckdb.connect()
database.execute("LOAD vss")
database.execute("CREATE TABLE messages (id INTEGER, room VARCHAR, v FLOAT[2])")
rows = [(number, "quay" if number >= 90 else "board", [float(number), 0.0]) for number in range(100)]
database.executemany("INSERT INTO messages VALUES (?, ?, ?)", rows)
distance = "array_distance(v, [0, 0]::FLOAT[2])"
nearest = f"ORDER BY {distance} LIMIT 3"
questions = {
    "first page": f"SELECT id FROM messages {nearest}",
    "second page": f"SELECT id FROM messages {nearest} OFFSET 3",
    "room quay": f"SELECT id FROM messages WHERE room = 'quay' {nearest}",
    "not row 0": f"SELECT id FROM messages WHERE id <> 0 {nearest}",
    "min_by of quay": f"SELECT min_by(id, {distance}, 3) FROM messages WHERE room = 'quay'",
    "room quay in WITH": f"WITH m AS (SELECT * FROM messages WHERE room = 'quay') SELECT id FROM m {nearest}",
}


def ask():
    answers = {}
    for name, question in questions.items():
        found = database.execute(question).fetchall()
        answers[name] = found[0][0] if name.startswith("min_by") else [number for (number,) in found]
    return answers


without = ask()
database.execute("CREATE INDEX nearby ON messages USING HNSW (v)")
with_index = ask()
for name in questions:
    print(f"{name}: {without[name]}, {with_index[name]}")
exact = {"first page": [0, 1, 2], "second page": [3, 4, 5], "room quay": [90, 91, 92], "not row 0": [1, 2, 3],
         "min_by of quay": [90, 91, 92], "room quay in WITH": [90, 91, 92]}
surprise = exact | {"second page": [0, 1, 2], "room quay": [], "not row 0": [1, 2], "min_by of quay": None}
sys.exit(0 if without == exact and with_index == surprise else 1)
PYTHON
"$work/env/bin/python" "$work/nearest.py"
