#!/usr/bin/env bash
# bm25s 0.3.16 and Whoosh-Reloaded 2.7.5, Python 3.11.
#
# Both cut texts into words with the tokenizer that they bring, and leave out words of one character, digits, too. A search for "gate 4"
# looks for "gate" only: gate 5 has the same score as gate 4, and comes first if it was stored first. In Whoosh "gate AND 4" and the
# phrase find all gates, and "gate NOT 4" finds gate 4. The 4 alone finds nothing there; bm25s gives as many texts as were asked for, with
# the score 0. Numbers of two digits are words.
#
# Output:
#   bm25s, gate 4: gate 4=gate 5>gate 14
#   bm25s, gate 14: gate 14>gate 4=gate 5
#   whoosh, gate 4: gate 5, gate 4, gate 14
#   whoosh, gate AND 4: gate 5, gate 4, gate 14
#   whoosh, "gate 4": gate 5, gate 4, gate 14
#   whoosh, gate NOT 4: gate 5, gate 4, gate 14
#   whoosh, 4: nothing
#   whoosh, gate AND 14: gate 14
#
# Most would guess that a digit is a word, or that a search which cannot look for it says so.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile bm25s==0.3.16 whoosh-reloaded==2.7.5
cat > "$work/digits.py" <<'PYTHON'
import sys

import bm25s
from whoosh.fields import TEXT, Schema
from whoosh.filedb.filestore import RamStorage
from whoosh.qparser import QueryParser

texts = ["gate 5", "gate 4", "gate 14"]
seen = {}


def tokens(lines):
    return bm25s.tokenize(lines, show_progress=False)


retriever = bm25s.BM25()
retriever.index(tokens(texts), show_progress=False)
for question in ("gate 4", "gate 14"):
    numbers, scores = retriever.retrieve(tokens([question]), k=3, show_progress=False)
    groups = {}
    for number, score in zip(numbers[0], scores[0]):
        groups.setdefault(round(float(score), 4), []).append(texts[number])
    by_score = [groups[score] for score in sorted(groups, reverse=True)]
    seen[f"bm25s, {question}"] = ">".join("=".join(sorted(group, key=lambda gate: int(gate[5:]))) for group in by_score)

index = RamStorage().create_index(Schema(text=TEXT(stored=True)))
writer = index.writer()
for text in texts:
    writer.add_document(text=text)
writer.commit()
with index.searcher() as searcher:
    for question in ("gate 4", "gate AND 4", '"gate 4"', "gate NOT 4", "4", "gate AND 14"):
        hits = searcher.search(QueryParser("text", index.schema).parse(question))
        seen[f"whoosh, {question}"] = ", ".join(hit["text"] for hit in hits) or "nothing"

for title, line in seen.items():
    print(f"{title}: {line}")
every = "gate 5, gate 4, gate 14"
expected = ["gate 4=gate 5>gate 14", "gate 14>gate 4=gate 5", every, every, every, every, "nothing", "gate 14"]
sys.exit(0 if list(seen.values()) == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/digits.py"
