#!/usr/bin/env bash
# python-docx 1.2.0, docx2txt 0.9, docx2python 3.7.1 and mammoth 1.13.0 (which markitdown uses), Python 3.11.
#
# A Word file has tracked changes: "free" was replaced by "broken", and a sentence was moved from the first paragraph to the
# second. `paragraph.text` of python-docx, which many loaders use, has neither the old word nor the new one, and the moved
# sentence is at neither place. docx2txt and docx2python have the new word, and the moved sentence at both places. Only mammoth
# gives the text that Word shows when the changes are accepted. No error.
#
# Output:
#   python-docx: The crane is .| Ask Mara.|See above. 
#   docx2txt: The crane is broken.|It was hit. Ask Mara.|See above. It was hit.
#   docx2python: The crane is broken.|It was hit. Ask Mara.|See above. It was hit.
#   mammoth: The crane is broken.| Ask Mara.|See above. It was hit.
#
# Most would guess the old text from a reader that does not know changes, and the new one from a reader that does; deleted text
# has a separate element for that, but text that was moved away does not.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    python-docx==1.2.0 docx2txt==0.9 docx2python==3.7.1 mammoth==1.13.0
cat > "$work/changes.py" <<'PYTHON'
import sys
from itertools import count

import docx
import docx2txt
import mammoth
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx2python import docx2python

path, numbers = sys.argv[1], count(1)


def run(text, element="t"):
    return f'<w:r><w:{element} xml:space="preserve">{text}</w:{element}></w:r>'


def change(name, content):
    return f'<w:{name} w:id="{next(numbers)}" w:author="Mara" w:date="2026-11-18T10:00:00Z">{content}</w:{name}>'


def moved(name, text):
    number = next(numbers)
    start = f'<w:{name}RangeStart w:id="{number}" w:author="Mara" w:date="2026-11-18T10:00:00Z" w:name="move1"/>'
    return start + change(name, run(text)) + f'<w:{name}RangeEnd w:id="{number}"/>'


document = docx.Document()
for content in [
    run("The crane is ") + change("del", run("free", "delText")) + change("ins", run("broken")) + run("."),
    moved("moveFrom", "It was hit.") + run(" Ask Mara."),
    run("See above. ") + moved("moveTo", "It was hit."),
]:
    paragraph = parse_xml(f"<w:p {nsdecls('w')}>{content}</w:p>")
    document.element.body.insert(len(document.element.body) - 1, paragraph)
document.save(path)


def joined(text):
    return "|".join(line for line in text.split("\n") if line)


with open(path, "rb") as file:
    read = {
        "python-docx": "|".join(paragraph.text for paragraph in docx.Document(path).paragraphs),
        "docx2txt": joined(docx2txt.process(path)),
        "docx2python": joined(docx2python(path).text),
        "mammoth": joined(mammoth.extract_raw_text(file).value),
    }
for name, text in read.items():
    print(f"{name}: {text}")
twice = "The crane is broken.|It was hit. Ask Mara.|See above. It was hit."
accepted = "The crane is broken.| Ask Mara.|See above. It was hit."
expected = {"python-docx": "The crane is .| Ask Mara.|See above. ", "docx2txt": twice, "docx2python": twice,
            "mammoth": accepted}
sys.exit(0 if read == expected else 1)
PYTHON
"$work/env/bin/python" "$work/changes.py" "$work/changes.docx"
