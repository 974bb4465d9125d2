#!/usr/bin/env bash
# phonenumbers 9.0.43 (the port of libphonenumber), Python 3.11.
#
# `PhoneNumberMatcher` finds telephone numbers in a text, so that a program can link or hide them. It knows that dates look alike: 2026/11/18
# and 05/08/2026 are none for it. Days with points or hyphens, the usual form in German and other languages, may be numbers: of those of
# 2026 it takes 79 for numbers in Germany, among them 08.05.2026, and 108 in Italy. If an hour follows, it becomes a part of the number.
# `Leniency.STRICT_GROUPING` takes none of them in Germany.
#
# Output (days of 2026 that are numbers, by country):
#   01.01.2026: DE 79, IT 108, FI 66, NO 55
#   01-01-2026: DE 79, IT 108, FI 66, NO 55
#   01/01/2026: DE 0, IT 0, FI 0, NO 0
#   strict, 01.01.2026: DE 0
#   closed from 08.05.2026 to 12.05.2026: 08.05.2026
#   on 08.05.2026 10:30 at gate 4: 08.05.2026 10
#   on 2026/11/18 and 05/08/2026: none
#   call 030 1234567: 030 1234567
#
# Most would guess that a library that leaves dates out leaves the commonest form of a country out.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile phonenumbers==9.0.43
cat > "$work/days.py" <<'PYTHON'
from datetime import date, timedelta

from phonenumbers import Leniency, PhoneNumberMatcher

DAYS = [date(2026, 1, 1) + timedelta(day) for day in range(365)]


def found(text, country, leniency=Leniency.VALID):
    return [match.raw_string for match in PhoneNumberMatcher(text, country, leniency)]


for shape in ("%d.%m.%Y", "%d-%m-%Y", "%d/%m/%Y"):
    counts = [(country, sum(bool(found(f"closed on {day:{shape}} again", country)) for day in DAYS)) for country in ("DE", "IT", "FI", "NO")]
    print(f"{DAYS[0]:{shape}}:", ", ".join(f"{country} {count}" for country, count in counts))
strict = sum(bool(found(f"closed on {day:%d.%m.%Y} again", "DE", Leniency.STRICT_GROUPING)) for day in DAYS)
print("strict, 01.01.2026: DE", strict)
for text in ["closed from 08.05.2026 to 12.05.2026", "on 08.05.2026 10:30 at gate 4", "on 2026/11/18 and 05/08/2026", "call 030 1234567"]:
    print(f"{text}:", ", ".join(found(text, "DE")) or "none")
PYTHON
"$work/env/bin/python" "$work/days.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
01.01.2026: DE 79, IT 108, FI 66, NO 55
01-01-2026: DE 79, IT 108, FI 66, NO 55
01/01/2026: DE 0, IT 0, FI 0, NO 0
strict, 01.01.2026: DE 0
closed from 08.05.2026 to 12.05.2026: 08.05.2026
on 08.05.2026 10:30 at gate 4: 08.05.2026 10
on 2026/11/18 and 05/08/2026: none
call 030 1234567: 030 1234567
SEEN
