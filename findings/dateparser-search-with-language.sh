#!/usr/bin/env bash
# dateparser 1.5.0, Python 3.11.
#
# `search_dates` finds 10.11.2026 in a German sentence, and gives 10 November. The same call with `languages=["de"]` gives
# 11 October: the sentence is put into English first, and the date is then read as an American one. French and Spanish
# behave alike. `parse` of the same date with the same language gives 10 November. No error, and days above 12 are right,
# so only some dates are wrong. The setting DATE_ORDER mends it.
#
# Output:
#   de: parse with the language 2026-11-10, search without 2026-11-10, with 2026-10-11, with DATE_ORDER 2026-11-10
#   fr: parse with the language 2026-11-10, search without 2026-11-10, with 2026-10-11, with DATE_ORDER 2026-11-10
#   es: parse with the language 2026-11-10, search without 2026-11-10, with 2026-10-11, with DATE_ORDER 2026-11-10
#
# Most would guess that naming the language can only help, and that both functions read a date alike.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check dateparser==1.5.0
cat > "$work/search.py" <<'PYTHON'
import sys

import dateparser
from dateparser.search import search_dates

sentences = {
    "de": ("Wir treffen uns am 10.11.2026 am Kran", "10.11.2026"),
    "fr": ("Nous nous voyons le 10/11/2026 au quai", "10/11/2026"),
    "es": ("Nos vemos el 10/11/2026 en el muelle", "10/11/2026"),
}


def found(sentence, **options):
    [(_, date)] = search_dates(sentence, **options)
    return str(date.date())


surprise = True
for language, (sentence, date) in sentences.items():
    parsed = str(dateparser.parse(date, languages=[language]).date())
    without, named = found(sentence), found(sentence, languages=[language])
    ordered = found(sentence, languages=[language], settings={"DATE_ORDER": "DMY"})
    print(f"{language}: parse with the language {parsed}, search without {without}, with {named}, "
          f"with DATE_ORDER {ordered}")
    surprise = surprise and named == "2026-10-11" and {parsed, without, ordered} == {"2026-11-10"}
sys.exit(0 if surprise else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/search.py"
