#!/usr/bin/env bash
# timefhuman 0.1.5 and parsedatetime 2.6 (which recurrent 0.4.1 uses), Python 3.11; the present is Wednesday, 18 November 2026,
# 15:07.
#
# Words that the readers of dates do not know are passed over, and the rest is read as if they were not there. So "the day after
# tomorrow" is tomorrow, and half an hour is an hour. A deadline comes a day early, a reminder half an hour late, without an error.
# The two have nothing in common but this: one has a grammar, the other regular expressions.
#
# Output (timefhuman, parsedatetime):
#   day after tomorrow: 2026-11-19, 2026-11-19
#   the day before yesterday: 2026-11-17, 2026-11-17
#   in half an hour: 16:07, 16:07
#   in an hour and a half: 16:07, 16:07
#   friday 9-11: 2026-09-11, 2027-09-11
#   in 90 minutes: 16:37, 16:37
#
# Most would guess 20 and 16 November, 15:37 and 16:37, and a time on Friday: the phrases are everyday English, and each
# library is made for such.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check timefhuman==0.1.5 parsedatetime==2.6
cat > "$work/phrases.py" <<'PYTHON'
import datetime
import sys

import parsedatetime
from timefhuman import tfhConfig, timefhuman

present = datetime.datetime(2026, 11, 18, 15, 7)
calendar = parsedatetime.Calendar()
expected = {
    "day after tomorrow": ("2026-11-19", "2026-11-19"),
    "the day before yesterday": ("2026-11-17", "2026-11-17"),
    "in half an hour": ("16:07", "16:07"),
    "in an hour and a half": ("16:07", "16:07"),
    "friday 9-11": ("2026-09-11", "2027-09-11"),
    "in 90 minutes": ("16:37", "16:37"),
}
seen = {}
for phrase in expected:
    form = "%H:%M" if phrase.startswith("in ") else "%Y-%m-%d"
    found = (timefhuman(phrase, tfhConfig(now=present))[0], calendar.parseDT(phrase, sourceTime=present)[0])
    seen[phrase] = tuple(moment.strftime(form) for moment in found)
    print(f"{phrase}: {', '.join(seen[phrase])}")
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/phrases.py"
