#!/usr/bin/env bash
# surrealdb 2.0.0 (its database in memory), Python 3.11.
#
# `time::floor(moment, 1w)` counts weeks from 1 January 1970, a Thursday. So messages that are grouped by week are cut in the middle of
# the week: Wednesday belongs to the week of the Thursday before, while `time::week` of the same database counts from Monday. And a moment
# that was stored as text, as JSON has it, is before each moment: `sent < …` finds it whatever the day is, `sent > …` never. A text "4" is
# more than each number in the same way. So the latest message counts as old. Nothing is raised.
#
# Output:
#   Wednesday 18 November 2026: floor 12 November, a Thursday, week 47
#   Thursday 19 November 2026: floor 19 November, a Thursday, week 47
#   Sunday 22 November 2026: floor 19 November, a Thursday, week 47
#   sent < d'2020-01-01T00:00:00Z': the text of 2026
#   sent > d'2020-01-01T00:00:00Z': the moment of 2026
#   number > 1000: the text 4
#
# Most would guess that weeks begin on Mondays or Sundays, and that a text and a moment are compared as moments, or not at all.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile surrealdb==2.0.0
cat > "$work/weeks.py" <<'PYTHON'
from datetime import date

from surrealdb import Surreal

database = Surreal("mem://")
database.use("harbour", "harbour")
for day in [18, 19, 22]:
    moment = f"d'2026-11-{day}T10:30:00Z'"
    floor, week = database.query(f"RETURN time::floor({moment}, 1w)"), database.query(f"RETURN time::week({moment})")
    print(f"{date(2026, 11, day):%A %-d %B %Y}: floor {floor:%-d %B, a %A}, week {week}")
database.query("CREATE message SET sent = '2026-11-18T10:00:00Z', number = '4', name = 'the text'")
database.query("CREATE message SET sent = d'2026-11-18T10:00:00Z', number = 4, name = 'the moment'")
for condition in ["sent < d'2020-01-01T00:00:00Z'", "sent > d'2020-01-01T00:00:00Z'", "number > 1000"]:
    names = database.query(f"SELECT VALUE name FROM message WHERE {condition}")
    print(f"{condition}: {' '.join(names)} {'4' if 'number' in condition else 'of 2026'}")
PYTHON
"$work/env/bin/python" -W ignore "$work/weeks.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
Wednesday 18 November 2026: floor 12 November, a Thursday, week 47
Thursday 19 November 2026: floor 19 November, a Thursday, week 47
Sunday 22 November 2026: floor 19 November, a Thursday, week 47
sent < d'2020-01-01T00:00:00Z': the text of 2026
sent > d'2020-01-01T00:00:00Z': the moment of 2026
number > 1000: the text 4
SEEN
