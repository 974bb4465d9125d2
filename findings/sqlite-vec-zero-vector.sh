#!/usr/bin/env bash
# sqlite-vec 0.1.9 with pysqlite3-binary 0.5.4.post2, Python 3.11.
#
# A vec0 table with `distance_metric=cosine` holds one vector of zeros, such as some encoders give for an empty text. Its
# distance to everything is NULL, and where it comes in a search depends on when it was stored: stored before the
# others it comes first, before a vector that equals the question, and takes a place among the k; stored after them it is
# missing. A condition on the distance always leaves it out.
#
# Output:
#   zeros stored first, k = 2: [(4, None), (2, 0.0)]
#   zeros stored first, k = 2, distance <= 2: [(2, 0.0), (3, 0.2929)]
#   zeros stored last, k = 2: [(2, 0.0), (3, 0.2929)]
#
# Most would guess that a vector without a direction comes last, or is refused when it is stored, and that the order of
# storing does not count.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check sqlite-vec==0.1.9 pysqlite3-binary==0.5.4.post2
cat > "$work/zero.py" <<'PYTHON'
import sys

import pysqlite3
import sqlite_vec

vectors = [(1, "[-1, 0, 0]"), (2, "[1, 0, 0]"), (3, "[1, 1, 0]")]
zeros = [(4, "[0, 0, 0]")]


def nearest(rows, condition=""):
    database = pysqlite3.connect(":memory:")
    database.enable_load_extension(True)
    sqlite_vec.load(database)
    database.execute(
        "CREATE VIRTUAL TABLE notes USING vec0(id INTEGER PRIMARY KEY, place FLOAT[3] distance_metric=cosine)")
    database.executemany("INSERT INTO notes (id, place) VALUES (?, ?)", rows)
    found = database.execute(
        "SELECT id, distance FROM notes WHERE place MATCH '[1, 0, 0]' AND k = 2" + condition).fetchall()
    return [(number, distance if distance is None else round(distance, 4)) for number, distance in found]


first, bounded = nearest(zeros + vectors), nearest(zeros + vectors, " AND distance <= 2")
last = nearest(vectors + zeros)
print("zeros stored first, k = 2:", first)
print("zeros stored first, k = 2, distance <= 2:", bounded)
print("zeros stored last, k = 2:", last)
sys.exit(0 if first == [(4, None), (2, 0.0)] and [row[0] for row in bounded] == [row[0] for row in last] == [2, 3] else 1)
PYTHON
"$work/env/bin/python" "$work/zero.py"
