#!/usr/bin/env bash
# rank-bm25 0.2.2 beside bm25s 0.3.16, with numpy 2.4.6, Python 3.11.
#
# BM25 gives less for each further time that a text has a word, so that a text does not win by repeating it. BM25L changes how the length of
# a text counts, and keeps that. The class BM25L of rank-bm25 multiplies by the count once more: among texts of equal length, the one that
# says "gate" twenty times has 37 times the score of the one that says it once, where Okapi of the same package has 2.3 times and
# BM25L of bm25s 1.9 times. So a message that repeats one word of a question outweighs one that has all of its words once.
#
# Output (scores for 1, 2, 5 and 20 times, by that for once):
#   BM25Okapi of rank-bm25: 1.0 1.4 1.9 2.3
#   BM25L of rank-bm25: 1.0 2.5 7.9 37.3
#   BM25L of bm25s: 1.0 1.2 1.6 1.9
#   gate lamp rope, BM25Okapi of rank-bm25: first is gate lamp rope ship
#   gate lamp rope, BM25L of rank-bm25: first is gate
#
# Most would guess that each BM25 levels off, and that two packages mean the same by BM25L.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile rank-bm25==0.2.2 bm25s==0.3.16 \
    numpy==2.4.6
cat > "$work/repeat.py" <<'PYTHON'
import bm25s
from rank_bm25 import BM25L, BM25Okapi

counts = [1, 2, 5, 20]
texts = [["gate"] * count + ["ship"] * (20 - count) for count in counts] + [["crane"] * 20 for _ in range(20)]
index = bm25s.BM25(method="bm25l")
index.index(texts, show_progress=False)
for name, scores in [("BM25Okapi of rank-bm25", BM25Okapi(texts).get_scores(["gate"])),
                     ("BM25L of rank-bm25", BM25L(texts).get_scores(["gate"])),
                     ("BM25L of bm25s", index.get_scores(["gate"]))]:
    print(f"{name}:", *(f"{scores[place] / scores[0]:.1f}" for place in range(len(counts))))
texts[-1] = ["gate", "lamp", "rope"] + ["ship"] * 17
for kind in [BM25Okapi, BM25L]:
    scores = kind(texts).get_scores(["gate", "lamp", "rope"])
    print(f"gate lamp rope, {kind.__name__} of rank-bm25: first is {' '.join(dict.fromkeys(texts[scores.argmax()]))}")
PYTHON
"$work/env/bin/python" -W ignore "$work/repeat.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
BM25Okapi of rank-bm25: 1.0 1.4 1.9 2.3
BM25L of rank-bm25: 1.0 2.5 7.9 37.3
BM25L of bm25s: 1.0 1.2 1.6 1.9
gate lamp rope, BM25Okapi of rank-bm25: first is gate lamp rope ship
gate lamp rope, BM25L of rank-bm25: first is gate
SEEN
