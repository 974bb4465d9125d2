#!/usr/bin/env bash
# pytz 2026.6 and python-dateutil 2.9.0.post0 beside zoneinfo with tzdata 2026.6, Python 3.11.
#
# A turn comes each year on 1 July at noon in Berlin, summer time. Files of time zones list the changes of the clocks up to 2037 and then have
# a rule for all years after. zoneinfo uses the rule. pytz and dateutil, with the zones that they bring, know the list only: from 2038 on
# it is winter all year for them, and the same noon is an hour later. Nothing is raised. A contract or a series of turns that goes so far
# is an hour off, or moves when a program goes over from one library to another.
#
# Output (offset from UTC in hours: pytz, dateutil, zoneinfo):
#   Berlin, July 2037: 2 2 2
#   Berlin, July 2038: 1 1 2
#   New York, July 2040: -5 -5 -4
#
# Most would guess that three readers of the same data of time zones agree, as long as no law is changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pytz==2026.6 python-dateutil==2.9.0.post0 \
    tzdata==2026.6
cat > "$work/years.py" <<'PYTHON'
import sys
from datetime import datetime
from zoneinfo import ZoneInfo, reset_tzpath

import pytz
from dateutil.zoneinfo import get_zonefile_instance

reset_tzpath(to=[])  # the zones of the package tzdata, not those of the machine
asked = [
    ("Europe/Berlin", 7, 2037, "2 2 2"), ("Europe/Berlin", 7, 2038, "1 1 2"), ("America/New_York", 7, 2040, "-5 -5 -4"),
]
right = True
for zone, month, year, expected in asked:
    noon = datetime(year, month, 1, 12)
    moments = [
        pytz.timezone(zone).localize(noon), noon.replace(tzinfo=get_zonefile_instance().get(zone)), noon.replace(tzinfo=ZoneInfo(zone)),
    ]
    hours = " ".join(f"{moment.utcoffset().total_seconds() / 3600:g}" for moment in moments)
    print(f"{zone.split('/')[1].replace('_', ' ')}, {noon:%B %Y}: {hours}")
    right = right and hours == expected
sys.exit(0 if right else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/years.py"
