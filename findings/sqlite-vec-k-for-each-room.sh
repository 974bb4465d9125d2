#!/usr/bin/env bash
# sqlite-vec 0.1.9 with pysqlite3-binary 0.5.4.post2 (SQLite 3.51.1), Python 3.11.
#
# A vec0 table has the room of a message as its partition key, and the author as a metadata column. A search for the 2 nearest in two rooms,
# `room IN ('pier', 'quay')`, gives four messages, two of each room, and room by room, so that the first two are not the nearest two. OR
# does the same. `IN` with authors gives the 2 nearest of them, and so does `room != 'yard'`, which means the same rooms. Nothing is raised.
#
# Output (room and distance):
#   room = 'pier': pier 1, pier 4
#   room IN ('pier', 'quay'): pier 1, pier 4, quay 2, quay 3
#   (room = 'pier' OR room = 'quay'): pier 1, pier 4, quay 2, quay 3
#   room != 'yard': pier 1, quay 2
#   author IN ('Ada', 'Ilse'): pier 1, quay 2
#
# Most would guess that `k = 2` gives two rows.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile sqlite-vec==0.1.9 pysqlite3-binary==0.5.4.post2
cat > "$work/rooms.py" <<'PYTHON'
import json

import pysqlite3
import sqlite_vec

MESSAGES = [("pier", "Ada", 1), ("quay", "Ilse", 2), ("quay", "Ada", 3), ("pier", "Ilse", 4), ("pier", "Joost", 5), ("quay", "Joost", 6),
            ("yard", "Mara", 7)]
database = pysqlite3.connect(":memory:")
database.enable_load_extension(True)
sqlite_vec.load(database)
database.execute("CREATE VIRTUAL TABLE messages USING vec0(room TEXT PARTITION KEY, author TEXT, embedding FLOAT[2])")
for room, author, place in MESSAGES:
    database.execute("INSERT INTO messages (room, author, embedding) VALUES (?, ?, ?)", (room, author, json.dumps([place, 0])))
for condition in ["room = 'pier'", "room IN ('pier', 'quay')", "(room = 'pier' OR room = 'quay')", "room != 'yard'",
                  "author IN ('Ada', 'Ilse')"]:
    found = database.execute(f"SELECT room, distance FROM messages WHERE embedding MATCH '[0, 0]' AND k = 2 AND {condition}")
    print(f"{condition}:", ", ".join(f"{room} {distance:.0f}" for room, distance in found))
PYTHON
"$work/env/bin/python" "$work/rooms.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
room = 'pier': pier 1, pier 4
room IN ('pier', 'quay'): pier 1, pier 4, quay 2, quay 3
(room = 'pier' OR room = 'quay'): pier 1, pier 4, quay 2, quay 3
room != 'yard': pier 1, quay 2
author IN ('Ada', 'Ilse'): pier 1, quay 2
SEEN
