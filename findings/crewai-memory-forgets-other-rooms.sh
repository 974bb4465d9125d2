#!/usr/bin/env bash
# crewai 1.15.30 with lancedb 0.40.0, Python 3.11.
#
# The memory of crewAI is a tree of scopes, such as /room/1. Forgetting a scope deletes more. Everything goes whose path begins with
# the same letters, so /room/10 goes with /room/1. All that is stored at the root, "/", goes with any scope, even with one that
# holds nothing. A scope with an age (`older_than`) goes whole, whatever its age, because AND binds tighter than OR; the age counts
# only for the root. `delete` gives the number of rows, and raises nothing. A list of the scope has its neighbour's texts as well.
#
# Output (what is gone):
#   forget /room/1: /room/1 new, /room/1 old, /room/10 new, / new, / old
#   forget /room/1 before November: /room/1 new, /room/1 old, /room/10 new, / old
#   forget /room/3: / new, / old
#   list /room/1: /room/1 new, /room/1 old, /room/10 new
#
# Most would guess that a path ends at a slash, and that two conditions are both met.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile crewai==1.15.30
cat > "$work/forget.py" <<'PYTHON'
import datetime
import sys
import tempfile

from crewai.memory.storage.lancedb_storage import LanceDBStorage
from crewai.memory.types import MemoryRecord

records = [("/room/1", "new"), ("/room/1", "old"), ("/room/10", "new"), ("/room/2", "new"), ("/", "new"), ("/", "old")]
months = {"new": 11, "old": 6}


def stored():
    storage = LanceDBStorage(path=tempfile.mkdtemp(dir=sys.argv[1]), vector_dim=2)
    storage.save([MemoryRecord(
        content=f"{scope} {age}", scope=scope, embedding=[1.0, 0.0], created_at=datetime.datetime(2026, months[age], 28))
        for scope, age in records])
    return storage


def texts(storage, scope=None):
    found = {record.content for record in storage.list_records(scope)}
    return [f"{scope} {age}" for scope, age in records if f"{scope} {age}" in found]


seen = []
for name, conditions in [
        ("/room/1", {"scope_prefix": "/room/1"}),
        ("/room/1 before November", {"scope_prefix": "/room/1", "older_than": datetime.datetime(2026, 11, 1)}),
        ("/room/3", {"scope_prefix": "/room/3"})]:
    storage = stored()
    before = texts(storage)
    storage.delete(**conditions)
    left = texts(storage)
    seen.append([text for text in before if text not in left])
    print(f"forget {name}: {', '.join(seen[-1])}")
seen.append(texts(stored(), "/room/1"))
print(f"list /room/1: {', '.join(seen[-1])}")
sys.exit(0 if seen == [
    ["/room/1 new", "/room/1 old", "/room/10 new", "/ new", "/ old"],
    ["/room/1 new", "/room/1 old", "/room/10 new", "/ old"], ["/ new", "/ old"],
    ["/room/1 new", "/room/1 old", "/room/10 new"]] else 1)
PYTHON
CREWAI_DISABLE_TELEMETRY=true OTEL_SDK_DISABLED=true "$work/env/bin/python" -W ignore "$work/forget.py" "$work"
