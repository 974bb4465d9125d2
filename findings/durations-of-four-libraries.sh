#!/usr/bin/env bash
# pytimeparse 1.1.10, timelength 3.0.4, tempora 5.13.0 and durationpy 0.11, Python 3.11.
#
# Four libraries read how long somebody wants to wait. "1:30" is a minute and a half for two of them and an hour and a half for
# the third. Of "1h30" timelength drops the 30, tempora takes 30 seconds, the others take nothing of it. A minus is kept by
# pytimeparse and durationpy, and passed over by the other two. "24:00" is 24 minutes or a day. timelength reads the M of the
# ISO form PT1H30M as months: two and a half years, with success.
#
# Output (seconds by pytimeparse, timelength, tempora, durationpy; a dash where the text is refused):
#   1h30m: 5400 5400 5400 5400
#   1:30: 90 90 5400 -
#   1h30: - 3600 3630 -
#   -1h30m: -5400 5400 5400 -5400
#   24:00: 1440 1440 86400 -
#   PT1H30M: - 79059600 - -
#
# Most would guess that a library refuses a text that it knows in part, and that two that take it agree.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    pytimeparse==1.1.10 timelength==3.0.4 tempora==5.13.0 durationpy==0.11
cat > "$work/durations.py" <<'PYTHON'
import sys

import durationpy
import pytimeparse
import tempora
from timelength import TimeLength


def by_timelength(text):
    result = TimeLength(text).result
    return result.seconds if result.success else None


readers = [pytimeparse.parse, by_timelength, lambda text: tempora.parse_timedelta(text).total_seconds(),
           lambda text: durationpy.from_str(text).total_seconds()]
expected = {
    "1h30m": [5400, 5400, 5400, 5400],
    "1:30": [90, 90, 5400, None],
    "1h30": [None, 3600, 3630, None],
    "-1h30m": [-5400, 5400, 5400, -5400],
    "24:00": [1440, 1440, 86400, None],
    "PT1H30M": [None, 79059600, None, None],
}
seen = {}
for text in expected:
    seen[text] = []
    for read in readers:
        try:
            seconds = read(text)
        except Exception:
            seconds = None
        seen[text].append(seconds)
    print(f"{text}: {' '.join('-' if seconds is None else str(int(seconds)) for seconds in seen[text])}")
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/durations.py"
