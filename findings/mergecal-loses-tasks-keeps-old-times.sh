#!/usr/bin/env bash
# mergecal 0.5.0 with icalendar 7.3.2, Python 3.11.
#
# Two valid calendars are merged. A turn is in both, and the second has its correction: SEQUENCE 1, an hour later. By RFC 5545 the higher
# number takes the place of the lower; the merged calendar has both, so the turn is there twice. The task (VTODO) of a calendar is gone. And
# the zone of the second calendar, which has the name of one in the first and another offset, is dropped, so that a visit at 15:00 of
# UTC+9 becomes 15:00 of UTC+1; in the other order the first calendar's inspection moves.
#
# Output:
#   first, second: inspection 09:00Z, turn 14:00Z, turn 15:00Z, visit 14:00Z, tasks: none
#   second, first: inspection 01:00Z, turn 14:00Z, turn 15:00Z, visit 06:00Z, tasks: none
#
# Most would guess that a merged calendar has all that its parts have, the newest version of each, and each at its time.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mergecal==0.5.0 icalendar==7.3.2
cat > "$work/merge.py" <<'PYTHON'
import sys
from datetime import timezone

from icalendar import Calendar
from mergecal import merge_calendars


def zone(offset):
    return f"""BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:{offset}
TZOFFSETTO:{offset}
END:STANDARD
END:VTIMEZONE
"""


def calendar(body):
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//harbour//EN\n{body}END:VCALENDAR\n".replace("\n", "\r\n")


first = calendar(zone("+0100") + """BEGIN:VEVENT
UID:turn
DTSTAMP:20261101T100000Z
SEQUENCE:0
DTSTART:20261118T140000Z
SUMMARY:turn
END:VEVENT
BEGIN:VEVENT
UID:inspection
DTSTAMP:20261101T100000Z
DTSTART;TZID=Customized Time Zone:20261119T100000
SUMMARY:inspection
END:VEVENT
BEGIN:VTODO
UID:task
DTSTAMP:20261101T100000Z
DUE:20261120T100000Z
SUMMARY:order paint
END:VTODO
""")
second = calendar(zone("+0900") + """BEGIN:VEVENT
UID:turn
DTSTAMP:20261102T100000Z
SEQUENCE:1
DTSTART:20261118T150000Z
SUMMARY:turn
END:VEVENT
BEGIN:VEVENT
UID:visit
DTSTAMP:20261102T100000Z
DTSTART;TZID=Customized Time Zone:20261118T150000
SUMMARY:visit
END:VEVENT
""")


def merged(*texts):
    calendars = [Calendar.from_ical(text) for text in texts]
    result = Calendar.from_ical(merge_calendars(calendars).to_ical())
    moments = sorted(f"{event['SUMMARY']} {event.start.astimezone(timezone.utc):%H:%MZ}" for event in result.events)
    tasks = ", ".join(str(task["SUMMARY"]) for task in result.todos) or "none"
    return f"{', '.join(moments)}, tasks: {tasks}"


# Each order is read by its own process, because icalendar keeps zones for a whole process.
texts = {"first": first, "second": second}
print(merged(*(texts[name] for name in sys.argv[1:])))
PYTHON
expected='first, second: inspection 09:00Z, turn 14:00Z, turn 15:00Z, visit 14:00Z, tasks: none
second, first: inspection 01:00Z, turn 14:00Z, turn 15:00Z, visit 06:00Z, tasks: none'
seen="first, second: $("$work/env/bin/python" "$work/merge.py" first second)
second, first: $("$work/env/bin/python" "$work/merge.py" second first)"
echo "$seen"
[ "$seen" = "$expected" ]
