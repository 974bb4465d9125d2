#!/usr/bin/env bash
# whisper-normalizer 0.1.15 with jiwer 4.0.0, Python 3.11.
#
# Transcripts are compared by the word error rate after the English normaliser of Whisper has brought both into one form. It
# takes differences away that matter. The sign of "-5" is gone, but "minus five" becomes -5: so -5 for "minus five" is an error,
# and 5 for -5 is none. "Berth four, five ships" becomes "berth 45 ships". Words in brackets are gone, also those that were said:
# "(not) open" and "open" are equal. It also makes differences: "can't" becomes "can not", and "cannot" stays, so the same word
# is an error, and "oh" is the digit 0.
#
# Output (said, written: word error rate):
#   It is -5 degrees. | It is 5 degrees.: 0.0
#   It is minus five degrees. | It is -5 degrees.: 0.25
#   Berth four, five ships. | Berth 45 ships.: 0.0
#   The code is nine, eleven. | The code is 911.: 0.0
#   The gate is (not) open. | The gate is open.: 0.0
#   We can't dock. | We cannot dock.: 0.5
#   Oh, no. | 0, no.: 0.0
#
# Most would guess that a normaliser makes equal what sounds equal, and keeps a sign, two numbers
# side by side and the word "not" as they are.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile whisper-normalizer==0.1.15 jiwer==4.0.0
cat > "$work/transcripts.py" <<'PYTHON'
import sys

import jiwer
from whisper_normalizer.english import EnglishTextNormalizer

normalize = EnglishTextNormalizer()
PAIRS = {
    ("It is -5 degrees.", "It is 5 degrees."): 0.0,
    ("It is minus five degrees.", "It is -5 degrees."): 0.25,
    ("Berth four, five ships.", "Berth 45 ships."): 0.0,
    ("The code is nine, eleven.", "The code is 911."): 0.0,
    ("The gate is (not) open.", "The gate is open."): 0.0,
    ("We can't dock.", "We cannot dock."): 0.5,
    ("Oh, no.", "0, no."): 0.0,
}
seen = {}
for said, written in PAIRS:
    seen[said, written] = jiwer.wer(normalize(said), normalize(written))
    print(f"{said} | {written}: {seen[said, written]}")
sys.exit(0 if seen == PAIRS else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/transcripts.py"
