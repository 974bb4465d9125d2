#!/usr/bin/env bash
# chromadb 1.5.9 beside the local mode of qdrant-client 1.20.0, Python 3.11.
#
# A search by words or a reranker gives numbers of messages, the best first, and their texts are fetched by number. `get(ids=…)` of
# Chroma gives them in the order in which they were stored, and leaves out a number that it does not know, in the middle. So a
# program that puts the texts beside its scores gives the best score to the oldest message, and quotes one message under the
# name of another. With numbers that happen to ascend all is right. An update does not change the order. `retrieve` of Qdrant
# keeps the order that was asked for. Nothing is raised.
#
# Output (asked for 4, 2, 3, 1):
#   Chroma: 1 2 3 4
#   Chroma, 4 edited: 1 2 3 4
#   Chroma, asked for 4, 9, 2: 2 4
#   Qdrant: 4 2 3 1
#
# Most would guess that a list of ids gives a list in its order, as both functions take a list.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile chromadb==1.5.9 qdrant-client==1.20.0
cat > "$work/order.py" <<'PYTHON'
import sys

import chromadb
from qdrant_client import QdrantClient, models

numbers = [1, 2, 3, 4]
collection = chromadb.PersistentClient(
    sys.argv[1] + "/chroma", chromadb.Settings(anonymized_telemetry=False)).create_collection(
    "messages", embedding_function=None)
collection.add(
    ids=[str(number) for number in numbers], documents=[f"text {number}" for number in numbers],
    embeddings=[[1.0, number] for number in numbers])
client = QdrantClient(":memory:")
client.create_collection("messages", vectors_config=models.VectorParams(size=2, distance=models.Distance.COSINE))
client.upsert("messages", [
    models.PointStruct(id=number, vector=[1.0, number], payload={"text": f"text {number}"}) for number in numbers])


def by_chroma(ids):
    return " ".join(text.split()[1] for text in collection.get(ids=[str(one) for one in ids])["documents"])


seen = {"Chroma": by_chroma([4, 2, 3, 1])}
collection.update(ids=["4"], documents=["text 4"], embeddings=[[1.0, 4]])
seen["Chroma, 4 edited"] = by_chroma([4, 2, 3, 1])
seen["Chroma, asked for 4, 9, 2"] = by_chroma([4, 9, 2])
seen["Qdrant"] = " ".join(point.payload["text"].split()[1] for point in client.retrieve("messages", [4, 2, 3, 1]))
for name, order in seen.items():
    print(f"{name}: {order}")
sys.exit(0 if list(seen.values()) == ["1 2 3 4", "1 2 3 4", "2 4", "4 2 3 1"] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/order.py" "$work"
