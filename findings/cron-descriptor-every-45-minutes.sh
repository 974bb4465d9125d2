#!/usr/bin/env bash
# cron-descriptor 2.2.1 beside cronsim 2.8, Python 3.11.
#
# A bot shows the lines of a crontab in words, so that people see when a job runs. `*/n` becomes "every n", also where n does not divide the
# hour, the day or the year, and cron begins again with each of them: "every 45 minutes" runs at :00 and :45, so that the next run comes
# after 45 and 15 minutes in turn, "every 5 hours" has four hours at midnight, and "every 5 months" two months at the new year. A line that
# names the same minutes, `0,45`, is described rightly.
#
# Output (minutes, hours or months between the runs, after cronsim):
#   */45 * * * *   Every 45 minutes: 45 15 45 15 45 15
#   0,45 * * * *   At 0 and 45 minutes past the hour: 45 15 45 15 45 15
#   0 */5 * * *    Every 5 hours: 5 5 5 5 4 5
#   0 0 1 */5 *    At 12:00 AM, on day 1 of the month, every 5 months: 5 5 2 5 5 2
#
# Most would guess that "every 45 minutes" is said of a job that comes each 45 minutes.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile cron-descriptor==2.2.1 cronsim==2.8
cat > "$work/lines.py" <<'PYTHON'
from datetime import datetime
from itertools import islice, pairwise

from cron_descriptor import get_description
from cronsim import CronSim


def minutes(first, second):
    return int((second - first).total_seconds() // 60)


def hours(first, second):
    return minutes(first, second) // 60


def months(first, second):
    return (second.year - first.year) * 12 + second.month - first.month


for line, distance in [("*/45 * * * *", minutes), ("0,45 * * * *", minutes), ("0 */5 * * *", hours), ("0 0 1 */5 *", months)]:
    runs = list(islice(CronSim(line, datetime(2025, 12, 31, 23, 59)), 7))
    print(f"{line:14} {get_description(line)}:", *(distance(*pair) for pair in pairwise(runs)))
PYTHON
"$work/env/bin/python" -W ignore "$work/lines.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
*/45 * * * *   Every 45 minutes: 45 15 45 15 45 15
0,45 * * * *   At 0 and 45 minutes past the hour: 45 15 45 15 45 15
0 */5 * * *    Every 5 hours: 5 5 5 5 4 5
0 0 1 */5 *    At 12:00 AM, on day 1 of the month, every 5 months: 5 5 2 5 5 2
SEEN
