#!/usr/bin/env bash
# icalendar 7.3.2, ics 0.7.3 and ical 14.3.1, Python 3.11.
#
# A valid calendar has a turn whose text names a folder, D:\new, and that belongs to a category with a comma, "gates, north". In the file a
# backslash stands twice and a comma has one in front. ics undoes the signs one after the other, so that the second backslash and the
# n become a line break. ical cuts the category at its comma, and keeps the backslash, also in a file that it wrote itself. A file
# with each category on its own line, as RFC 5545 allows and ical writes, is an error for ics.
#
# Output:
#   icalendar: 'see D:\\new', ['cranes', 'gates, north']
#   ics: 'see D:\\\new', ['cranes', 'gates, north']
#   ical: 'see D:\\new', [' north', 'cranes', 'gates\\']
#   ical, written and read by itself: [' north', 'cranes', 'gates\\']
#   ics, two lines of categories: A VEVENT must have at most one CATEGORIES
#
# Most would guess that a text comes out of a file as it was written, above all with one library for both.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile icalendar==7.3.2 ics==0.7.3 ical==14.3.1
cat > "$work/signs.py" <<'PYTHON'
import sys
from datetime import date

import icalendar
import ics
from ical.calendar import Calendar
from ical.calendar_stream import IcsCalendarStream
from ical.event import Event

head = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//harbour//EN\nBEGIN:VEVENT\nUID:turn\nDTSTAMP:20261101T100000Z\nDTSTART:20261118T140000Z\n"
tail = "END:VEVENT\nEND:VCALENDAR\n"
file = (head + "SUMMARY:see D:\\\\new\nCATEGORIES:gates\\, north,cranes\n" + tail).replace("\n", "\r\n")
lines = (head + "SUMMARY:turn\nCATEGORIES:gates\nCATEGORIES:cranes\n" + tail).replace("\n", "\r\n")


def with_icalendar(text):
    event = icalendar.Calendar.from_ical(text).events[0]
    return str(event["SUMMARY"]), sorted(str(name) for name in event.categories)


def with_ics(text):
    event = next(iter(ics.Calendar(text).events))
    return event.name, sorted(event.categories)


def with_ical(text):
    event = IcsCalendarStream.calendar_from_ics(text).events[0]
    return event.summary, sorted(event.categories)


seen = []
for name, reader in (("icalendar", with_icalendar), ("ics", with_ics), ("ical", with_ical)):
    seen.append("{!r}, {!r}".format(*reader(file)))
    print(f"{name}: {seen[-1]}")
own = Calendar()
own.events.append(Event(summary="turn", start=date(2026, 11, 18), categories=["gates, north", "cranes"]))
seen.append(repr(with_ical(IcsCalendarStream.calendar_to_ics(own))[1]))
print(f"ical, written and read by itself: {seen[-1]}")
try:
    seen.append(repr(with_ics(lines)))
except ValueError as error:
    seen.append(str(error))
print(f"ics, two lines of categories: {seen[-1]}")
right = r"'see D:\\new', ['cranes', 'gates, north']"
cut = r"[' north', 'cranes', 'gates\\']"
expected = [
    right, right.replace(r"\\new", r"\\\new"), r"'see D:\\new', " + cut, cut, "A VEVENT must have at most one CATEGORIES",
]
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/signs.py"
