#!/usr/bin/env bash
# Babel 2.19.0, Python 3.11.
#
# `format_time` writes half past three in the afternoon as people of a country do, and `parse_time` for the same country reads it
# back. Where the text says PM it comes back as 15:30. Canada writes "p.m.", Mexico, Korea and Taiwan have their own words
# and signs: there it comes back as 3:30 in the morning, without an error, and half past midnight becomes noon. Of the
# languages and countries that Babel knows with a clock of twelve hours, nearly half are wrong. `parse_date` for the United States,
# where the month comes first, puts 13/11/2026 right by swapping, so a list of dates from elsewhere is read in two ways.
#
# Output:
#   en_US: 3:30 PM -> 15:30, half past midnight -> 00:30
#   en_CA: 3:30 p.m. -> 03:30, half past midnight -> 12:30
#   es_MX: 3:30 p.m. -> 03:30, half past midnight -> 12:30
#   ko: 오후 3:30 -> 03:30, half past midnight -> 12:30
#   zh_TW: 下午3:30 -> 03:30, half past midnight -> 12:30
#   clocks of twelve hours: 166 of 350 wrong
#   en_US: 12/11/2026 -> 2026-12-11, 13/11/2026 -> 2026-11-13
#
# Most would guess that a library that knows how a country writes the afternoon reads its own text.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile Babel==2.19.0
cat > "$work/times.py" <<'PYTHON'
import sys
from datetime import time

from babel import Locale, localedata
from babel.dates import format_time, get_time_format, parse_date, parse_time


def again(moment, locale): return parse_time(format_time(moment, "short", locale=locale), locale=locale, format="short")


seen = {}
for locale in ("en_US", "en_CA", "es_MX", "ko", "zh_TW"):
    # The narrow space that Babel writes before PM is shown as a space.
    text = format_time(time(15, 30), "short", locale=locale).replace("\u202f", " ")
    seen[locale] = [moment.strftime("%H:%M") for moment in (again(time(15, 30), locale), again(time(0, 30), locale))]
    print(f"{locale}: {text} -> {seen[locale][0]}, half past midnight -> {seen[locale][1]}")
twelve = [name for name in localedata.locale_identifiers() if "a" in get_time_format("short", locale=Locale.parse(name)).pattern]
wrong = [name for name in twelve if again(time(15, 30), name) != time(15, 30)]
print(f"clocks of twelve hours: {len(wrong)} of {len(twelve)} wrong")
dates = [parse_date(text, locale="en_US", format="short").isoformat() for text in ("12/11/2026", "13/11/2026")]
print(f"en_US: 12/11/2026 -> {dates[0]}, 13/11/2026 -> {dates[1]}")
sys.exit(0 if dates == ["2026-12-11", "2026-11-13"] and seen == {
    "en_US": ["15:30", "00:30"], "en_CA": ["03:30", "12:30"], "es_MX": ["03:30", "12:30"], "ko": ["03:30", "12:30"],
    "zh_TW": ["03:30", "12:30"],
} and 0 < len(wrong) < len(twelve) else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/times.py"
