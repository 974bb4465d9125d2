#!/usr/bin/env bash
# duckdb 1.5.5 with its extension vss (packages duckdb-extensions and duckdb-extension-vss 1.5.5), Python 3.11.
#
# A transaction stores a message, moves another one and deletes a third, and then asks for the three nearest, as a program
# does that looks for near copies before it commits. Without an index it sees its own work, as everywhere in SQL. With an HNSW
# index the new row is not found, although its vector is the question; the moved row is found at neither place, and the places
# of the moved and the deleted row are not filled up, so LIMIT 3 gives one row of a hundred. After the commit all is well.
#
# Output (without the index, with it):
#   stored 1000 at the question: [0, 1000, 1], [0, 1, 2]
#   moved 1 to it: [0, 1, 1000], [0, 2]
#   deleted 0: [1, 1000, 2], [2]
#   committed: [1, 1000, 2], [1, 1000, 2]
#
# Most would guess that a transaction sees what it wrote, whatever index answers.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
    duckdb==1.5.5 duckdb-extensions==1.5.5 duckdb-extension-vss==1.5.5
cat > "$work/own.py" <<'PYTHON'
import sys

import duckdb
import duckdb_extensions

duckdb_extensions.import_extension("vss")


def steps(index):
    database = duckdb.connect()
    database.execute("LOAD vss")
    database.execute("CREATE TABLE messages (id INTEGER, v FLOAT[2])")
    database.executemany("INSERT INTO messages VALUES (?, ?)", [(number, [float(number), 0.0]) for number in range(100)])
    if index:
        database.execute("CREATE INDEX nearby ON messages USING HNSW (v)")

    def nearest():
        question = "SELECT id FROM messages ORDER BY array_distance(v, [0, 0]::FLOAT[2]) LIMIT 3"
        return [number for (number,) in database.execute(question).fetchall()]

    database.execute("BEGIN")
    database.execute("INSERT INTO messages VALUES (1000, [0.1, 0])")
    yield "stored 1000 at the question", nearest()
    database.execute("UPDATE messages SET v = [0.05, 0] WHERE id = 1")
    yield "moved 1 to it", nearest()
    database.execute("DELETE FROM messages WHERE id = 0")
    yield "deleted 0", nearest()
    database.execute("COMMIT")
    yield "committed", nearest()


seen = []
for (name, without), (_, with_index) in zip(steps(False), steps(True)):
    print(f"{name}: {without}, {with_index}")
    seen.append((without, with_index))
expected = [([0, 1000, 1], [0, 1, 2]), ([0, 1, 1000], [0, 2]), ([1, 1000, 2], [2]), ([1, 1000, 2], [1, 1000, 2])]
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" "$work/own.py"
