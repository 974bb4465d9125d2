#!/usr/bin/env bash
# qdrant-edge-py 0.9.0 (Qdrant's own core inside of the process) beside the local mode of qdrant-client 1.20.0, Python 3.11.
#
# Messages have a mark, `pinned: True`. In qdrant-edge, `MatchValue(True)` asks for the number 1: it finds no pinned message,
# and finds one whose field holds 1. `must_not` with it leaves the pinned ones in. `MatchExcept([True])` and an index of the
# kind Bool do not mend it, nothing is raised. The same points and conditions in qdrant-client find the pinned message.
#
# Output (points: 1 True, 2 False, 3 the number 1, 4 the number 0; qdrant-edge, qdrant-client):
#   is True: [3], [1]
#   is False: [4], [2]
#   must not be True: [1, 2, 4], [2, 3, 4]
#   is True, with an index for Bool: [3], [1]
#
# Most would guess that True means true, as the payload that was stored comes back with True in it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile qdrant-edge-py==0.9.0 qdrant-client==1.20.0
cat > "$work/marks.py" <<'PYTHON'
import sys
import warnings

import qdrant_edge as edge
from qdrant_client import QdrantClient, models

warnings.filterwarnings("ignore")
marks = {1: True, 2: False, 3: 1, 4: 0}
shard = edge.EdgeShard.create(sys.argv[1], edge.EdgeConfig(
    vectors={"": edge.EdgeVectorParams(size=2, distance=edge.Distance.Dot)}))
shard.update(edge.UpdateOperation.upsert_points(
    [edge.Point(number, [1.0, 0.0], {"pinned": mark}) for number, mark in marks.items()]))
stored = {int(point.id): point.payload["pinned"] for point in shard.scroll(edge.ScrollRequest(limit=9))[0]}
assert stored[1] is True and stored[3] == 1, stored
client = QdrantClient(":memory:")
client.create_collection("marks", vectors_config=models.VectorParams(size=2, distance=models.Distance.DOT))
client.upsert("marks", [models.PointStruct(id=number, vector=[1.0, 0.0], payload={"pinned": mark})
                        for number, mark in marks.items()])


def found(kind, value):
    condition = edge.FieldCondition("pinned", match=edge.MatchValue(value))
    first, _ = shard.scroll(edge.ScrollRequest(limit=9, filter=edge.Filter(**{kind: [condition]})))
    condition = models.FieldCondition(key="pinned", match=models.MatchValue(value=value))
    second, _ = client.scroll("marks", scroll_filter=models.Filter(**{kind: [condition]}))
    return [sorted(int(point.id) for point in points) for points in (first, second)]


rows = {"is True": found("must", True), "is False": found("must", False), "must not be True": found("must_not", True)}
shard.update(edge.UpdateOperation.create_field_index("pinned", edge.PayloadSchemaType.Bool))
rows["is True, with an index for Bool"] = found("must", True)
for name, row in rows.items():
    print(f"{name}: {row[0]}, {row[1]}")
sys.exit(0 if list(rows.values()) == [[[3], [1]], [[4], [2]], [[1, 2, 4], [2, 3, 4]], [[3], [1]]] else 1)
PYTHON
"$work/env/bin/python" "$work/marks.py" "$work/shard"
