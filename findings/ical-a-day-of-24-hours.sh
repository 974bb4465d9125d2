#!/usr/bin/env bash
# recurring-ical-events 3.8.2 (icalendar 7.3.2), icalevents 0.3.1 and ics 0.7.3, Python 3.11.
#
# A calendar has two turns of duty from Saturday, 18:00, in the night when the clocks go back: one with DURATION:P1D, one with
# PT24H. By RFC 5545 a day ends at the same time of the clock, 18:00, and 24 hours end at 17:00. None of the three tells them
# apart: the first two take a day for 24 hours, ics takes 24 hours for a day. So a weekly turn that is given in days ends an
# hour early or late twice a year. An event at 02:30, which comes twice in that night, means the first by the RFC; the first two
# libraries take the second.
#
# Output (end of P1D, end of PT24H, offset of 02:30):
#   recurring-ical-events: Sun 17:00, Sun 17:00, +01:00
#   icalevents: Sun 17:00, Sun 17:00, +01:00
#   ics: Sun 18:00, Sun 18:00, +02:00
#
# Most would guess that a library of this format keeps days and hours apart, because the format has both for this night.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    recurring-ical-events==3.8.2 icalendar==7.3.2 icalevents==0.3.1 ics==0.7.3
cat > "$work/night.py" <<'PYTHON'
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import icalendar
import ics
import recurring_ical_events
from icalevents.icalevents import events

ZONE = """BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
DTSTART:19810329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
END:STANDARD
END:VTIMEZONE"""
START, END = datetime(2026, 10, 20, tzinfo=timezone.utc), datetime(2026, 10, 30, tzinfo=timezone.utc)


def calendar(start, duration):
    event = f"""BEGIN:VEVENT
UID:turn@example.org
DTSTAMP:20261001T000000Z
DTSTART;TZID=Europe/Berlin:{start}
DURATION:{duration}
SUMMARY:Turn
END:VEVENT"""
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Port//EN", *ZONE.split("\n"), *event.split("\n"),
                        "END:VCALENDAR", ""])


def of_recurring(text):
    (event,) = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(START, END)
    return event["DTSTART"].dt, event["DTEND"].dt


def of_icalevents(text):
    (event,) = events(string_content=text.encode(), start=START, end=END)
    return event.start, event.end


def of_ics(text):
    (event,) = ics.Calendar(text).events
    return event.begin.datetime, event.end.datetime


found = {}
for name, read in {"recurring-ical-events": of_recurring, "icalevents": of_icalevents, "ics": of_ics}.items():
    ends = [read(calendar("20261024T180000", duration))[1].astimezone(ZoneInfo("Europe/Berlin"))
            for duration in ("P1D", "PT24H")]
    start, _ = read(calendar("20261025T023000", "PT1H"))
    offset = start.strftime("%z")
    found[name] = [*(end.strftime("%a %H:%M") for end in ends), f"{offset[:3]}:{offset[3:]}"]
    print(f"{name}: {', '.join(found[name])}")
sys.exit(0 if found == {
    "recurring-ical-events": ["Sun 17:00", "Sun 17:00", "+01:00"],
    "icalevents": ["Sun 17:00", "Sun 17:00", "+01:00"],
    "ics": ["Sun 18:00", "Sun 18:00", "+02:00"],
} else 1)
PYTHON
"$work/env/bin/python" "$work/night.py"
