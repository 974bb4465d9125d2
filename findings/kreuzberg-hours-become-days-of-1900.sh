#!/usr/bin/env bash
# kreuzberg 4.10.4 and polars 2.1.0 (with fastexcel 0.21.0) beside python-calamine 0.9.1, with openpyxl 3.1.5, Python 3.11.
#
# A plan of turns is a workbook: from when, for how long, what share. kreuzberg brings it into text for an index or a language model.
# A time of day becomes a moment on the last day of 1899, and a duration a moment as well: "30:15" hours are a quarter past six on
# 1 January 1900, so that nothing says that they were 30 hours. 25 % is 0.25. A model that is asked how long Mara's turn is, or what
# is old, reads this. polars keeps durations and gives times of day as moments of 1899. python-calamine gives a time and a
# duration. No error.
#
# Output (the sheet shows; kreuzberg | polars | python-calamine):
#   09:30: 1899-12-31 09:30:00 | 1899-12-31 09:30:00 | 09:30:00
#   30:15: 1900-01-01 06:15:00 | 1 day, 6:15:00 | 1 day, 6:15:00
#   0:45: 1899-12-31 00:45:00 | 0:45:00 | 0:45:00
#   25 %: 0.25 | 0.25 | 0.25
#
# Most would guess that an hour of a sheet is shown as in the sheet, or at least as an hour.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile kreuzberg==4.10.4 polars==2.1.0 fastexcel==0.21.0 \
    python-calamine==0.9.1 openpyxl==3.1.5
cat > "$work/turns.py" <<'PYTHON'
import datetime
import sys

import kreuzberg
import openpyxl
import polars
import python_calamine

file = sys.argv[1] + "/turns.xlsx"
book = openpyxl.Workbook()
sheet = book.active
sheet.append(["from", "for", "share"])
sheet.append([datetime.time(9, 30), datetime.timedelta(hours=30, minutes=15), 0.25])
sheet.append([datetime.time(18, 0), datetime.timedelta(minutes=45), 1])
for row in (2, 3):
    sheet.cell(row, 2).number_format = "[h]:mm"
    sheet.cell(row, 3).number_format = "0%"
book.save(file)
text = kreuzberg.extract_file_sync(file).content
rows, cells = polars.read_excel(file).rows(), python_calamine.load_workbook(file).get_sheet_by_index(0).to_python()[1:]
# The words of the first row, of which a moment has two.
first, second = [line.split() for line in text.splitlines() if line and line[0].isdigit()]
seen = [
    (" ".join(first[:2]), str(rows[0][0]), str(cells[0][0])), (" ".join(first[2:4]), str(rows[0][1]), str(cells[0][1])),
    (" ".join(second[2:4]), str(rows[1][1]), str(cells[1][1])), (first[4], str(rows[0][2]), str(cells[0][2]))]
for shown, values in zip(["09:30", "30:15", "0:45", "25 %"], seen):
    print(f"{shown}: {' | '.join(values)}")
sys.exit(0 if seen == [
    ("1899-12-31 09:30:00", "1899-12-31 09:30:00", "09:30:00"),
    ("1900-01-01 06:15:00", "1 day, 6:15:00", "1 day, 6:15:00"),
    ("1899-12-31 00:45:00", "0:45:00", "0:45:00"), ("0.25", "0.25", "0.25")] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/turns.py" "$work"
