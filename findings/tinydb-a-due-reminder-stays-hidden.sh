#!/usr/bin/env bash
# tinydb 4.9.0, Python 3.11.
#
# A bot keeps reminders in TinyDB and asks again and again for those that are due, with its own function:
# `search(Query().due.test(is_past))`. TinyDB remembers answers of a table's queries until something is written, and a query with a
# function is among them: it is the same query each time, whatever the function would say now. So a reminder that was not due at the first
# question is never due as long as nobody writes. `count` of the same query gives the old answer, too. A lambda in the loop is a new
# function each time, and is called. No error.
#
# Output (a reminder for 12:00):
#   11:59 search: 0, count: 0, lambda: 0
#   12:01 search: 0, count: 0, lambda: 1
#   12:02 search: 0, count: 0, lambda: 1
#   12:02 after a write of something else: 1
#
# Most would guess that a function in a query is called when the query is asked.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile tinydb==4.9.0
cat > "$work/reminders.py" <<'PYTHON'
import sys

from tinydb import Query, TinyDB

clock = "11:59"


def is_past(due):
    return due <= clock


reminders = TinyDB(sys.argv[1])
reminders.insert({"due": "12:00", "text": "gate 4"})
for clock in ("11:59", "12:01", "12:02"):
    found = reminders.search(Query().due.test(is_past))
    counted = reminders.count(Query().due.test(is_past))
    fresh = reminders.search(Query().due.test(lambda due: due <= clock))
    print(f"{clock} search: {len(found)}, count: {counted}, lambda: {len(fresh)}")
reminders.insert({"due": "13:00", "text": "crane"})
print(f"{clock} after a write of something else:", len(reminders.search(Query().due.test(is_past))))
PYTHON
"$work/env/bin/python" -W ignore "$work/reminders.py" "$work/reminders.json" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
11:59 search: 0, count: 0, lambda: 0
12:01 search: 0, count: 0, lambda: 1
12:02 search: 0, count: 0, lambda: 1
12:02 after a write of something else: 1
SEEN
