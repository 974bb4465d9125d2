#!/usr/bin/env bash
# milvus-lite 3.2.2 (pymilvus 3.0.2), Python 3.11.
#
# Messages have a room, which may be NULL. Three filters say "not room a": `room != 'a'` and `not (room == 'a')` leave the
# message without a room out, `room not in ['a']` gives it. No error. So a filter that is built from a list of rooms to
# leave out changes its meaning with its form: a program that writes `!=` for one room and `not in` for several shows a
# message to one person and not to the other.
#
# Output:
#   room != 'a': [2]
#   not (room == 'a'): [2]
#   room not in ['a']: [2, 3]
#
# Most would guess that all three give the same, as in SQL, where NULL is neither in the list nor outside of it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check milvus-lite==3.2.2 pymilvus==3.0.2
cat > "$work/rooms.py" <<'PYTHON'
import sys

from pymilvus import DataType, MilvusClient

client = MilvusClient(f"{sys.argv[1]}/rooms.db")
schema = client.create_schema(auto_id=False)
schema.add_field("id", DataType.INT64, is_primary=True)
schema.add_field("room", DataType.VARCHAR, max_length=20, nullable=True)
schema.add_field("vector", DataType.FLOAT_VECTOR, dim=2)
indexes = client.prepare_index_params()
indexes.add_index("vector", index_type="FLAT", metric_type="COSINE")
client.create_collection("messages", schema=schema, index_params=indexes)
rooms = {1: "a", 2: "b", 3: None}
client.insert("messages", [{"id": n, "room": room, "vector": [1.0, float(n)]} for n, room in rooms.items()])
expected = {"room != 'a'": [2], "not (room == 'a')": [2], "room not in ['a']": [2, 3]}
seen = {}
for condition in expected:
    seen[condition] = sorted(row["id"] for row in client.query("messages", filter=condition, limit=10))
    print(f"{condition}: {seen[condition]}")
client.close()
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/rooms.py" "$work"
