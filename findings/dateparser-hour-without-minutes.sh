#!/usr/bin/env bash
# dateparser 1.5.0, Python 3.11; the present is Wednesday, 18 November 2026, 15:07.
#
# An hour without minutes is passed over after a day that is counted from today, and the time of the present is put in its
# place: "tomorrow at 10" is tomorrow at 15:07, "gestern 18 Uhr" yesterday at 15:07. After the name of a day the number
# becomes a day of the month: "monday at 10" is a day of October. Minutes, am or pm, or the French h mend it. No error.
#
# Output:
#   tomorrow at 10: 2026-11-19 15:07
#   tomorrow at 10:00: 2026-11-19 10:00
#   yesterday at 6: 2026-11-17 15:07
#   yesterday at 6pm: 2026-11-17 18:00
#   gestern 18 Uhr: 2026-11-17 15:07
#   hier à 18h: 2026-11-17 18:00
#   ayer a las 18: 2026-11-17 15:07
#   monday at 10: 2026-10-18 00:00
#   monday at 10am: 2026-11-16 10:00
#
# Most would guess that a number behind "at" or before "Uhr" is an hour, or that such a text is refused.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check dateparser==1.5.0
cat > "$work/hours.py" <<'PYTHON'
import sys
from datetime import datetime

import dateparser

present = datetime(2026, 11, 18, 15, 7)
expected = {
    "tomorrow at 10": "2026-11-19 15:07", "tomorrow at 10:00": "2026-11-19 10:00",
    "yesterday at 6": "2026-11-17 15:07", "yesterday at 6pm": "2026-11-17 18:00",
    "gestern 18 Uhr": "2026-11-17 15:07", "hier à 18h": "2026-11-17 18:00", "ayer a las 18": "2026-11-17 15:07",
    "monday at 10": "2026-10-18 00:00", "monday at 10am": "2026-11-16 10:00",
}
seen = {}
for text in expected:
    date = dateparser.parse(text, settings={"RELATIVE_BASE": present})
    seen[text] = date.strftime("%Y-%m-%d %H:%M") if date else "nothing"
    print(f"{text}: {seen[text]}")
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/hours.py"
