#!/usr/bin/env bash
# duckdb 1.5.5 with its extension fts (packages duckdb-extensions and duckdb-extension-fts 1.5.5), Python 3.11.
#
# A full-text index with the defaults leaves stop words and digits out. A search with `conjunctive := 1`, in which all
# words have to be there, still wants them: "the crane" finds no message at all, and the whole text of a message does not
# find the message. A number is in no message either way, and a search for a word with it finds nothing. Without
# `conjunctive` the same questions find what they should.
#
# Output (without and with `conjunctive`):
#   broken crane: [1, 3] [1]
#   the crane: [1, 3] []
#   the crane is broken: [1, 3] []
#   berth 404: [2] []
#
# Most would guess that a word that the index leaves out is left out of the question, too.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
    duckdb==1.5.5 duckdb-extensions==1.5.5 duckdb-extension-fts==1.5.5
cat > "$work/words.py" <<'PYTHON'
import sys

import duckdb
from duckdb_extensions import import_extension

database = duckdb.connect()
import_extension("fts", con=database)
database.execute("LOAD fts")
database.execute("CREATE TABLE messages (id INTEGER, body TEXT)")
database.execute(
    "INSERT INTO messages VALUES (1, 'the crane is broken'), (2, 'berth 404 is free'), (3, 'crane two is here')"
)
database.execute("PRAGMA create_fts_index('messages', 'id', 'body')")


def found(question, every):
    rows = database.execute(
        f"SELECT id FROM messages WHERE fts_main_messages.match_bm25(id, ?, conjunctive := {every}) IS NOT NULL "
        "ORDER BY id", [question]
    ).fetchall()
    return [number for (number,) in rows]


expected = {
    "broken crane": ([1, 3], [1]), "the crane": ([1, 3], []), "the crane is broken": ([1, 3], []), "berth 404": ([2], []),
}
seen = {question: (found(question, 0), found(question, 1)) for question in expected}
for question, (some, every) in seen.items():
    print(f"{question}: {some} {every}")
sys.exit(0 if seen == expected else 1)
PYTHON
HOME="$work" "$work/env/bin/python" "$work/words.py"
