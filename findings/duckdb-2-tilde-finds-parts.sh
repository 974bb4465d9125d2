#!/usr/bin/env bash
# duckdb 2.0.1 beside duckdb 1.5.5, Python 3.11.
#
# The operator `~` compares a text with a regular expression. Until 1.5.5 the whole text had to fit, unlike PostgreSQL; in 2.0.1 a
# part is enough. So a statement that stayed the same finds more: a filter for the room "quay" lets "quay-private" in, a list of words
# to leave out with `!~` leaves out more messages, and a test for a number takes "gate 4". A program that wrote `.*crane.*` finds
# the same in both. SIMILAR TO still wants the whole text. No warning.
#
# Output (rooms or texts that are found):
#   1.5.5: ~ 'quay': quay | !~ 'quay': quay-private, board | ~ '[0-9]+': 4711
#   2.0.1: ~ 'quay': quay, quay-private | !~ 'quay': board | ~ '[0-9]+': gate 4, 4711
#
# Most would guess that an operator for text means the same after an update.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cat > "$work/rooms.py" <<'PYTHON'
import duckdb

database = duckdb.connect()
database.execute("CREATE TABLE rooms (number INTEGER, name VARCHAR)")
database.execute("INSERT INTO rooms VALUES (1, 'quay'), (2, 'quay-private'), (3, 'board')")
database.execute("CREATE TABLE messages (number INTEGER, name VARCHAR)")
database.execute("INSERT INTO messages VALUES (1, 'gate 4'), (2, '4711')")


def names(table, condition):
    rows = database.execute(f"SELECT name FROM {table} WHERE name {condition} ORDER BY number").fetchall()
    return ", ".join(row[0] for row in rows)


print(f"{duckdb.__version__}: " + " | ".join(
    f"{condition}: {names(table, condition)}"
    for table, condition in [("rooms", "~ 'quay'"), ("rooms", "!~ 'quay'"), ("messages", "~ '[0-9]+'")]))
for condition in ["SIMILAR TO 'quay'", "~ '.*quay.*'"]:
    assert names("rooms", condition) == {"S": "quay", "~": "quay, quay-private"}[condition[0]], condition
PYTHON
for package in duckdb==1.5.5 duckdb==2.0.1; do
    python3 -m venv "$work/$package"
    "$work/$package/bin/pip" install --quiet --disable-pip-version-check --no-compile "$package"
    "$work/$package/bin/python" -W ignore "$work/rooms.py"
done | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
1.5.5: ~ 'quay': quay | !~ 'quay': quay-private, board | ~ '[0-9]+': 4711
2.0.1: ~ 'quay': quay, quay-private | !~ 'quay': board | ~ '[0-9]+': gate 4, 4711
SEEN
