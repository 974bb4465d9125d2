#!/usr/bin/env bash
# chromadb 1.5.9, Python 3.11.
#
# A message is stored with its room and a mark, `pinned`. Later it is stored again with `upsert`, whole and without the
# mark. The text and the room are the new ones, and the old mark is still there: the new metadata is laid over the old, so
# a filter finds the message as pinned for ever. `add` of an id that exists changes nothing at all and says nothing.
#
# Output:
#   after upsert: text 'new text', metadata {'pinned': True, 'room': 'quay'}, found as pinned: ['message-1']
#   after add: text 'new text'
#
# Most would guess that upsert replaces what it is given whole, as update is there for parts, and that add of a known id
# is an error.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile chromadb==1.5.9
cat > "$work/upsert.py" <<'PYTHON'
import sys

import chromadb
from chromadb.config import Settings

messages = chromadb.EphemeralClient(Settings(anonymized_telemetry=False)).create_collection("messages")
key, vector = ["message-1"], [[1.0, 0.0]]
messages.add(ids=key, embeddings=vector, documents=["old text"], metadatas=[{"room": "board", "pinned": True}])
messages.upsert(ids=key, embeddings=vector, documents=["new text"], metadatas=[{"room": "quay"}])
stored, pinned = messages.get(ids=key), messages.get(where={"pinned": True})["ids"]
metadata = dict(sorted(stored["metadatas"][0].items()))
print(f"after upsert: text {stored['documents'][0]!r}, metadata {metadata}, found as pinned: {pinned}")
messages.add(ids=key, embeddings=vector, documents=["third text"])
text = messages.get(ids=key)["documents"][0]
print(f"after add: text {text!r}")
sys.exit(0 if metadata == {"pinned": True, "room": "quay"} and pinned == key and text == "new text" else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/upsert.py"
