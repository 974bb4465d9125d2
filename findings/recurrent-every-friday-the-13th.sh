#!/usr/bin/env bash
# recurrent 0.4.1 (parsedatetime 2.6), Python 3.11; the present is Wednesday, 18 November 2026, 12:00.
#
# recurrent makes a rule for a calendar of what a person says about a turn that comes again. Words that it does not expect are dropped, and
# numbers go where another rule has a place for one: "every friday the 13th" is each Friday and each Thursday, "every year on 29 february"
# is in February of each 29th year, "every two hours on weekdays" is the weekdays of each second week, and "every day at 9 and 17" the 17th
# day of each year. "every half hour" is each hour, and "daily at half past nine" has no hour. No error.
#
# Output:
#   the last friday of every month at 15:00: BYDAY=-1FR;BYHOUR=15;BYMINUTE=0;INTERVAL=1;FREQ=MONTHLY
#   every friday the 13th: BYDAY=FR,TH;INTERVAL=1;FREQ=WEEKLY
#   every year on 29 february: BYMONTH=2;INTERVAL=29;FREQ=YEARLY
#   every two hours on weekdays: BYDAY=MO,TU,WE,TH,FR;INTERVAL=2;FREQ=WEEKLY
#   every day at 9 and 17: BYYEARDAY=17;BYHOUR=9;BYMINUTE=0;INTERVAL=1;FREQ=YEARLY
#   every half hour: INTERVAL=1;FREQ=HOURLY
#   daily at half past nine: INTERVAL=1;FREQ=DAILY
#   twice a week: None
#
# Most would guess that what is not understood gives no rule, as it does for "twice a week".
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile recurrent==0.4.1 parsedatetime==2.6
cat > "$work/turns.py" <<'PYTHON'
from datetime import datetime

from recurrent import RecurringEvent

for words in ["the last friday of every month at 15:00", "every friday the 13th", "every year on 29 february", "every two hours on weekdays",
              "every day at 9 and 17", "every half hour", "daily at half past nine", "twice a week"]:
    rule = RecurringEvent(now_date=datetime(2026, 11, 18, 12)).parse(words)
    print(f"{words}:", str(rule).replace("RRULE:", "").replace("\n", ", "))
PYTHON
"$work/env/bin/python" -W ignore "$work/turns.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
the last friday of every month at 15:00: BYDAY=-1FR;BYHOUR=15;BYMINUTE=0;INTERVAL=1;FREQ=MONTHLY
every friday the 13th: BYDAY=FR,TH;INTERVAL=1;FREQ=WEEKLY
every year on 29 february: BYMONTH=2;INTERVAL=29;FREQ=YEARLY
every two hours on weekdays: BYDAY=MO,TU,WE,TH,FR;INTERVAL=2;FREQ=WEEKLY
every day at 9 and 17: BYYEARDAY=17;BYHOUR=9;BYMINUTE=0;INTERVAL=1;FREQ=YEARLY
every half hour: INTERVAL=1;FREQ=HOURLY
daily at half past nine: INTERVAL=1;FREQ=DAILY
twice a week: None
SEEN
