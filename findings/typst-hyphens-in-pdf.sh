#!/usr/bin/env bash
# typst 0.15.2, read by pypdf 7.1.1, pdfplumber 0.11.10, pdfminer.six 20260107, pypdfium2 5.15.2 and pymupdf 2.0, Python 3.11.
#
# A text in Typst begins with a word that is divided at the end of a line, and then names "A-4" and a date. The font has one
# glyph for the soft hyphen of the divided word and for the hyphen that is typed, and the PDF names it after the one that came
# first. So pypdf, pdfplumber and pdfminer give each typed hyphen of the page as U+00AD, which nothing shows and many indexes
# drop: "A-4" becomes "A4", and a date 20261129. If the gate comes before the divided word, all are hyphens. pymupdf and
# pypdfium2 give the typed ones as such, but pypdfium2 has U+FFFE, which is no character and which XML refuses, for the divided
# word's hyphen with the line's end.
#
# Output (how A-4, 2026-11-29 and the divided word are read; SHY for U+00AD):
#   pypdf: A<SHY>4, 2026<SHY>11<SHY>29, divided by <SHY><line>
#   pdfplumber: A<SHY>4, 2026<SHY>11<SHY>29, divided by <SHY><line>
#   pdfminer.six: A<SHY>4, 2026<SHY>11<SHY>29, divided by <SHY><line>
#   pypdfium2: A-4, 2026-11-29, divided by <FFFE>
#   pymupdf: A-4, 2026-11-29, divided by <SHY><line>
#   pypdf, the gate first: A-4, 2026-11-29, divided by -<line>
#
# Most would guess that a hyphen in the middle of a line is the hyphen that was typed, in each reader.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    typst==0.15.2 pypdf==7.1.1 pdfplumber==0.11.10 pdfminer.six==20260107 pypdfium2==5.15.2 pymupdf==2.0
cat > "$work/hyphens.py" <<'PYTHON'
import re
import sys
from pathlib import Path

import pdfplumber
import pymupdf
import pypdf
import pypdfium2
import typst
from pdfminer.high_level import extract_text

work = Path(sys.argv[1])


def compiled(name, *paragraphs):
    settings = '#set page(width: 8cm, height: 10cm, margin: 1cm)\n#set text(lang: "de", hyphenate: true)\n'
    (work / f"{name}.typ").write_text(settings + "\n\n".join(paragraphs))
    typst.compile(str(work / f"{name}.typ"), output=str(work / f"{name}.pdf"))
    return str(work / f"{name}.pdf")


def visible(text):
    signs = {"\u00ad": "<SHY>", "\ufffe": "<FFFE>", "\r\n": "<line>", "\n": "<line>"}
    return re.sub("\u00ad|\ufffe|\r?\n", lambda sign: signs[sign.group()], text)


def told(text):
    gate, date = re.search(r"Tor (A\W4) am (2026\W11\W29)", text).groups()
    divided = re.search(r"Unbedenk(\W+)lich", text).group(1)
    return f"{visible(gate)}, {visible(date)}, divided by {visible(divided)}"


word, gate = "Der Hafen verlangt eine Unbedenklichkeitsbescheinigung.", "Tor A-4 am 2026-11-29."
path = compiled("word-first", word, gate)
texts = {
    "pypdf": pypdf.PdfReader(path).pages[0].extract_text(),
    "pdfplumber": pdfplumber.open(path).pages[0].extract_text(),
    "pdfminer.six": extract_text(path),
    "pypdfium2": pypdfium2.PdfDocument(path)[0].get_textpage().get_text_range(),
    "pymupdf": pymupdf.open(path)[0].get_text(),
    "pypdf, the gate first": pypdf.PdfReader(compiled("gate-first", gate, word)).pages[0].extract_text(),
}
found = {name: told(text) for name, text in texts.items()}
for name, words in found.items():
    print(f"{name}: {words}")
soft = "A<SHY>4, 2026<SHY>11<SHY>29, divided by <SHY><line>"
sys.exit(0 if list(found.values()) == [
    soft, soft, soft, "A-4, 2026-11-29, divided by <FFFE>", "A-4, 2026-11-29, divided by <SHY><line>",
    "A-4, 2026-11-29, divided by -<line>",
] else 1)
PYTHON
"$work/env/bin/python" "$work/hyphens.py" "$work"
