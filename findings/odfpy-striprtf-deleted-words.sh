#!/usr/bin/env bash
# odfpy 1.4.1 and striprtf 0.0.35, Python 3.11.
#
# A text of LibreOffice and one in RTF have tracked changes: "free" was deleted, "broken" was written. OpenDocument keeps
# deleted paragraphs at the top of the file, and odfpy's `getElementsByType(P)`, the usual way to the text, begins with them, as
# if they were the first lines of the document. Text of a footnote comes twice, in its paragraph and as one. striprtf puts the
# deleted word before the new one, without a space, and shows text that is marked as hidden. No error.
#
# Output:
#   odfpy: free|The crane is broken.|Ask Mara1or Ilse today.|or Ilse
#   striprtf: The crane is freebroken.|Ask Mara, not Joost.
#
# Most would guess that deleted words are left out, because they are no part of the text any more, and that each text comes
# once.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile odfpy==1.4.1 striprtf==0.0.35
cat > "$work/deleted.py" <<'PYTHON'
import sys
import zipfile

from odf import teletype
from odf.opendocument import load
from odf.text import P
from striprtf.striprtf import rtf_to_text

names = "urn:oasis:names:tc:opendocument:xmlns"
kind = "application/vnd.oasis.opendocument.text"
manifest = f"""<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="{names}:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>"""


def region(number, name, content):
    info = "<office:change-info><dc:creator>Mara</dc:creator><dc:date>2026-11-18T10:00:00</dc:date></office:change-info>"
    change = f"<text:{name}>{info}{content}</text:{name}>"
    return f'<text:changed-region xml:id="c{number}" text:id="c{number}">{change}</text:changed-region>'


note = ('<text:note text:id="n1" text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>or Ilse</text:p></text:note-body></text:note>")
changes = region(1, "deletion", "<text:p>free</text:p>") + region(2, "insertion", "")
new = '<text:change-start text:change-id="c2"/>broken<text:change-end text:change-id="c2"/>'
content = f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="{names}:office:1.0" xmlns:text="{names}:text:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2"><office:body><office:text>
<text:tracked-changes>{changes}</text:tracked-changes>
<text:p>The crane is <text:change text:change-id="c1"/>{new}.</text:p>
<text:p>Ask Mara{note} today.</text:p>
</office:text></office:body></office:document-content>"""
with zipfile.ZipFile(sys.argv[1], "w") as file:
    file.writestr("mimetype", kind)
    file.writestr("META-INF/manifest.xml", manifest)
    file.writestr("content.xml", content)
rtf = r"""{\rtf1\ansi{\*\revtbl{Unknown;}{Mara;}}The crane is {\deleted\revauthdel1 free}{\revised\revauth1 broken}.\par
Ask Mara{\v , not Joost}.\par}"""
read = {
    "odfpy": "|".join(teletype.extractText(paragraph) for paragraph in load(sys.argv[1]).getElementsByType(P)),
    "striprtf": "|".join(rtf_to_text(rtf).split("\n")[:2]),
}
for name, text in read.items():
    print(f"{name}: {text}")
sys.exit(0 if read == {
    "odfpy": "free|The crane is broken.|Ask Mara1or Ilse today.|or Ilse",
    "striprtf": "The crane is freebroken.|Ask Mara, not Joost.",
} else 1)
PYTHON
"$work/env/bin/python" "$work/deleted.py" "$work/changes.odt"
