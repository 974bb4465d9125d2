#!/usr/bin/env bash
# semantic-text-splitter 0.33.1, Python 3.11.
#
# A chat is cut into chunks of 200 characters at most that overlap. If a border is between two lines, only a whole line is repeated,
# and none if the last one is longer than the overlap: with messages of a usual length most neighbours share nothing. The same
# words in one long line are cut at words, and all neighbours overlap by nearly the number that was given. So the lines of a
# chat, which make the chunks better, take the overlap away, without a warning.
#
# Output (neighbours that share text, of all):
#   overlap 25: 0 of 27 in lines, 24 of 24 in one line
#   overlap 50: 10 of 28 in lines, 28 of 28 in one line
#   overlap 100: 26 of 37 in lines, 42 of 42 in one line
#
# Most would guess that each chunk begins with the end of the one before, cut at a word if no larger piece fits, as the chunks
# themselves are.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check semantic-text-splitter==0.33.1
cat > "$work/overlap.py" <<'PYTHON'
import random
import sys

from semantic_text_splitter import TextSplitter

chance = random.Random(1)
words = "the crane is broken at pier four we wait for parts until friday ok see you then gate sticks again".split()
lines = [" ".join(chance.choice(words) for _ in range(chance.randint(1, 25))) for _ in range(60)]


def overlaps(text, overlap):
    chunks = TextSplitter(200, overlap=overlap).chunk_indices(text)
    assert all(len(chunk) <= 200 for _, chunk in chunks)
    return [start + len(chunk) > chunks[place + 1][0] for place, (start, chunk) in enumerate(chunks[:-1])]


seen = {}
for overlap in (25, 50, 100):
    in_lines, in_one = overlaps("\n".join(line + "." for line in lines), overlap), overlaps(" ".join(lines), overlap)
    seen[overlap] = (sum(in_lines), len(in_lines), sum(in_one), len(in_one))
    print("overlap {}: {} of {} in lines, {} of {} in one line".format(overlap, *seen[overlap]))
sys.exit(0 if seen == {25: (0, 27, 24, 24), 50: (10, 28, 28, 28), 100: (26, 37, 42, 42)} else 1)
PYTHON
"$work/env/bin/python" "$work/overlap.py"
