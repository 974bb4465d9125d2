#!/usr/bin/env bash
# pint 0.25.3 and price-parser 0.5.1, Python 3.11.
#
# A model or a person writes an amount in an ordinary way, and a library makes a quantity of it. In pint two units side by side are
# a product: "1 h 30 min" is 30 hour minutes, "3 t 200 kg" 600 kilogram tons, and only a later conversion fails. A comma
# is dropped, so "1,5 t" is 15 tons. "10 am" is a length of ten attometres. price-parser takes the first number: "4, 30 EUR" is 4.30,
# "3 x 5 EUR" is 3. It drops a minus, the k of "5k EUR" and the million of "1.5 Mio EUR". No error.
#
# Output:
#   pint, 90 min: 90 minute
#   pint, 1 h 30 min: 30 hour * minute
#   pint, 3 t 200 kg: 600 kilogram * metric_ton
#   pint, 5 ft 3 in: 15 foot * inch
#   pint, 1,5 t: 15 metric_ton
#   pint, 10 am: 10 attometer
#   price-parser, 1.500 EUR: 1500
#   price-parser, 4, 30 EUR: 4.30
#   price-parser, 3 x 5 EUR: 3
#   price-parser, -5 EUR: 5
#   price-parser, 5k EUR: 5
#   price-parser, 1.5 Mio EUR: 1.5
#
# Most would guess that a text which is no single quantity for the library is refused, and that "1 h 30 min" is one for a library
# of units.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pint==0.25.3 price-parser==0.5.1
cat > "$work/amounts.py" <<'PYTHON'
import sys

import pint
from price_parser import Price

QUANTITIES = {
    "90 min": "90 minute",
    "1 h 30 min": "30 hour * minute",
    "3 t 200 kg": "600 kilogram * metric_ton",
    "5 ft 3 in": "15 foot * inch",
    "1,5 t": "15 metric_ton",
    "10 am": "10 attometer",
}
PRICES = {"1.500 EUR": "1500", "4, 30 EUR": "4.30", "3 x 5 EUR": "3", "-5 EUR": "5", "5k EUR": "5", "1.5 Mio EUR": "1.5"}
units = pint.UnitRegistry()
quantities = {text: str(units(text)) for text in QUANTITIES}
prices = {text: str(Price.fromstring(text).amount) for text in PRICES}
for name, found in {"pint": quantities, "price-parser": prices}.items():
    for text, value in found.items():
        print(f"{name}, {text}: {value}")
sys.exit(0 if quantities == QUANTITIES and prices == PRICES else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/amounts.py"
