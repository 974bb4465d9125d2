#!/usr/bin/env bash
# haystack-ai 3.4.1 with its in-memory store beside qdrant-haystack 13.1.0 (Qdrant in memory), Python 3.11.
#
# One filter goes to two document stores of Haystack: NOT with the conditions "room is a" and "sender is bob". The in-memory
# store leaves out only what meets both, Qdrant's store leaves out what meets one of them. So a test in memory and the store in
# use show other messages, and neither raises. NOT around an OR is the same in both. A time without a zone, "after 09:00", is
# read in memory in the zone of each message: 10:00+02:00 is after it, and 08:00Z, the same moment, is not; Qdrant takes it for
# UTC.
#
# Output (in memory, Qdrant):
#   NOT [room a, sender bob]: ada in a, bob in b, eve in c | eve in c
#   NOT [OR [room a, sender bob]]: eve in c | eve in c
#   after 09:00: ada in a | nobody
#   after 09:00Z: nobody | nobody
#
# Most would guess that a filter is portable, as its language is the library's, and that two messages of one moment go together.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    haystack-ai==3.4.1 qdrant-haystack==13.1.0 qdrant-client==1.20.0
cat > "$work/filters.py" <<'PYTHON'
import logging
import sys
import warnings

from haystack import Document
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack_integrations.document_stores.qdrant import QdrantDocumentStore

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
messages = [("ada", "a", "2026-11-01T10:00:00+02:00"), ("bob", "b", "2026-11-01T08:00:00Z"), ("eve", "c", "2026-11-01T08:00:00Z")]
stores = [InMemoryDocumentStore(), QdrantDocumentStore(":memory:", embedding_dim=2, index="messages", progress_bar=False)]
for store in stores:
    store.write_documents([
        Document(content=f"{sender} in {room}", meta={"sender": sender, "room": room, "time": time}, embedding=[1.0, 0.0])
        for sender, room, time in messages])


def condition(field, operator, value):
    return {"field": f"meta.{field}", "operator": operator, "value": value}


two = [condition("room", "==", "a"), condition("sender", "==", "bob")]
filters = {
    "NOT [room a, sender bob]": {"operator": "NOT", "conditions": two},
    "NOT [OR [room a, sender bob]]": {"operator": "NOT", "conditions": [{"operator": "OR", "conditions": two}]},
    "after 09:00": condition("time", ">", "2026-11-01T09:00:00"),
    "after 09:00Z": condition("time", ">", "2026-11-01T09:00:00Z"),
}
found = {}
for name, wanted in filters.items():
    hits = [sorted(document.content for document in store.filter_documents(wanted)) for store in stores]
    found[name] = " | ".join(", ".join(contents) or "nobody" for contents in hits)
    print(f"{name}: {found[name]}")
sys.exit(0 if list(found.values()) == [
    "ada in a, bob in b, eve in c | eve in c", "eve in c | eve in c", "ada in a | nobody", "nobody | nobody",
] else 1)
PYTHON
"$work/env/bin/python" "$work/filters.py"
