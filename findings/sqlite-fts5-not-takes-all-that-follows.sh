#!/usr/bin/env bash
# SQLite 3.51.1 with FTS5 (pysqlite3-binary 0.5.4.post2), Python 3.11.
#
# Words side by side mean AND in FTS5, but this AND that is not written binds more tightly than NOT, and the written one does
# not. So "crane NOT broken gate" leaves out only what has both "broken" and "gate", and does not ask for a gate: it finds the
# broken crane that was to be left out. With the word AND before "gate" it finds the crane at the gate, and nothing else.
# In the same way "gate NOT crane OR broken" finds every text with "broken", also those with a crane.
#
# Output:
#   crane NOT broken gate: crane gate | crane broken | crane
#   crane NOT broken AND gate: crane gate
#   gate crane NOT broken: crane gate
#   gate NOT crane OR broken: crane broken | crane broken gate | gate | broken gate
#
# Most would guess that NOT takes one word, and that a word behind it is asked for, as it is before it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pysqlite3-binary==0.5.4.post2
cat > "$work/not.py" <<'PYTHON'
import sys

import pysqlite3

database = pysqlite3.connect(":memory:")
database.execute("CREATE VIRTUAL TABLE messages USING fts5(text)")
for text in ["crane gate", "crane broken", "crane broken gate", "crane", "gate", "broken gate"]:
    database.execute("INSERT INTO messages VALUES (?)", (text,))
expected = {
    "crane NOT broken gate": ["crane gate", "crane broken", "crane"],
    "crane NOT broken AND gate": ["crane gate"],
    "gate crane NOT broken": ["crane gate"],
    "gate NOT crane OR broken": ["crane broken", "crane broken gate", "gate", "broken gate"],
}
seen = {}
for query in expected:
    rows = database.execute("SELECT text FROM messages WHERE messages MATCH ? ORDER BY rowid", (query,))
    seen[query] = [text for (text,) in rows]
    print(f"{query}: {' | '.join(seen[query])}")
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" "$work/not.py"
