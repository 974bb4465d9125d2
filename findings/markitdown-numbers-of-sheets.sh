#!/usr/bin/env bash
# markitdown 0.1.9 with openpyxl 3.1.5, Python 3.11.
#
# A sheet of a workbook is brought into Markdown for a language model. Numbers and texts do not stay what the cells show.
# In a column with one empty cell, ticket 4711 becomes 4711.0. Telephone numbers there become 4.915112e+12: the last
# digits are lost, and two numbers look alike. Article codes that are texts, "007" and "1.10", become 7.0 and 1.1, and the
# text "N/A" becomes NaN, as empty cells do.
#
# Output:
#   | ticket | phone | code | note |
#   | --- | --- | --- | --- |
#   | 4711.0 | 4.915112e+12 | 7.0 | NaN |
#   | NaN | NaN | 1.1 | NaN |
#   | 4712.0 | 4.915112e+12 | 12.0 | fixed |
#
# Most would guess that a cell with text is copied as it is, and that an integer has all its digits.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check "markitdown[xlsx]==0.1.9" openpyxl==3.1.5
cat > "$work/sheet.py" <<'PYTHON'
import sys

import openpyxl
from markitdown import MarkItDown

book = openpyxl.Workbook()
for row in (
    ["ticket", "phone", "code", "note"], [4711, 4915112345678, "007", "N/A"], [None, None, "1.10", None],
    [4712, 4915112345679, "012", "fixed"],
):
    book.active.append(row)
book.save(sys.argv[1])
lines = MarkItDown().convert(sys.argv[1]).text_content.strip().splitlines()[1:]
print("\n".join(lines))
text = " ".join(lines)
lost = "4711.0" in text and text.count("4.915112e+12") == 2 and "007" not in text and "N/A" not in text
sys.exit(0 if lost and "| 7.0 |" in text and "| 1.1 |" in text else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/sheet.py" "$work/sheet.xlsx"
