#!/usr/bin/env bash
# schedule 1.2.2 (with pytz 2026.6), Python 3.11; in Berlin the clocks go forward on Sunday, 29 March 2026, at two.
#
# A job runs each day at 2:30 in Berlin: `every().day.at("02:30", "Europe/Berlin")`. On the Sunday there is no 2:30, and it runs at 3:30. On
# the Monday, an ordinary day, it runs twice, at 1:30 and at 2:30. On Tuesday all is right again. In autumn the job runs once each
# day, and one at 10:30 does so in spring, too. No error.
#
# Output (time in Berlin):
#   02:30, March: Sat 02:30, Sun 03:30, Mon 01:30, Mon 02:30, Tue 02:30
#   02:30, October: Sat 02:30, Sun 02:30, Mon 02:30, Tue 02:30
#   10:30, March: Sat 10:30, Sun 10:30, Mon 10:30, Tue 10:30
#
# Most would guess that only the night of the clocks is special.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile schedule==1.2.2 pytz==2026.6 time-machine==3.6.0
cat > "$work/nights.py" <<'PYTHON'
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import schedule
import time_machine

for at, begin in [("02:30", datetime(2026, 3, 27, 12)), ("02:30", datetime(2026, 10, 23, 12)), ("10:30", datetime(2026, 3, 27, 12))]:
    runs = []
    moment = begin.replace(tzinfo=timezone.utc)
    with time_machine.travel(moment, tick=False) as clock:
        jobs = schedule.Scheduler()
        jobs.every().day.at(at, "Europe/Berlin").do(lambda: runs.append(moment.astimezone(ZoneInfo("Europe/Berlin"))))
        for _ in range(4 * 24 * 6):
            moment += timedelta(minutes=10)
            clock.move_to(moment)
            jobs.run_pending()
    print(f"{at}, {begin:%B}:", ", ".join(f"{run:%a %H:%M}" for run in runs))
PYTHON
TZ=UTC "$work/env/bin/python" "$work/nights.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
02:30, March: Sat 02:30, Sun 03:30, Mon 01:30, Mon 02:30, Tue 02:30
02:30, October: Sat 02:30, Sun 02:30, Mon 02:30, Tue 02:30
10:30, March: Sat 10:30, Sun 10:30, Mon 10:30, Tue 10:30
SEEN
