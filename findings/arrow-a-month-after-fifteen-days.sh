#!/usr/bin/env bash
# arrow 1.4.0 beside pendulum 3.3.0 and humanize 4.17.0, Python 3.11; the present is Wednesday, 18 November 2026, 12:00.
#
# `humanize()` of arrow says "in 2 weeks" for 14 days and "in a month" for 15: between two weeks and two years it counts the
# months of the calendar and rounds halves up. There are never three weeks. 45 days are "in 2 months", and two days less than
# two years are "in a year". humanize says "a month" from 16 days to 45. So two deadlines that are four weeks apart read alike,
# and one that is two weeks away reads far. pendulum counts weeks.
#
# Output (arrow, pendulum, humanize):
#   13 days: in a week | 2 weeks | 13 days
#   14 days: in 2 weeks | 2 weeks | 14 days
#   15 days: in a month | 2 weeks | 15 days
#   16 days: in a month | 2 weeks | a month
#   21 days: in a month | 3 weeks | a month
#   44 days: in a month | 1 month | a month
#   45 days: in 2 months | 1 month | a month
#   720 days: in a year | 2 years | 2 years
#
# Most would guess that weeks are counted up to the fourth, because arrow has a plural for them, and that fifteen days are no
# month.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile arrow==1.4.0 pendulum==3.3.0 humanize==4.17.0
cat > "$work/spans.py" <<'PYTHON'
import sys
from datetime import datetime, timedelta

import arrow
import humanize
import pendulum

now = datetime(2026, 11, 18, 12)
found = {}
for days in (13, 14, 15, 16, 21, 44, 45, 720):
    then = now + timedelta(days=days)
    found[days] = " | ".join([
        arrow.get(then).humanize(arrow.get(now)),
        pendulum.instance(then).diff_for_humans(pendulum.instance(now), absolute=True),
        humanize.naturaldelta(then - now),
    ])
    print(f"{days} days: {found[days]}")
sys.exit(0 if list(found.values()) == [
    "in a week | 2 weeks | 13 days", "in 2 weeks | 2 weeks | 14 days", "in a month | 2 weeks | 15 days",
    "in a month | 2 weeks | a month", "in a month | 3 weeks | a month", "in a month | 1 month | a month", "in 2 months | 1 month | a month",
    "in a year | 2 years | 2 years",
] else 1)
PYTHON
"$work/env/bin/python" "$work/spans.py"
