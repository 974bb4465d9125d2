#!/usr/bin/env bash
# haystack-ai 3.4.1, Python 3.11.
#
# A DocumentJoiner with `distribution_based_rank_fusion` brings the scores of each list between 0 and 1, so that cosines
# and BM25 can be compared. If all scores of a list are equal, and so in every list with one hit, it leaves them as they
# are: a word that one message has comes with its BM25 of 12 above everything that the vectors found. As soon as a second
# message has the word, both are scaled.
#
# Output:
#   one hit by words: [('word 1', 12.0), ('vector 1', 0.67), ('vector 2', 0.33)]
#   two equal hits by words: [('word 1', 12.0), ('word 2', 12.0), ('vector 1', 0.67), ('vector 2', 0.33)]
#   two hits by words: [('vector 1', 0.67), ('word 1', 0.67), ('vector 2', 0.33), ('word 2', 0.33)]
#
# Most would guess that a list without a spread gets a middle score, and that no fused score is above 1.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile haystack-ai==3.4.1
cat > "$work/joiner.py" <<'PYTHON'
import sys

from haystack import Document
from haystack.components.joiners import DocumentJoiner


def hits(name, *scores):
    return [Document(id=f"{name} {n}", content=f"{name} {n}", score=score) for n, score in enumerate(scores, 1)]


def fused(title, *scores):
    joiner = DocumentJoiner(join_mode="distribution_based_rank_fusion")
    found = joiner.run(documents=[hits("vector", 0.9, 0.5), hits("word", *scores)])["documents"]
    pairs = [(one.id, round(one.score, 2)) for one in found]
    print(f"{title}: {pairs}")
    return dict(pairs)


one = fused("one hit by words", 12.0)
equal = fused("two equal hits by words", 12.0, 12.0)
two = fused("two hits by words", 12.0, 11.0)
sys.exit(0 if one["word 1"] == equal["word 2"] == 12 and max(two.values()) <= 1 else 1)
PYTHON
HAYSTACK_TELEMETRY_ENABLED=False "$work/env/bin/python" -W ignore "$work/joiner.py"
