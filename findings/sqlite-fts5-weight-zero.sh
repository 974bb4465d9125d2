#!/usr/bin/env bash
# SQLite 3.51.1 with FTS5 (pysqlite3-binary 0.5.4.post2), Python 3.11.
#
# Two messages have the same title, one has a body of one word, one of 200. The title is searched, and `bm25` is given the
# weight 0 for the body: the message with the long body has a fifth of the other's score. The length that is compared is
# that of the whole row, whatever the weights and the column of the query are. What a column with the weight 0 holds also
# counts for how rare a word is: once most bodies have the word, the titles that have it are worth next to nothing, unless
# the query names the column. The weights multiply the hits of a column, and nothing else.
#
# Output:
#   title: crane, weight of the body 0: short body 0.957, long body 0.201
#   crane, weight of the body 0, in no body: 1.299, in half of the bodies: 0.000
#   title: crane, weight of the body 0, in half of the bodies: 1.299
#
# Most would guess that a column with the weight 0 has no influence on the score.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pysqlite3-binary==0.5.4.post2
cat > "$work/weights.py" <<'PYTHON'
import sys

import pysqlite3

database = pysqlite3.connect(":memory:")


def scores(rows, question):
    database.execute("DROP TABLE IF EXISTS messages")
    database.execute("CREATE VIRTUAL TABLE messages USING fts5(title, body)")
    database.executemany("INSERT INTO messages VALUES (?, ?)", rows)
    query = "SELECT rowid, -bm25(messages, 1.0, 0.0) FROM messages WHERE messages MATCH ? ORDER BY rowid"
    return {number: score for number, score in database.execute(query, [question])}


others = [("berth", "free"), ("gate", "code"), ("quay", "wall"), ("pier", "north")]
long = " ".join(f"word{number}" for number in range(200))
lengths = scores([("crane", "short"), ("crane", long)] + others, "title: crane")
print(f"title: crane, weight of the body 0: short body {lengths[1]:.3f}, long body {lengths[2]:.3f}")
rare = [("crane", "a"), ("berth", "b"), ("gate", "c"), ("quay", "d"), ("pier", "e"), ("dock", "f")]
common = rare[:1] + [(title, "crane") for title, _ in rare[1:4]] + rare[4:]
first, second, named = (scores(*pair)[1] for pair in ((rare, "crane"), (common, "crane"), (common, "title: crane")))
print(f"crane, weight of the body 0, in no body: {first:.3f}, in half of the bodies: {second:.3f}")
print(f"title: crane, weight of the body 0, in half of the bodies: {named:.3f}")
sys.exit(0 if lengths[2] < lengths[1] / 4 and second < first / 1_000 and abs(named - first) < 1e-6 else 1)
PYTHON
"$work/env/bin/python" "$work/weights.py"
