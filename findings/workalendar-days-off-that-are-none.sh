#!/usr/bin/env bash
# workalendar 17.0.0 beside holidays 0.108, Python 3.11.
#
# A deadline is so many working days away, and two libraries know the days off of each country. In Japan a holiday on a Sunday makes the next
# working day one as well: workalendar does not know these days of 2026 and 2027, nor the day between two holidays. For Brazil and for
# Canada it has no Good Friday (Brazil's has Easter Sunday instead), and for the United States no 19 June, a federal holiday since 2021. So
# "one working day after" the day before ends on a day on which nobody works. For Germany, France, Portugal and Austria both agree.
#
# Output (days on which only one of the two has a day off, of Monday to Friday in 2026 and 2027, then the next working day):
#   Japan: only holidays 2026-05-06 2026-09-22 2027-03-22, after 2026-05-05: 2026-05-06
#   Brazil: only holidays 2026-04-03 2026-11-20 2027-03-26, after 2026-04-02: 2026-04-03
#   Canada: only holidays 2026-04-03 2027-03-26, after 2026-04-02: 2026-04-03
#   United States: only holidays 2026-06-19 2027-06-18, after 2026-06-18: 2026-06-19
#   Germany: both the same, after 2026-04-02: 2026-04-07
#   France: both the same, after 2026-04-03: 2026-04-07
#
# Most would guess that two libraries for working days agree about the days off of the whole United States and of Japan.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile workalendar==17.0.0 holidays==0.108
cat > "$work/days.py" <<'PYTHON'
import sys
from datetime import date

import holidays
from workalendar.registry import registry

asked = [
    ("Japan", "JP", "2026-05-05"), ("Brazil", "BR", "2026-04-02"), ("Canada", "CA", "2026-04-02"), ("United States", "US", "2026-06-18"),
    ("Germany", "DE", "2026-04-02"), ("France", "FR", "2026-04-03"),
]
expected = [
    ["2026-05-06", "2026-09-22", "2027-03-22", "/", "2026-05-06"], ["2026-04-03", "2026-11-20", "2027-03-26", "/", "2026-04-03"],
    ["2026-04-03", "2027-03-26", "/", "2026-04-03"], ["2026-06-19", "2027-06-18", "/", "2026-06-19"],
    ["/", "2026-04-07"], ["/", "2026-04-07"],
]
seen = []
for name, code, start in asked:
    calendar = registry.get_calendars()[code]()
    one, other = set(), set()
    for year in (2026, 2027):
        one |= {day for day in holidays.country_holidays(code, years=year) if day.weekday() < 5}
        other |= {day for day, _ in calendar.holidays(year) if day.weekday() < 5}
    following = str(calendar.add_working_days(date.fromisoformat(start), 1))
    lines = [str(day) for day in sorted(one - other)] + ["/"] + [str(day) for day in sorted(other - one)] + [following]
    seen.append(lines)
    text = " ".join(line for line in lines[:-1] if line != "/")
    print(f"{name}: {'only holidays ' + text if text else 'both the same'}, after {start}: {following}")
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" "$work/days.py"
