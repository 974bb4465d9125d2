#!/usr/bin/env bash
# llama-index-core 0.14.25, Python 3.11.
#
# An IngestionPipeline with the strategy UPSERTS knows messages by their ids: new ones are stored, changed ones replace the old. It also
# keeps a cache of what it made of a text, also if nobody asks for one. So "ok" of message 2, in a call after "ok" of message 1, becomes
# the node that was made for message 1, with 1 as its source: message 2 is not there, and the document store says that it is. When both
# are in one call both are stored, but then a message and its edit in one call are both stored, too, under one id.
#
# Output (texts in the vector store, by id):
#   "ok" of 1, then of 2: 1=ok, the document store has 1 2
#   "ok" of 1 and of 2 in one call: 1=ok 2=ok, the document store has 1 2
#   3, then its edit: 3=gate 4 shut, the document store has 3
#   3 and its edit in one call: 3=gate 4 open 3=gate 4 shut, the document store has 3
#
# Most would guess that ids decide, and that one call with two messages does the same as two calls.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile llama-index-core==0.14.25
cat > "$work/ingest.py" <<'PYTHON'
import sys

from llama_index.core import MockEmbedding
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.node_parser import TokenTextSplitter
from llama_index.core.schema import Document
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore


class Store(SimpleVectorStore):
    """Remembers the text of each node, for the output."""

    def add(self, nodes, **options):
        texts.update({node.node_id: node.text for node in nodes})
        return super().add(nodes, **options)


def stored(*calls):
    store, documents = Store(), SimpleDocumentStore()
    pipeline = IngestionPipeline(
        transformations=[TokenTextSplitter(), MockEmbedding(embed_dim=2)], docstore=documents, vector_store=store,
        docstore_strategy=DocstoreStrategy.UPSERTS)
    for call in calls:
        pipeline.run(documents=[Document(id_=number, text=text) for number, text in call])
    nodes = sorted(f"{number}={texts[node]}" for node, number in store.data.text_id_to_ref_doc_id.items())
    return f"{' '.join(nodes)}, the document store has {' '.join(sorted(documents.docs))}"


texts = {}
equal, edited = [("1", "ok"), ("2", "ok")], [("3", "gate 4 open"), ("3", "gate 4 shut")]
seen = {
    '"ok" of 1, then of 2': stored(equal[:1], equal[1:]), '"ok" of 1 and of 2 in one call': stored(equal),
    "3, then its edit": stored(edited[:1], edited[1:]), "3 and its edit in one call": stored(edited),
}
for title, line in seen.items():
    print(f"{title}: {line}")
expected = [
    "1=ok, the document store has 1 2", "1=ok 2=ok, the document store has 1 2", "3=gate 4 shut, the document store has 3",
    "3=gate 4 open 3=gate 4 shut, the document store has 3",
]
sys.exit(0 if list(seen.values()) == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/ingest.py"
