#!/usr/bin/env bash
# num2words 0.5.14, Python 3.11.
#
# Amounts of messages are written in words, so that a voice can read them. With `to="currency"` a whole number is taken for cents: 1500
# euros are "fifteen euro", while 1500.0 and the text "1500" are fifteen hundred. In a list of prices those without cents are a hundredth of
# what they are. The languages here do the same. And a number between 0 and -1 loses its minus in words: -0.5 degrees are
# "zero point five", -1.5 keeps its minus. No error.
#
# Output:
#   en: 1500 fifteen euro, zero cents
#   en: 1500.0 one thousand, five hundred euro, zero cents
#   en: "1500" one thousand, five hundred euro, zero cents
#   de: 1500 fünfzehn Euro und null Cent
#   de: 1500.0 eintausendfünfhundert Euro und null Cent
#   fr: 1500 quinze euros et zéro centimes
#   fr: 1500.0 mille cinq cents euros et zéro centimes
#   en: -0.5 zero point five, -1.5 minus one point five
#   de: -0.5 null Komma fünf, -1.5 minus eins Komma fünf
#   fr: -0.5 zéro virgule cinq, -1.5 moins un virgule cinq
#
# Most would guess that 1500 and 1500.0 are the same amount, and that a negative number is negative in words.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile num2words==0.5.14
cat > "$work/amounts.py" <<'PYTHON'
from num2words import num2words

for language, values in [("en", [1500, 1500.0, "1500"]), ("de", [1500, 1500.0]), ("fr", [1500, 1500.0])]:
    for value in values:
        shown = f'"{value}"' if isinstance(value, str) else value
        print(f"{language}: {shown}", num2words(value, to="currency", lang=language, currency="EUR"))
for language in ("en", "de", "fr"):
    print(f"{language}:", ", ".join(f"{value} {num2words(value, lang=language)}" for value in (-0.5, -1.5)))
PYTHON
"$work/env/bin/python" -W ignore "$work/amounts.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
en: 1500 fifteen euro, zero cents
en: 1500.0 one thousand, five hundred euro, zero cents
en: "1500" one thousand, five hundred euro, zero cents
de: 1500 fünfzehn Euro und null Cent
de: 1500.0 eintausendfünfhundert Euro und null Cent
fr: 1500 quinze euros et zéro centimes
fr: 1500.0 mille cinq cents euros et zéro centimes
en: -0.5 zero point five, -1.5 minus one point five
de: -0.5 null Komma fünf, -1.5 minus eins Komma fünf
fr: -0.5 zéro virgule cinq, -1.5 moins un virgule cinq
SEEN
