#!/usr/bin/env bash
# chonkie 1.7.0, Python 3.11.
#
# A transcript without line breaks and points is cut by RecursiveChunker into chunks of 20 words. The space between two chunks is in
# neither, and the places are counted as if it did not exist: each chunk is said to begin one character further in front than the one
# before it, and the fiftieth is 49 off. The length is right, so `text[start_index:end_index]` looks like a chunk, with half a
# word at both ends. The same words with a line break after every ten are right, and so is the tokenizer "character".
#
# Output (chunks whose text is at the place that is said, of all; how far the last one is off):
#   words in one line: 1 of 50, 49
#   words in lines: 50 of 50, 0
#   characters in one line: 66 of 66, 0
#
# Most would guess that the places are taken from the text, so that either all are right or the first wrong one is noticed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile chonkie==1.7.0
cat > "$work/places.py" <<'PYTHON'
import sys

from chonkie import RecursiveChunker

words = [f"word{number}" for number in range(1000)]
TEXTS = {
    "words in one line": (RecursiveChunker(tokenizer="word", chunk_size=20), " ".join(words)),
    "words in lines": (RecursiveChunker(tokenizer="word", chunk_size=20),
                       "\n".join(" ".join(words[place:place + 10]) for place in range(0, 1000, 10))),
    "characters in one line": (RecursiveChunker(tokenizer="character", chunk_size=120), " ".join(words)),
}
seen = {}
for name, (chunker, text) in TEXTS.items():
    chunks = chunker(text)
    right = sum(text[chunk.start_index:chunk.end_index] == chunk.text for chunk in chunks)
    # Every word is there once, so a chunk has only one true place.
    seen[name] = (right, len(chunks), text.index(chunks[-1].text) - chunks[-1].start_index)
    print("{}: {} of {}, {}".format(name, *seen[name]))
sys.exit(0 if seen["words in one line"] == (1, 50, 49) and all(
    right == all_chunks and off == 0 for name, (right, all_chunks, off) in seen.items() if name != "words in one line") else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/places.py"
