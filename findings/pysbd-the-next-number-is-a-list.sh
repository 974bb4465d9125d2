#!/usr/bin/env bash
# pysbd 0.3.4 beside sentencex 1.0.32, Python 3.11.
#
# Sentences are cut for a search or a summary. Two sentences of a text end with numbers that follow each other, gates 4 and 5 or hours 9 and
# 10. pysbd takes such numbers for those of a list, wherever they stand, and cuts in front of them: "Open gate 4. Shut gate 5." has the
# piece "4. Shut gate", as if gate 4 had to be shut. The same happens to letters, "plan a" and "plan b", and in German. Gates 4 and 6 are
# cut rightly, so that one digit changes the sentences around it. sentencex cuts after the numbers, and not at all after the letters.
#
# Output (pysbd, then sentencex where it differs):
#   Open gate 4. Shut gate 5. Go home.: Open gate | 4. Shut gate | 5. Go home.
#     sentencex: Open gate 4. | Shut gate 5. | Go home.
#   Open gate 4. Shut gate 6. Go home.: Open gate 4. | Shut gate 6. | Go home.
#   He came at 9. She came at 10. All left.: He came at | 9. She came at | 10. All left.
#     sentencex: He came at 9. | She came at 10. | All left.
#   We chose plan a. Not plan b. Good.: We chose plan | a. Not plan | b. Good.
#     sentencex: We chose plan a. Not plan b. Good.
#   Wir haben 4. Ihr habt 5. Gut.: Wir haben | 4. Ihr habt | 5. Gut.
#     sentencex: Wir haben 4. | Ihr habt 5. | Gut.
#
# Most would guess that a list is looked for at the beginnings of lines, and that no sentence begins with the number of the one before.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pysbd==0.3.4 sentencex==1.0.32
cat > "$work/sentences.py" <<'PYTHON'
import sys

import pysbd
import sentencex

right = {
    ("en", "Open gate 4. Shut gate 5. Go home."): "Open gate | 4. Shut gate | 5. Go home.",
    ("en", "Open gate 4. Shut gate 6. Go home."): "Open gate 4. | Shut gate 6. | Go home.",
    ("en", "He came at 9. She came at 10. All left."): "He came at | 9. She came at | 10. All left.",
    ("en", "We chose plan a. Not plan b. Good."): "We chose plan | a. Not plan | b. Good.",
    ("de", "Wir haben 4. Ihr habt 5. Gut."): "Wir haben | 4. Ihr habt | 5. Gut.",
}
good = True
for (language, text), expected in right.items():
    cut = " | ".join(sentence.strip() for sentence in pysbd.Segmenter(language=language, clean=False).segment(text))
    other = " | ".join(sentence.strip() for sentence in sentencex.segment(language, text))
    print(f"{text}: {cut}")
    if other != cut:
        print(f"  sentencex: {other}")
    good = good and cut == expected and other == (text if "plan" in text else text.replace(". ", ". | "))
sys.exit(0 if good else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/sentences.py"
