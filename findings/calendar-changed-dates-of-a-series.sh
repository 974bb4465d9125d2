#!/usr/bin/env bash
# recurring-ical-events 3.8.2 (icalendar 7.3.2), icalevents 0.3.1 and ical 14.3.1, Python 3.11.
#
# A meeting comes each Tuesday of November. Calendar programs write changes of single dates beside the rule, and three libraries
# list the month from the same valid file in different ways. icalevents leaves out an added date (RDATE), and shows a meeting that
# was moved to December at its old place, too. ical drops the first date of a series that has only added dates, and if
# the moved date is named in UTC, it shows both places. Both take "this and all that follow" for one date. recurring-ical-events
# is right in all of these. All three list a cancelled date like the others.
#
# Output (days of November, with the hour if it is not ten; recurring-ical-events, icalevents, ical):
#   no change: 3 10 17 24 | 3 10 17 24 | 3 10 17 24
#   12 Nov added: 3 10 12 17 24 | 3 10 17 24 | 3 10 12 17 24
#   added, no rule: 3 12 | 3 | 12
#   10 to 11 Nov: 3 11 17 24 | 3 11 17 24 | 3 11 17 24
#   the same in UTC: 3 11 17 24 | 3 11 17 24 | 3 10 11 17 24
#   10 Nov to 8 Dec: 3 17 24 | 3 10 17 24 | 3 17 24
#   from 10 Nov at 12: 3 10@12 17@12 24@12 | 3 10@12 17 24 | 3 10@12 17 24
#   10 Nov cancelled: 3 10 17 24 | 3 10 17 24 | 3 10 17 24
#
# Most would guess that three established readers agree on the days of a weekly meeting, once it has a rule that all three know.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    recurring-ical-events==3.8.2 icalendar==7.3.2 icalevents==0.3.1 ical==14.3.1
cat > "$work/meetings.py" <<'PYTHON'
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from ical.calendar_stream import IcsCalendarStream
from icalevents.icalevents import events

BERLIN = ZoneInfo("Europe/Berlin")
START, END = datetime(2026, 11, 1, tzinfo=BERLIN), datetime(2026, 12, 1, tzinfo=BERLIN)
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
RULE = "RRULE:FREQ=WEEKLY;COUNT=4"


def local(name, time): return f"{name};TZID=Europe/Berlin:2026{time}00"


def event(start, *lines):
    return "\n".join(["BEGIN:VEVENT", "UID:meeting@example.org", "DTSTAMP:20261001T000000Z", "SUMMARY:Meeting",
                      local("DTSTART", start), "DURATION:PT1H", *lines, "END:VEVENT"])


TENTH = local("RECURRENCE-ID", "1110T1000")
CALENDARS = {
    "no change": [event("1103T1000", RULE)],
    "12 Nov added": [event("1103T1000", RULE, local("RDATE", "1112T1000"))],
    "added, no rule": [event("1103T1000", local("RDATE", "1112T1000"))],
    "10 to 11 Nov": [event("1103T1000", RULE), event("1111T1000", TENTH)],
    "the same in UTC": [event("1103T1000", RULE), event("1111T1000", "RECURRENCE-ID:20261110T090000Z")],
    "10 Nov to 8 Dec": [event("1103T1000", RULE), event("1208T1000", TENTH)],
    "from 10 Nov at 12": [event("1103T1000", RULE),
                          event("1110T1200", TENTH.replace(";", ";RANGE=THISANDFUTURE;", 1))],
    "10 Nov cancelled": [event("1103T1000", RULE), event("1110T1000", TENTH, "STATUS:CANCELLED")],
}


def of_recurring(text):
    return [found["DTSTART"].dt for found in recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(START, END)]


def of_icalevents(text):
    return [found.start for found in events(string_content=text.encode(), start=START, end=END)]


def of_ical(text):
    return [found.dtstart for found in IcsCalendarStream.calendar_from_ics(text).timeline_tz(BERLIN).overlapping(START, END)]


seen = {}
for name, parts in CALENDARS.items():
    text = "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Port//EN", ZONE, *parts, "END:VCALENDAR", ""])
    answers = []
    for read in (of_recurring, of_icalevents, of_ical):
        times = sorted(time.astimezone(BERLIN) for time in read(text.replace("\n", "\r\n")))
        answers.append(" ".join(str(time.day) + ("" if time.hour == 10 else f"@{time.hour}") for time in times))
    seen[name] = answers
    print(f"{name}: {' | '.join(answers)}")
WEEKLY, MOVED = "3 10 17 24", "3 11 17 24"
sys.exit(0 if seen == {
    "no change": [WEEKLY] * 3,
    "12 Nov added": ["3 10 12 17 24", WEEKLY, "3 10 12 17 24"],
    "added, no rule": ["3 12", "3", "12"],
    "10 to 11 Nov": [MOVED] * 3,
    "the same in UTC": [MOVED, MOVED, "3 10 11 17 24"],
    "10 Nov to 8 Dec": ["3 17 24", WEEKLY, "3 17 24"],
    "from 10 Nov at 12": ["3 10@12 17@12 24@12", "3 10@12 17 24", "3 10@12 17 24"],
    "10 Nov cancelled": [WEEKLY] * 3,
} else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/meetings.py"
