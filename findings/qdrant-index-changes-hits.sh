#!/usr/bin/env bash
# qdrant-edge-py 0.9.0 (Qdrant's own core inside of the process), Python 3.11.
#
# A filter is asked twice, before and after its field got a payload index, which is said to make filters fast. The hits change.
# With an index of the kind Integer, a range loses 2.5, and the value 1 also finds 1.0, which it does not find without the
# index. With an index of the kind Text, two words are found that stand in different texts of one list; without it one text must
# have both. A phrase is found without the index, and never with it unless `phrase_matching` was switched on. Nothing is raised,
# and the stored payload is the same.
#
# Output (without the index, with it):
#   n at least 1: [1, 2, 3], [1, 2]
#   n is 1: [1], [1, 2]
#   texts with "broken crane": [1], [1, 2]
#   texts with the phrase "the crane": [1], []
#
# Most would guess that an index changes the time of a search and not what it finds, or refuses what it cannot hold.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile qdrant-edge-py==0.9.0
cat > "$work/indexed.py" <<'PYTHON'
import sys

from qdrant_edge import Distance, EdgeConfig, EdgeShard, EdgeVectorParams, FieldCondition, Filter, MatchPhrase, MatchText
from qdrant_edge import MatchValue, PayloadSchemaType, Point, RangeFloat, ScrollRequest, UpdateOperation

payloads = {1: {"n": 1, "texts": ["the crane is broken", "gate 4"]}, 2: {"n": 1.0, "texts": ["one crane", "the broken gate"]},
            3: {"n": 2.5, "texts": ["nothing new"]}}
shard = EdgeShard.create(sys.argv[1], EdgeConfig(vectors={"": EdgeVectorParams(size=2, distance=Distance.Dot)}))
shard.update(UpdateOperation.upsert_points(
    [Point(number, [1.0, 0.0], payload) for number, payload in payloads.items()]))
conditions = {
    "n at least 1": FieldCondition("n", range=RangeFloat(gte=1.0)),
    "n is 1": FieldCondition("n", match=MatchValue(1)),
    'texts with "broken crane"': FieldCondition("texts[]", match=MatchText("broken crane")),
    'texts with the phrase "the crane"': FieldCondition("texts[]", match=MatchPhrase("the crane")),
}


def hits():
    found = {}
    for name, condition in conditions.items():
        points, _ = shard.scroll(ScrollRequest(limit=9, filter=Filter(must=[condition])))
        found[name] = sorted(int(point.id) for point in points)
    return found


before = hits()
shard.update(UpdateOperation.create_field_index("n", PayloadSchemaType.Integer))
shard.update(UpdateOperation.create_field_index("texts[]", PayloadSchemaType.Text))
after = hits()
for name in conditions:
    print(f"{name}: {before[name]}, {after[name]}")
sys.exit(0 if [list(before.values()), list(after.values())] == [
    [[1, 2, 3], [1], [1], [1]], [[1, 2], [1, 2], [1, 2], []],
] else 1)
PYTHON
"$work/env/bin/python" "$work/indexed.py" "$work/shard"
