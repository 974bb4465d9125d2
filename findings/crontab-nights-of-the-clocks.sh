#!/usr/bin/env bash
# croniter 7.0.0, cronsim 2.8, APScheduler 3.11.3, cron-converter 2.0.2, crontab 1.0.5 and celery 5.7.0, Python 3.11; in Berlin
# the clocks go forward on 29 March 2026 at two, which is 1:00 UTC, and back on 25 October at three, also 1:00 UTC.
#
# A bot has a line of a crontab for each day at 2:30, and one for each half hour. Six libraries say when they are due in these nights.
# In autumn croniter and APScheduler do the daily one twice; cron-converter, crontab and celery leave out the hour that comes again, so
# the job of each half hour rests for an hour and a half. In spring there is no 2:30: croniter and cronsim take 3:00, the others 3:30, and
# cron-converter goes back: the half hours of 1:00 and 1:30 UTC come once more. cronsim alone does each job as often as the line says.
#
# Output (UTC):
#   daily, spring:
#     croniter       01:00
#     cronsim        01:00
#     apscheduler    01:30
#     cron_converter 01:30
#     crontab        01:30
#     celery         01:30
#   daily, autumn:
#     croniter       00:30 01:30
#     cronsim        00:30
#     apscheduler    00:30 01:30
#     cron_converter 00:30
#     crontab        00:30
#     celery         00:30
#   half hour, spring:
#     croniter       00:30 01:00 01:30 02:00
#     cronsim        00:30 01:00 01:30 02:00
#     apscheduler    00:30 01:00 01:30 02:00
#     cron_converter 00:30 01:00 01:30 01:00 01:30 02:00
#     crontab        00:30 01:00 01:30 02:00
#     celery         00:30 01:00 01:30 02:00
#   half hour, autumn:
#     croniter       23:30 00:00 00:30 01:00 01:30 02:00
#     cronsim        23:30 00:00 00:30 01:00 01:30 02:00
#     apscheduler    23:30 00:00 00:30 01:00 01:30 02:00
#     cron_converter 23:30 00:00 00:30 02:00
#     crontab        23:30 00:00 00:30 02:00
#     celery         23:30 00:00 00:30 02:00
#
# Most would guess that a job of each day runs once a day, and one of each half hour after half an hour.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile croniter==7.0.0 cronsim==2.8 APScheduler==3.11.3 \
    cron-converter==2.0.2 crontab==1.0.5 celery==5.7.0
cat > "$work/nights.py" <<'PYTHON'
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.triggers.cron import CronTrigger
from celery import Celery
from celery.schedules import crontab as celery_crontab
from cron_converter import Cron
from croniter import croniter
from cronsim import CronSim
from crontab import CronTab

berlin = ZoneInfo("Europe/Berlin")


def by_croniter(line, start):
    times = croniter(line, start)
    return lambda last: times.get_next(datetime)


def by_cronsim(line, start):
    times = CronSim(line, start)
    return lambda last: next(times)


def by_apscheduler(line, start):
    trigger = CronTrigger.from_crontab(line, timezone=berlin)
    return lambda last: trigger.get_next_fire_time(last, last or start + timedelta(seconds=1))


def by_cron_converter(line, start):
    times = Cron(line).schedule(start)
    return lambda last: times.next()


def by_crontab(line, start):
    def following(last):
        last = (last or start).astimezone(UTC)
        return (last + timedelta(seconds=CronTab(line).next(last.astimezone(berlin), default_utc=False))).astimezone(berlin)
    return following


def by_celery(line, start):
    """Asks each minute, as celery's beat does at least."""
    minute, hour = line.split()[:2]
    app = Celery()
    app.conf.timezone = "Europe/Berlin"

    def following(last):
        last = now = (last or start).astimezone(UTC)
        while True:
            now += timedelta(minutes=1)
            times = celery_crontab(minute=minute, hour=hour, app=app, nowfun=lambda: now.astimezone(berlin))
            if times.is_due(last.astimezone(berlin))[0]:
                return now.astimezone(berlin)
    return following


nights = {"spring": datetime(2026, 3, 29, 0, tzinfo=UTC), "autumn": datetime(2026, 10, 24, 23, tzinfo=UTC)}
ends = {"spring": datetime(2026, 3, 29, 2, tzinfo=UTC), "autumn": datetime(2026, 10, 25, 2, tzinfo=UTC)}
libraries = [by_croniter, by_cronsim, by_apscheduler, by_cron_converter, by_crontab, by_celery]
for job, line in {"daily": "30 2 * * *", "half hour": "*/30 * * * *"}.items():
    for night, start in nights.items():
        print(f"{job}, {night}:")
        for library in libraries:
            following, last, times = library(line, start.astimezone(berlin)), None, []
            while len(times) < 8 and (last := following(last)).astimezone(UTC) <= ends[night]:
                times.append(last.astimezone(UTC).strftime("%H:%M"))
            print(f"  {library.__name__[3:]:14}", *times)
PYTHON
"$work/env/bin/python" -W ignore "$work/nights.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
daily, spring:
  croniter       01:00
  cronsim        01:00
  apscheduler    01:30
  cron_converter 01:30
  crontab        01:30
  celery         01:30
daily, autumn:
  croniter       00:30 01:30
  cronsim        00:30
  apscheduler    00:30 01:30
  cron_converter 00:30
  crontab        00:30
  celery         00:30
half hour, spring:
  croniter       00:30 01:00 01:30 02:00
  cronsim        00:30 01:00 01:30 02:00
  apscheduler    00:30 01:00 01:30 02:00
  cron_converter 00:30 01:00 01:30 01:00 01:30 02:00
  crontab        00:30 01:00 01:30 02:00
  celery         00:30 01:00 01:30 02:00
half hour, autumn:
  croniter       23:30 00:00 00:30 01:00 01:30 02:00
  cronsim        23:30 00:00 00:30 01:00 01:30 02:00
  apscheduler    23:30 00:00 00:30 01:00 01:30 02:00
  cron_converter 23:30 00:00 00:30 02:00
  crontab        23:30 00:00 00:30 02:00
  celery         23:30 00:00 00:30 02:00
SEEN
