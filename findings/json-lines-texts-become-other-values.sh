#!/usr/bin/env bash
# pandas 3.1.1 and duckdb 2.0.1 beside polars 2.1.0, Python 3.11.
#
# An export of a chat has a message in each line, as JSON, and all its values are texts in quotes: numbers of messages as Discord has
# them, times as Slack has them, an article's code. pandas makes numbers of texts that look like them. A message that answers none
# (null) makes the column a floating one, so that the number of the answered message loses its last digits and is that of no
# message; 007 is 7, and the time of Slack, which names a message there, has lost its zeros. DuckDB keeps these, but if all
# texts of a column are dates or times of day, as in a room where people post the day, they are dates, and a column that has
# a text in one line and a list in another is JSON, whose texts have quotes. polars keeps texts. Nothing is raised.
#
# Output (pandas, DuckDB, polars):
#   id 1174000000000000123: int 1174000000000000123 | str 1174000000000000123 | str 1174000000000000123
#   reply 1174000000000000123: float 1174000000000000000 | str 1174000000000000123 | str 1174000000000000123
#   ts 1699999999.000100: float 1699999999.0001 | str 1699999999.000100 | str 1699999999.000100
#   code 007: int 7 | str 007 | str 007
#   text 2026-11-29: str 2026-11-29 | date 2026-11-29 | str 2026-11-29
#   text 10:30: str 10:30 | time 10:30:00 | str 10:30
#   text gate, beside a list: str gate | str "gate" | str gate
#
# Most would guess that a text in quotes is a text, as JSON says, and that only CSV has to be guessed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pandas==3.1.1 duckdb==2.0.1 polars==2.1.0
cat > "$work/lines.py" <<'PYTHON'
import json
import sys

import duckdb
import pandas
import polars

file = sys.argv[1] + "/chat.json"


def by_pandas(field):
    return pandas.read_json(file, lines=True)[field].tolist()


def by_duckdb(field):
    return [row[0] for row in duckdb.sql(f"SELECT {field} FROM '{file}'").fetchall()]


def by_polars(field):
    return polars.read_ndjson(file)[field].to_list()


def shown(read, field, at):
    value = read(field)[at]
    kind = type(value).__name__.lower()
    # The number that a program makes of the column to find the message.
    value = int(value) if kind == "float" and field == "reply" else value
    return f"{kind} {value}"


number = "1174000000000000123"
cases = [
    ("id", 0, [number, "1174000000000000125"]), ("reply", 1, [None, number]),
    ("ts", 0, ["1699999999.000100", "1699999999.000109"]), ("code", 0, ["007", "010"]),
    ("text", 0, ["2026-11-29", "2026-11-30"]), ("text", 0, ["10:30", "11:15"]),
    ("text", 0, ["gate", ["see ", {"type": "link", "text": "x"}]])]
seen = []
for field, at, values in cases:
    with open(file, "w") as lines:
        for value in values:
            print(json.dumps({field: value}), file=lines)
    seen.append(" | ".join(shown(read, field, at) for read in (by_pandas, by_duckdb, by_polars)))
    print(f"{field} {values[at]}{', beside a list' if values[at] == 'gate' else ''}: {seen[-1]}")
text = f"str {number}"
sys.exit(0 if seen == [
    f"int {number} | {text} | {text}", f"float 1174000000000000000 | {text} | {text}",
    "float 1699999999.0001 | str 1699999999.000100 | str 1699999999.000100", "int 7 | str 007 | str 007",
    "str 2026-11-29 | date 2026-11-29 | str 2026-11-29", "str 10:30 | time 10:30:00 | str 10:30",
    'str gate | str "gate" | str gate'] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/lines.py" "$work"
