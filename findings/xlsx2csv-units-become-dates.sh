#!/usr/bin/env bash
# xlsx2csv 0.8.6 with openpyxl 3.1.5, Python 3.11.
#
# Cells have number formats with a unit in quotes, as Excel writes them for "12 yd" or "5 Stunden". The unit is text there, but
# xlsx2csv looks into it: if it has a d, m, y, h or s, the number is taken for a date, and the cell becomes the format itself
# with parts of a day in 1900 in it. The number is gone. A unit without these letters gives the bare number. A real date with a
# colour in its format stays a number. Exit code 0, nothing is said. openpyxl and python-calamine give the numbers.
#
# Output (the cell as the sheet shows it, the value of the column):
#   12 yd: 0 "y11"
#   5 Stunden: 0 "stun04en"
#   7 days: 0 "06ays"
#   6 pcs: 0 "pcs"
#   9 kg: 9
#   15.03.2023 in red: 45000
#
# Most would guess "12", or "12 yd" as the sheet shows it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile xlsx2csv==0.8.6 openpyxl==3.1.5
cat > "$work/units.py" <<'PYTHON'
import csv
import subprocess
import sys

import openpyxl

path = sys.argv[1]
cells = [("12 yd", 12, '0 "yd"'), ("5 Stunden", 5, '0 "Stunden"'), ("7 days", 7, '0 "days"'), ("6 pcs", 6, '0 "pcs"'), ("9 kg", 9, '0 "kg"'),
         ("15.03.2023 in red", 45000, "[Red]dd.mm.yyyy")]
book = openpyxl.Workbook()
for row, (_, number, form) in enumerate(cells, 1):
    cell = book.active.cell(row, 1, number)
    cell.number_format = form
book.save(path)
text = subprocess.run([sys.executable, "-m", "xlsx2csv", path], capture_output=True, text=True, check=True).stdout
values = [row[0] for row in csv.reader(text.splitlines())]
for (shown, _, _), value in zip(cells, values):
    print(f"{shown}: {value}")
sys.exit(0 if values == ['0 "y11"', '0 "stun04en"', '0 "06ays"', '0 "pcs"', "9", "45000"] else 1)
PYTHON
"$work/env/bin/python" "$work/units.py" "$work/units.xlsx"
