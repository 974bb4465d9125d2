#!/usr/bin/env bash
# humanize 4.17.0, Python 3.11.
#
# A page shows how old a message is with `naturaltime`. In German a message of 400 days is "vor ein Monat", a month ago: the text for a year
# and a month has lost its year, so for thirty days old messages look new. With one month more the year is back. In Vietnamese these
# ages come out in French. In all languages 15 days are 15 days, and 16 days are a month; 351 days are a year, and 1,000 days three.
#
# Output (English; German; Vietnamese):
#   15 days: 15 days ago; vor 15 Tage; 15 ngày trước
#   16 days: a month ago; vor ein Monat; một tháng trước
#   351 days: a year ago; vor ein Jahr; một năm trước
#   400 days: 1 year, 1 month ago; vor ein Monat; 1 năm 1 tháng trước
#   440 days: 1 year, 2 months ago; vor ein Jahr und 2 Monate; un an et 2 mois trước
#   1000 days: 3 years ago; vor 3 Jahre; 3 năm trước
#   days that are a month in German: 16 to 45, 381 to 410
#
# Most would guess that an age in another language is the same age, and that half a month is not a month.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile humanize==4.17.0
cat > "$work/ages.py" <<'PYTHON'
import sys
from datetime import timedelta

import humanize

seen = []
for days in (15, 16, 351, 400, 440, 1000):
    texts = [humanize.naturaltime(timedelta(days=days))]
    for language in ("de_DE", "vi_VN"):
        humanize.i18n.activate(language)
        texts.append(humanize.naturaltime(timedelta(days=days)))
        humanize.i18n.deactivate()
    seen.append("; ".join(texts))
    print(f"{days} days: {seen[-1]}")
humanize.i18n.activate("de_DE")
month = [days for days in range(500) if humanize.naturaldelta(timedelta(days=days)) == "ein Monat"]
ends = [days for days in month if days + 1 not in month]
seen.append(", ".join(f"{begin} to {end}" for begin, end in zip([days for days in month if days - 1 not in month], ends)))
print(f"days that are a month in German: {seen[-1]}")
expected = [
    "15 days ago; vor 15 Tage; 15 ngày trước", "a month ago; vor ein Monat; một tháng trước", "a year ago; vor ein Jahr; một năm trước",
    "1 year, 1 month ago; vor ein Monat; 1 năm 1 tháng trước",
    "1 year, 2 months ago; vor ein Jahr und 2 Monate; un an et 2 mois trước", "3 years ago; vor 3 Jahre; 3 năm trước",
    "16 to 45, 381 to 410",
]
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/ages.py"
