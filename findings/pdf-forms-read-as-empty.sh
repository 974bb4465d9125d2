#!/usr/bin/env bash
# pypdf 7.1.1, pdfplumber 0.11.10, pdfminer.six 20260107 and pypdfium2 5.15.2 beside pymupdf 2.0, with reportlab 5.1.0, Python
# 3.11.
#
# A PDF form is filled in: a ship and a berth stand in its fields, and every viewer shows them. The text that four readers
# extract has the questions without the answers, so an index or a language model sees an empty form. pypdfium2, the engine of a
# viewer that does show them, leaves them out also after `init_forms()`. pymupdf has them, at the end and not behind their
# questions. No warning.
#
# Output:
#   pypdf: Ship: Berth:
#   pdfplumber: Ship: Berth:
#   pdfminer.six: Ship: Berth:
#   pypdfium2: Ship: Berth:
#   pymupdf: Ship: Berth: Albatros Nine
#
# Most would guess that text which the page shows is in the text of the page, or that all readers agree on it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    pypdf==7.1.1 pdfplumber==0.11.10 pdfminer.six==20260107 pypdfium2==5.15.2 pymupdf==2.0 reportlab==5.1.0
cat > "$work/form.py" <<'PYTHON'
import sys

import pdfplumber
import pymupdf
import pypdf
import pypdfium2
from pdfminer.high_level import extract_text
from reportlab.pdfgen.canvas import Canvas

path = sys.argv[1]
canvas = Canvas(path)
canvas.drawString(72, 750, "Ship:")
canvas.acroForm.textfield(name="ship", value="Albatros", x=200, y=740, width=200, height=20)
canvas.drawString(72, 700, "Berth:")
canvas.acroForm.choice(name="berth", value="Nine", options=["Eight", "Nine"], x=200, y=690, width=200, height=20)
canvas.save()
fields = {name: field.get("/V") for name, field in pypdf.PdfReader(path).get_fields().items()}
assert fields == {"ship": "Albatros", "berth": "Nine"}, fields

document = pypdfium2.PdfDocument(path)
document.init_forms()
read = {
    "pypdf": pypdf.PdfReader(path).pages[0].extract_text(),
    "pdfplumber": pdfplumber.open(path).pages[0].extract_text(),
    "pdfminer.six": extract_text(path),
    "pypdfium2": document[0].get_textpage().get_text_range(),
    "pymupdf": pymupdf.open(path)[0].get_text(),
}
read = {name: " ".join(text.split()) for name, text in read.items()}
for name, text in read.items():
    print(f"{name}: {text}")
sys.exit(0 if read.pop("pymupdf") == "Ship: Berth: Albatros Nine" and set(read.values()) == {"Ship: Berth:"} else 1)
PYTHON
"$work/env/bin/python" "$work/form.py" "$work/form.pdf"
