#!/usr/bin/env bash
# python-docx 1.2.0, docx2txt 0.9, docx2python 3.7.1 and mammoth 1.13.0, Python 3.11.
#
# A Word file has words that are wrapped: a date that was chosen in a content control, a cross-reference in a simple field, a
# word with a smart tag, a word with its reading above it (ruby), and "A-4" with the hyphen that does not break. Each reader loses
# others, without an error. `paragraph.text` of python-docx leaves out all but the hyphen, so that "due Friday noon" is "due
# noon". mammoth leaves out the field and the word under its reading. docx2txt and docx2python keep the words, drop the
# hyphen, which makes another gate of A-4, and put the reading in front of the word.
#
# Output:
#   python-docx: due  noon | page  of |  calls |  office | gate A-4
#   docx2txt: due Friday noon | page 7 of | Bremen calls | とうきょう東京 office | gate A4
#   docx2python: due Friday noon | page 7 of | Bremen calls | とうきょう東京 office | gate A4
#   mammoth: due Friday noon | page  of | Bremen calls |  office | gate A‑4
#
# Most would guess that a wrapper marks a word and hides it from nobody, and that a hyphen is a hyphen.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    python-docx==1.2.0 docx2txt==0.9 docx2python==3.7.1 mammoth==1.13.0
cat > "$work/wrapped.py" <<'PYTHON'
import sys

import docx
import docx2txt
import mammoth
from docx.oxml import parse_xml
from docx2python import docx2python

names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
path = f"{sys.argv[1]}/wrapped.docx"


def run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


paragraphs = [
    run("due ") + f'<w:sdt><w:sdtPr><w:alias w:val="day"/></w:sdtPr><w:sdtContent>{run("Friday")}</w:sdtContent></w:sdt>'
    + run(" noon"),
    run("page ") + f'<w:fldSimple w:instr=" PAGEREF gate ">{run("7")}</w:fldSimple>' + run(" of"),
    f'<w:smartTag w:uri="urn:places" w:element="City">{run("Bremen")}</w:smartTag>' + run(" calls"),
    f'<w:r><w:ruby><w:rubyPr/><w:rt>{run("とうきょう")}</w:rt><w:rubyBase>{run("東京")}</w:rubyBase></w:ruby></w:r>' + run(" office"),
    '<w:r><w:t>gate A</w:t><w:noBreakHyphen/><w:t>4</w:t></w:r>',
]
document = docx.Document()
for paragraph in paragraphs:
    document.element.body.insert(len(document.element.body) - 1, parse_xml(f"<w:p {names}>{paragraph}</w:p>"))
document.save(path)
with open(path, "rb") as file:
    raw = mammoth.extract_raw_text(file).value
with docx2python(path) as read:
    parts = read.text
found = {
    "python-docx": [paragraph.text for paragraph in docx.Document(path).paragraphs],
    "docx2txt": docx2txt.process(path).split("\n\n"),
    "docx2python": parts.split("\n\n"),
    "mammoth": raw.removesuffix("\n\n").split("\n\n"),
}
for name, texts in found.items():
    print(f"{name}: {' | '.join(texts)}")
every = ["due Friday noon", "page 7 of", "Bremen calls", "とうきょう東京 office", "gate A4"]
sys.exit(0 if found == {
    "python-docx": ["due  noon", "page  of", " calls", " office", "gate A-4"], "docx2txt": every, "docx2python": every,
    "mammoth": ["due Friday noon", "page  of", "Bremen calls", " office", "gate A\u20114"]} else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/wrapped.py" "$work"
