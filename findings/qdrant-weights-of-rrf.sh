#!/usr/bin/env bash
# qdrant-edge-py 0.9.0 (Qdrant's own core inside of the process), Python 3.11. The local mode of qdrant-client 1.20.0 gave
# the same.
#
# Ten points are searched by two vectors, and each search finds all ten: the first from 1 to 10, the second from 10 to 1.
# Both are fused by reciprocal ranks, the first with nine times the weight of the second. With k = 60, the constant that
# most use, the result has the order of the second: the point that the heavy search found last comes first, and the one
# that it found first comes last. The weight does not multiply the reciprocal rank: it divides the rank inside of it. So a
# heavy list gives nearly the same score to all its points, and with a large k the list with the small weight makes the
# difference. With k = 2, the default, the heavy search wins the first place, and a weight of 0 does what it says.
#
# Output:
#   k=60, weights 9 and 1: 10 9 8 7 6 5 4 3 2 1
#   k=2, weights 9 and 1: 1 10 2 3 9 4 5 8 6 7
#   k=60, weights 1 and 0: 1 2 3 4 5 6 7 8 9 10
#
# The parameter is described as giving more influence to a higher weight. Most would guess weight / (k + rank), as
# elsewhere, so that the order is that of the heavy search for every k.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check qdrant-edge-py==0.9.0
cat > "$work/weights.py" <<'PYTHON'
import sys
from math import cos, sin

from qdrant_edge import Distance, EdgeConfig, EdgeShard, EdgeVectorParams, Fusion, Point, Prefetch, Query, QueryRequest
from qdrant_edge import UpdateOperation

COUNT = 10
shard = EdgeShard.create(sys.argv[1], EdgeConfig(vectors={
    name: EdgeVectorParams(size=2, distance=Distance.Cosine) for name in ("heavy", "light")
}))


def direction(number):
    return [cos(number / 10), sin(number / 10)]


shard.update(UpdateOperation.upsert_points([
    Point(number, {"heavy": direction(number), "light": direction(COUNT + 1 - number)}, {})
    for number in range(1, COUNT + 1)
]))


def order(k, weights):
    searches = [Prefetch(limit=COUNT, query=Query.Nearest([1.0, 0.0], using=name)) for name in ("heavy", "light")]
    found = shard.query(QueryRequest(limit=COUNT, prefetches=searches, query=Fusion.Rrf(k, weights)))
    numbers = [int(point.id) for point in found if point.score > 0]
    numbers += sorted(int(point.id) for point in found if point.score <= 0)
    print(f"k={k}, weights {weights[0]:g} and {weights[1]:g}:", *numbers)
    return numbers


rising = list(range(1, COUNT + 1))
large, small, zero = order(60, [9.0, 1.0]), order(2, [9.0, 1.0]), order(60, [1.0, 0.0])
sys.exit(0 if large == rising[::-1] and small[0] == 1 and zero == rising else 1)
PYTHON
"$work/env/bin/python" "$work/weights.py" "$work/shard"
