#!/usr/bin/env bash
# ibis-framework 12.0.0 with duckdb 2.0.1, polars 2.1.0 and the SQLite of Python 3.11, pandas 3.1.1.
#
# An expression of ibis can be run on many databases. The same messages are stored in three, and the same expressions answer differently.
# `replace` changes each "e" in SQLite and DuckDB, only the first in Polars. `nunique` counts a missing room as a room in Polars. The rest of
# -7 by 3 is 2 in Polars, -1 elsewhere. `cast("int64")` of 1.5 is 2 in DuckDB, 1 elsewhere, `round()` of 0.5 is 0 in Polars, 1 elsewhere,
# and `greatest` of a number and a missing one is missing in SQLite. Nothing is raised.
#
# Output:
#   text.replace("e", "E"):
#     sqlite: gatE opEn, cranE, bErth frEE
#     duckdb: gatE opEn, cranE, bErth frEE
#     polars: gatE open, cranE, bErth free
#   room.nunique():
#     sqlite: 2
#     duckdb: 2
#     polars: 3
#   change % 3:
#     sqlite: 2, -1, 2
#     duckdb: 2, -1, 2
#     polars: 2, 2, 2
#   tons.cast("int64"):
#     sqlite: 0, 1, none
#     duckdb: 0, 2, none
#     polars: 0, 1, none
#   tons.round():
#     sqlite: 1, 2, none
#     duckdb: 1, 2, none
#     polars: 0, 2, none
#   greatest(number, tons):
#     sqlite: 1, 2, none
#     duckdb: 1, 2, 3
#     polars: 1, 2, 3
#
# Most would guess that a layer above databases hides such differences, or refuses.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile "ibis-framework[duckdb,polars,sqlite]==12.0.0" duckdb==2.0.1 \
    polars==2.1.0 pandas==3.1.1
cat > "$work/answers.py" <<'PYTHON'
import ibis
import pandas

messages = pandas.DataFrame({"number": [1, 2, 3], "room": ["pier", "quay", None], "change": [5, -7, 8], "tons": [0.5, 1.5, None],
                             "text": ["gate open", "crane", "berth free"]})
EXPRESSIONS = {
    'text.replace("e", "E")': lambda table: table.text.replace("e", "E"),
    "room.nunique()": lambda table: table.room.nunique(),
    "change % 3": lambda table: table.change % 3,
    'tons.cast("int64")': lambda table: table.tons.cast("int64"),
    "tons.round()": lambda table: table.tons.round(),
    "greatest(number, tons)": lambda table: ibis.greatest(table.number, table.tons),
}
tables = {}
for name in ("sqlite", "duckdb", "polars"):
    connection = getattr(ibis, name).connect()
    connection.create_table("messages", messages if name == "polars" else ibis.memtable(messages))
    tables[name] = connection.table("messages").order_by("number")
for shown, expression in EXPRESSIONS.items():
    print(f"{shown}:")
    for name, table in tables.items():
        answer = expression(table).execute()
        values = answer.tolist() if hasattr(answer, "tolist") else answer
        values = values if isinstance(values, list) else [values]
        values = ["none" if pandas.isna(value) else value if isinstance(value, str) else f"{value:g}" for value in values]
        print(f"  {name}:", ", ".join(values))
PYTHON
"$work/env/bin/python" -W ignore "$work/answers.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
text.replace("e", "E"):
  sqlite: gatE opEn, cranE, bErth frEE
  duckdb: gatE opEn, cranE, bErth frEE
  polars: gatE open, cranE, bErth free
room.nunique():
  sqlite: 2
  duckdb: 2
  polars: 3
change % 3:
  sqlite: 2, -1, 2
  duckdb: 2, -1, 2
  polars: 2, 2, 2
tons.cast("int64"):
  sqlite: 0, 1, none
  duckdb: 0, 2, none
  polars: 0, 1, none
tons.round():
  sqlite: 1, 2, none
  duckdb: 1, 2, none
  polars: 0, 2, none
greatest(number, tons):
  sqlite: 1, 2, none
  duckdb: 1, 2, 3
  polars: 1, 2, 3
SEEN
