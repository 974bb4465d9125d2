#!/usr/bin/env bash
# sqlglot 30.30.0 with duckdb 2.0.1 and SQLite 3.51.1 (pysqlite3-binary 0.5.4.post2), Python 3.11.
#
# sqlglot puts a statement from the language of one database into that of another, here from DuckDB's into SQLite's, and is asked to raise
# what it cannot. Both databases run their statement, and answer differently. `date_diff` counts the borders between two moments in
# DuckDB; the translation divides the time by 30 or 365 days, or cuts it to whole days. So from 31 October to 1 November there is no month,
# six years are 73 months, and yesterday evening is today. LIKE stays LIKE, and finds "Crane" for "crane", which it does not in DuckDB.
# CAST rounds in DuckDB and cuts in SQLite: an average of 7.8 becomes 7. No error and no warning.
#
# Output (DuckDB | SQLite):
#   months, 31 October to 1 November: 1 | 0
#   months, 2020 to 2026: 72 | 73
#   years, 31 December to 1 January: 1 | 0
#   days, half past eleven at night to ten: 1 | 0
#   messages with crane: 2 | 1,2
#   average as a whole number: 8 | 7
#
# Most would guess that a translated statement that runs gives the same answer, or that the translator says where it may not.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile sqlglot==30.30.0 duckdb==2.0.1 pysqlite3-binary==0.5.4.post2
cat > "$work/translate.py" <<'PYTHON'
import duckdb
import sqlglot
from pysqlite3 import dbapi2 as sqlite

source, target = duckdb.connect(), sqlite.connect(":memory:")
for database in [source, target]:
    database.execute("CREATE TABLE messages (id INTEGER, body VARCHAR, days INTEGER)")
    database.execute("INSERT INTO messages VALUES (1, 'Crane free', 7), (2, 'crane broken', 8), (3, 'gate shut', 8), (4, '', 8), (5, '', 8)")


def answers(title, expression):
    statement = f"SELECT {expression}"
    translated, = sqlglot.transpile(statement, read="duckdb", write="sqlite", unsupported_level=sqlglot.ErrorLevel.RAISE)
    both = [",".join(str(row[0]) for row in database.execute(text).fetchall())
            for database, text in [(source, statement), (target, translated)]]
    print(f"{title}: {both[0]} | {both[1]}")


answers("months, 31 October to 1 November", "date_diff('month', DATE '2026-10-31', DATE '2026-11-01')")
answers("months, 2020 to 2026", "date_diff('month', DATE '2020-01-01', DATE '2026-01-01')")
answers("years, 31 December to 1 January", "date_diff('year', DATE '2026-12-31', DATE '2027-01-01')")
answers("days, half past eleven at night to ten", "date_diff('day', TIMESTAMP '2026-11-17 23:30:00', TIMESTAMP '2026-11-18 10:00:00')")
answers("messages with crane", "id FROM messages WHERE body LIKE '%crane%' ORDER BY id")
answers("average as a whole number", "CAST(avg(days) AS INTEGER) FROM messages")
PYTHON
"$work/env/bin/python" -W ignore "$work/translate.py" 2>&1 | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
months, 31 October to 1 November: 1 | 0
months, 2020 to 2026: 72 | 73
years, 31 December to 1 January: 1 | 0
days, half past eleven at night to ten: 1 | 0
messages with crane: 2 | 1,2
average as a whole number: 8 | 7
SEEN
