#!/usr/bin/env bash
# usearch 2.26.6 with numpy 2.4.6, Python 3.11; the search is exact, so nothing is lost by the graph.
#
# An index with `dtype="i8"` brings each vector to the same length before it is rounded, also where the metric needs the
# lengths. With `metric="l2sq"` a vector and the same vector times 50 are at the distance 0, and of the ten true
# neighbours of ordinary random vectors half are found. With `dtype="f16"` or `"bf16"` and the same call all are. No
# error is raised, and `metric="cos"` hides it.
#
# Output:
#   i8:   distance to a vector 50 times as long 0, recall@10 0.51
#   f16:  distance to a vector 50 times as long 2401, recall@10 1.00
#   bf16: distance to a vector 50 times as long 2401, recall@10 0.99
#
# Most would guess that 8 bits round components with one scale for the index, and that ten exact neighbours suffer a little.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check usearch==2.26.6 numpy==2.4.6
cat > "$work/lengths.py" <<'PYTHON'
import sys

import numpy
from usearch.index import Index

generator = numpy.random.default_rng(1)
vectors = generator.normal(size=(500, 64)).astype(numpy.float32)
queries = generator.normal(size=(20, 64)).astype(numpy.float32)
distances = ((queries[:, None] - vectors[None]) ** 2).sum(axis=2)
true = [set(row[:10].tolist()) for row in numpy.argsort(distances, axis=1)]
# Two vectors of one direction, of the lengths 1 and 50.
unit = numpy.zeros((2, 64), dtype=numpy.float32)
unit[0, 0], unit[1, 0] = 1, 50


def measure(kind):
    pair = Index(ndim=64, metric="l2sq", dtype=kind)
    pair.add(numpy.arange(2), unit)
    index = Index(ndim=64, metric="l2sq", dtype=kind)
    index.add(numpy.arange(500), vectors)
    found = index.search(queries, 10, exact=True)
    recall = sum(len(true[place] & set(found.keys[place].tolist())) for place in range(20)) / 200
    return float(max(pair.search(unit[0], 2, exact=True).distances)), recall


results = {kind: measure(kind) for kind in ("i8", "f16", "bf16")}
for kind, (distance, recall) in results.items():
    print(f"{kind + ':':5} distance to a vector 50 times as long {distance:.0f}, recall@10 {recall:.2f}")
sys.exit(0 if results["i8"][0] == 0 and results["i8"][1] < 0.7 and results["f16"][0] > 2_000 < results["bf16"][0] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/lengths.py"
