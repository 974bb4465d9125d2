#!/usr/bin/env bash
# webvtt-py 0.6.0 and pysubs2 1.8.1 beside pycaption 2.3.14, Python 3.11.
#
# A transcript of a meeting in WebVTT names the speakers in voice spans, and one cue may hold two: a question and the answer to it.
# webvtt-py gives one `voice` for a cue, the first, and the text of both without the names: the answer seems to be by the person who asked. pysubs2
# drops all names, although its events have a field for one. Both leave "&lt;" and "&amp;" in the text, as the format has
# to write < and &. pycaption has the names at their words and the signs as they were said. No error.
#
# Output (webvtt-py, pysubs2, pycaption):
#   'Ada: Is it 3 &lt; 4?\nNo, R&amp;D knows.' | ': Is it 3 &lt; 4?\nNo, R&amp;D knows.' | 'Ada: Is it 3 < 4?\nBob: No, R&D knows.'
#   'Ada: Gate 4? Open.' | ': Gate 4? Open.' | 'Ada: Gate 4? Bob: Open.'
#
# Most would guess that the voice of a cue is the speaker of its text, and that text out of a reader is unescaped.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile webvtt-py==0.6.0 pysubs2==1.8.1 pycaption==2.3.14
cat > "$work/cues.py" <<'PYTHON'
import sys

import pysubs2
import webvtt
from pycaption import WebVTTReader

TRANSCRIPT = """WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ada>Is it 3 &lt; 4?
<v Bob>No, R&amp;D knows.

00:00:05.000 --> 00:00:07.000
<v Ada>Gate 4?</v> <v Bob>Open.</v>
"""
found = list(zip(
    [f"{cue.voice}: {cue.text}" for cue in webvtt.from_string(TRANSCRIPT)],
    [f"{event.name}: {event.plaintext}" for event in pysubs2.SSAFile.from_string(TRANSCRIPT)],
    [caption.get_text() for caption in WebVTTReader().read(TRANSCRIPT).get_captions("en-US")]))
for cue in found:
    print(" | ".join(map(repr, cue)))
sys.exit(0 if found == [
    ("Ada: Is it 3 &lt; 4?\nNo, R&amp;D knows.", ": Is it 3 &lt; 4?\nNo, R&amp;D knows.",
     "Ada: Is it 3 < 4?\nBob: No, R&D knows."),
    ("Ada: Gate 4? Open.", ": Gate 4? Open.", "Ada: Gate 4? Bob: Open."),
] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/cues.py"
