#!/usr/bin/env bash
# arrow 1.4.0 beside pendulum 3.3.0 and whenever 0.11.0, Python 3.11; in Berlin the clocks go back on 25 October 2026 at three, and
# forward on 29 March at two.
#
# "Remind me in two hours", said at half past one in the night when the clocks go back, comes after three hours: `shift(hours=2)` of
# arrow moves the hands of the clock, as for days, and minutes and seconds do the same. In spring the same call is one hour. The
# difference of two moments is taken from the clock, too, so the two mistakes hide each other: the reminder is said to be two
# hours away, and comes after three. `Arrow.range` by hours leaves out one hour of the long day. pendulum and whenever count
# the time that passes. No error.
#
# Output (minutes that pass: arrow, pendulum, whenever):
#   autumn, two hours: 180, 120, 120
#   autumn, the same, as the difference of the two: 120, 120, 120
#   spring, two hours: 60, 120, 120
#   spring, the same, as the difference of the two: 120, 120, 120
#   hours of the day of 25 hours: 24, 25, 25
#
# Most would guess that days follow the calendar and hours the time, and that a library made for time zones counts so.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile arrow==1.4.0 pendulum==3.3.0 whenever==0.11.0
cat > "$work/hours.py" <<'PYTHON'
import sys

import arrow
import pendulum
from whenever import PlainDateTime

zone = "Europe/Berlin"
seen = {}
for season, text in [("autumn", "2026-10-25T01:30"), ("spring", "2026-03-29T01:30")]:
    by_arrow = arrow.get(text, tzinfo=zone)
    by_pendulum = pendulum.parse(text, tz=zone)
    by_whenever = PlainDateTime(text).assume_tz(zone)
    later = [by_arrow.shift(hours=2), by_pendulum.add(hours=2), by_whenever.add(hours=2)]
    seen[f"{season}, two hours"] = [
        (later[0].timestamp() - by_arrow.timestamp()) / 60, (later[1].timestamp() - by_pendulum.timestamp()) / 60,
        (later[2].timestamp() - by_whenever.timestamp()) / 60]
    seen[f"{season}, the same, as the difference of the two"] = [
        (later[0] - by_arrow).total_seconds() / 60, (later[1] - by_pendulum).total_seconds() / 60,
        (later[2] - by_whenever).total("minutes")]
day = arrow.get("2026-10-25", tzinfo=zone)
start, end = pendulum.parse("2026-10-25", tz=zone), pendulum.parse("2026-10-26", tz=zone)
moment, hours = PlainDateTime("2026-10-25T00:00").assume_tz(zone), 0
while moment.date() == PlainDateTime("2026-10-25T00:00").date():
    moment, hours = moment.add(hours=1), hours + 1
seen["hours of the day of 25 hours"] = [
    len(list(arrow.Arrow.range("hour", day, day.ceil("day")))),
    len([one for one in pendulum.interval(start, end).range("hours") if one < end]), hours]
for name, numbers in seen.items():
    print(f"{name}: {', '.join(format(number, 'g') for number in numbers)}")
sys.exit(0 if list(seen.values()) == [
    [180, 120, 120], [120, 120, 120], [60, 120, 120], [120, 120, 120], [24, 25, 25]] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/hours.py"
