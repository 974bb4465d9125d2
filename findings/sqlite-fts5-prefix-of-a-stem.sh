#!/usr/bin/env bash
# SQLite 3.51.1 with FTS5 (pysqlite3-binary 0.5.4.post2), Python 3.11.
#
# A table with `tokenize='porter unicode61'` keeps stems. The word of a prefix query is stemmed, too, and then looked for
# among the stems. So in a search that asks while somebody types, a message is found, lost and found again: a prefix that
# is longer than the stem, and that the stemmer does not know as an ending, begins no stem.
#
# Output (the prefixes of four letters and more that do not find the word):
#   universities: universi universit universitie
#   organisation: organisa organisat organisati organisatio
#   happening: happeni happenin
#   running: runn runni runnin
#
# Most would guess that each prefix of a word finds the word, or none that is longer than its stem.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pysqlite3-binary==0.5.4.post2
cat > "$work/prefixes.py" <<'PYTHON'
import sys

import pysqlite3

database = pysqlite3.connect(":memory:")
database.execute("CREATE VIRTUAL TABLE messages USING fts5(body, tokenize='porter unicode61')")
words = ["universities", "organisation", "happening", "running"]
database.executemany("INSERT INTO messages VALUES (?)", [(word,) for word in words])


def finds(prefix, word):
    rows = database.execute("SELECT body FROM messages WHERE messages MATCH ?", [prefix + "*"])
    return word in [body for (body,) in rows]


lost = {word: [word[:n] for n in range(4, len(word)) if not finds(word[:n], word)] for word in words}
for word, prefixes in lost.items():
    print(f"{word}:", *prefixes)
whole = all(finds(word, word) for word in words)
sys.exit(0 if whole and all(lost.values()) and finds("universiti", "universities") else 1)
PYTHON
"$work/env/bin/python" "$work/prefixes.py"
