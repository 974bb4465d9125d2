#!/usr/bin/env bash
# croniter 7.0.0, cronsim 2.8, pycron 3.3.0, celery 5.7.0, cron-converter 2.0.2, crontab 1.0.5 and APScheduler 3.11.3, Python
# 3.11.
#
# Three valid lines of a crontab are read by seven libraries. cronsim does what cron of Debian does: a day has to be in the
# month's field or in the week's, and in both if one of them begins with a star. Of the others, croniter is satisfied by either
# also with `*/10`; celery, cron-converter and crontab always want both, so "the 13th and each Friday" becomes Friday the 13th;
# APScheduler wants both and calls Monday 0, so it runs on Tuesdays. pycron takes 7 for a day that never comes, without an
# error; four take it for Sunday and two refuse it. So the days on which a bot speaks depend on the library that reads its line.
#
# Output (the first three days from Sunday, 1 November 2026):
#   0 9 13 * 5
#     croniter cronsim pycron: Fri 06.11.26, Fri 13.11.26, Fri 20.11.26
#     celery cron-converter crontab: Fri 13.11.26, Fri 13.08.27, Fri 13.10.28
#     apscheduler: Sat 13.02.27, Sat 13.03.27, Sat 13.11.27
#   0 9 */10 * 1
#     croniter: Sun 01.11.26, Mon 02.11.26, Mon 09.11.26
#     cronsim pycron celery cron-converter crontab: Mon 21.12.26, Mon 11.01.27, Mon 01.02.27
#     apscheduler: Tue 01.12.26, Tue 11.05.27, Tue 01.06.27
#   0 9 * * 7
#     croniter cronsim cron-converter crontab: Sun 01.11.26, Sun 08.11.26, Sun 15.11.26
#     pycron: never
#     celery apscheduler: refused
#
# Most would guess that such a line means one thing, at least in libraries that name their function or class after it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile croniter==7.0.0 cronsim==2.8 pycron==3.3.0 \
    celery==5.7.0 cron-converter==2.0.2 crontab==1.0.5 APScheduler==3.11.3
cat > "$work/lines.py" <<'PYTHON'
import sys
import warnings
from datetime import datetime, timedelta, timezone

import pycron
from apscheduler.triggers.cron import CronTrigger
from celery.schedules import crontab as CeleryCrontab
from cron_converter import Cron
from croniter import croniter
from cronsim import CronSim
from crontab import CronTab

warnings.filterwarnings("ignore")
START = datetime(2026, 11, 1, tzinfo=timezone.utc)
COUNT = 3


def of_croniter(line):
    times = croniter(line, START)
    return [times.get_next(datetime) for _ in range(COUNT)]


def of_cronsim(line):
    times = CronSim(line, START)
    return [next(times) for _ in range(COUNT)]


def of_pycron(line):
    hours = (START + timedelta(hours=hour) for hour in range(24 * 800))
    return [hour for hour in hours if pycron.is_now(line, hour)][:COUNT]


def of_celery(line):
    schedule, now, times = CeleryCrontab.from_string(line), START, []
    schedule.nowfun = lambda: now
    for _ in range(COUNT):
        since, wait, _ = schedule.remaining_delta(now, tz=timezone.utc)
        now = since + wait
        times.append(now)
    return times


def of_cron_converter(line):
    times = Cron(line).schedule(START)
    return [times.next() for _ in range(COUNT)]


def of_crontab(line):
    now, times = START - timedelta(seconds=1), []
    for _ in range(COUNT):
        now += timedelta(seconds=round(CronTab(line).next(now, default_utc=True)))
        times.append(now)
    return times


def of_apscheduler(line):
    trigger, before, now, times = CronTrigger.from_crontab(line, timezone=timezone.utc), None, START, []
    for _ in range(COUNT):
        before = trigger.get_next_fire_time(before, now)
        now = before + timedelta(seconds=1)
        times.append(before)
    return times


readers = {"croniter": of_croniter, "cronsim": of_cronsim, "pycron": of_pycron, "celery": of_celery,
           "cron-converter": of_cron_converter, "crontab": of_crontab, "apscheduler": of_apscheduler}


def days(read, line):
    try:
        times = read(line)
    except ValueError:
        return "refused"
    return ", ".join(time.strftime("%a %d.%m.%y") for time in times) or "never"


found = {}
for line in ("0 9 13 * 5", "0 9 */10 * 1", "0 9 * * 7"):
    groups = {}
    for name, read in readers.items():
        groups.setdefault(days(read, line), []).append(name)
    print(line)
    for text, names in groups.items():
        print(f"  {' '.join(names)}: {text}")
    found[line] = {" ".join(names): text for text, names in groups.items()}
sys.exit(0 if found == {
    "0 9 13 * 5": {
        "croniter cronsim pycron": "Fri 06.11.26, Fri 13.11.26, Fri 20.11.26",
        "celery cron-converter crontab": "Fri 13.11.26, Fri 13.08.27, Fri 13.10.28",
        "apscheduler": "Sat 13.02.27, Sat 13.03.27, Sat 13.11.27",
    },
    "0 9 */10 * 1": {
        "croniter": "Sun 01.11.26, Mon 02.11.26, Mon 09.11.26",
        "cronsim pycron celery cron-converter crontab": "Mon 21.12.26, Mon 11.01.27, Mon 01.02.27",
        "apscheduler": "Tue 01.12.26, Tue 11.05.27, Tue 01.06.27",
    },
    "0 9 * * 7": {
        "croniter cronsim cron-converter crontab": "Sun 01.11.26, Sun 08.11.26, Sun 15.11.26",
        "pycron": "never", "celery apscheduler": "refused",
    },
} else 1)
PYTHON
"$work/env/bin/python" "$work/lines.py"
