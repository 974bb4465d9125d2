#!/usr/bin/env bash
# icalendar 7.3.2, icalevents 0.3.1, vobject 0.9.9, ics 0.7.3 and ical 14.3.1, Python 3.11.
#
# Three calendars have a turn at 15:00 of their own zone, and each file says what that is, UTC+1, UTC+9 and UTC-5, always
# under the name "Customized Time Zone", as programs do that give each zone which somebody made one name. icalendar, icalevents, which
# uses it, and vobject keep the first zone of a name for the whole process: the second and third file are read with the zone
# of the first. Alone, each file is right, so the hour depends on the file that was read before. ics and ical give UTC for this zone of a
# fixed distance, whatever the file says. No error.
#
# Output (15:00 in UTC: one process for the three | a process for each):
#   icalendar: 14:00 14:00 14:00 | 14:00 06:00 20:00
#   icalevents: 14:00 14:00 14:00 | 14:00 06:00 20:00
#   vobject: 14:00 14:00 14:00 | 14:00 06:00 20:00
#   ics: 15:00 15:00 15:00 | 15:00 15:00 15:00
#   ical: 15:00 15:00 15:00 | 15:00 15:00 15:00
#
# Most would guess that a zone which a file defines holds for this file.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile icalendar==7.3.2 icalevents==0.3.1 vobject==0.9.9 ics==0.7.3 \
    ical==14.3.1
cat > "$work/zones.py" <<'PYTHON'
import sys
from datetime import UTC, datetime

name, offsets = sys.argv[1], sys.argv[2:]


def read(text):
    if name == "icalendar":
        from icalendar import Calendar
        return Calendar.from_ical(text).walk("VEVENT")[0]["dtstart"].dt
    if name == "vobject":
        import vobject
        return vobject.readOne(text).vevent.dtstart.value
    if name == "ics":
        from ics import Calendar
        return next(iter(Calendar(text).events)).begin.datetime
    if name == "ical":
        from ical.calendar_stream import IcsCalendarStream
        return IcsCalendarStream.calendar_from_ics(text).events[0].dtstart
    from icalevents.icalevents import events
    return events(string_content=text, start=datetime(2026, 11, 1), end=datetime(2026, 12, 1))[0].start


for offset in offsets:
    start = read(f"""BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//harbour//EN
BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:{offset}
TZOFFSETTO:{offset}
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:turn
DTSTAMP:20261101T000000Z
SUMMARY:turn
DTSTART;TZID=Customized Time Zone:20261118T150000
DTEND;TZID=Customized Time Zone:20261118T160000
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n"))
    print(start.astimezone(UTC).strftime("%H:%M"))
PYTHON
for library in icalendar icalevents vobject ics ical; do
    together="$("$work/env/bin/python" -W ignore "$work/zones.py" "$library" +0100 +0900 -0500)"
    alone="$(for offset in +0100 +0900 -0500; do "$work/env/bin/python" -W ignore "$work/zones.py" "$library" "$offset"; done)"
    echo "$library: ${together//$'\n'/ } | ${alone//$'\n'/ }"
done | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
icalendar: 14:00 14:00 14:00 | 14:00 06:00 20:00
icalevents: 14:00 14:00 14:00 | 14:00 06:00 20:00
vobject: 14:00 14:00 14:00 | 14:00 06:00 20:00
ics: 15:00 15:00 15:00 | 15:00 15:00 15:00
ical: 15:00 15:00 15:00 | 15:00 15:00 15:00
SEEN
