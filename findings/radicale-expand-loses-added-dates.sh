#!/usr/bin/env bash
# Radicale 3.9.0 (a CalDAV server) beside caldav 3.6.0, which can expand by itself (with icalendar 7.3.2), Python 3.11.
#
# A calendar has turns that come again, and a client asks the server for the single turns of a time (`expand` in RFC 4791). A turn
# that was moved from November to 12 December is in Radicale's list of November, with its date in December. A date that was added to
# a turn (RDATE) is missing. A rule alone is right. The expansion by the client gives for the same files and times what lies in
# them. No error.
#
# Output (by the client | by the server):
#   daily, 10 November: 10.11. | 10.11.
#   moved, November: 3.11. | 3.11. 12.12.
#   added, November: 4.11. 6.11. | 4.11.
#
# Most would guess that a server that is asked for the turns of a month gives those of that month, all of them.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile radicale==3.9.0 caldav==3.6.0 icalendar==7.3.2
cat > "$work/turns.py" <<'PYTHON'
import socket
import subprocess
import sys
import time
import urllib.request
from datetime import UTC, datetime
from xml.etree import ElementTree

import caldav
from icalendar import Calendar

folder = sys.argv[1]
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]


def turn(name, *lines):
    return "\n".join(["BEGIN:VEVENT", f"UID:{name}", "DTSTAMP:20261001T000000Z", f"SUMMARY:{name}", "DURATION:PT1H", *lines, "END:VEVENT"])


calendars = {
    "daily": [turn("daily", "DTSTART:20261109T090000Z", "RRULE:FREQ=DAILY;COUNT=3")],
    "moved": [turn("moved", "DTSTART:20261103T090000Z", "RRULE:FREQ=WEEKLY;COUNT=2"),
              turn("moved", "RECURRENCE-ID:20261110T090000Z", "DTSTART:20261212T140000Z")],
    "added": [turn("added", "DTSTART:20261104T100000Z", "RDATE:20261106T100000Z")]}
process = subprocess.Popen(
    [sys.executable, "-m", "radicale", "--config", "", "--hosts", f"127.0.0.1:{port}", "--auth-type", "none",
     "--storage-filesystem-folder", f"{folder}/calendars"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.1)
    principal = caldav.DAVClient(f"http://127.0.0.1:{port}/", username="ada", password="p").principal()

    def days(events):
        starts = sorted(event["dtstart"].dt for event in events)
        return " ".join(f"{start.day}.{start.month}." for start in starts)

    def by_client(calendar, first, last):
        found = calendar.search(event=True, start=first, end=last, expand=True)
        return days(event for item in found for event in item.icalendar_instance.walk("VEVENT"))

    def by_server(calendar, first, last):
        period = f'start="{first:%Y%m%dT%H%M%SZ}" end="{last:%Y%m%dT%H%M%SZ}"'
        request = urllib.request.Request(str(calendar.url), method="REPORT", headers={"Depth": "1"}, data=f"""
            <c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
              <d:prop><c:calendar-data><c:expand {period}/></c:calendar-data></d:prop>
              <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range {period}/></c:comp-filter>
              </c:comp-filter></c:filter>
            </c:calendar-query>""".encode())
        with urllib.request.urlopen(request) as reply:
            found = ElementTree.parse(reply).iter("{urn:ietf:params:xml:ns:caldav}calendar-data")
            return days(event for item in found for event in Calendar.from_ical(item.text).walk("VEVENT"))

    for name, events in calendars.items():
        calendar = principal.make_calendar(name=name)
        calendar.save_event("\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//harbour//EN", *events, "END:VCALENDAR"]))
        period = "10 November" if name == "daily" else "November"
        first, last = [datetime(2026, 11, day, tzinfo=UTC) for day in ((10, 11) if name == "daily" else (1, 30))]
        print(f"{name}, {period}: {by_client(calendar, first, last)} | {by_server(calendar, first, last)}")
finally:
    process.terminate()
    process.wait()
PYTHON
"$work/env/bin/python" -W ignore "$work/turns.py" "$work" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
daily, 10 November: 10.11. | 10.11.
moved, November: 3.11. | 3.11. 12.12.
added, November: 4.11. 6.11. | 4.11.
SEEN
