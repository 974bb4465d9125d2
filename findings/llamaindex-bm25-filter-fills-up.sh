#!/usr/bin/env bash
# llama-index-retrievers-bm25 0.8.0 (llama-index-core 0.14.25, bm25s 0.3.16), Python 3.11.
#
# A BM25Retriever gets `filters` for one room. It multiplies the scores of all other messages by 0, and then takes the best `k` of all
# messages: if fewer of the room have a word of the question, it fills the rest with any, also with those of the other room.
# They come with the score 0, last or, if nothing was found, first. So a filter chooses an order, not a set, and a program that
# gives the results to a language model shows it the other room. A filter of the same kind in a vector store keeps it away.
#
# Output (rooms of the results for a filter by quay, k = 3):
#   crane, by words: quay quay board
#   harbour, by words: quay board quay
#   harbour, by vectors: quay quay quay
#
# Most would guess that a filter leaves out what does not match it, as everywhere else in the library, and gives fewer results.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    llama-index-retrievers-bm25==0.8.0 llama-index-core==0.14.25 bm25s==0.3.16
cat > "$work/rooms.py" <<'PYTHON'
import sys

from llama_index.core import MockEmbedding, VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from llama_index.retrievers.bm25 import BM25Retriever

messages = [
    ("quay", "the crane is broken"), ("board", "contract for another crane"), ("quay", "the gate sticks"),
    ("board", "berth four is free"), ("quay", "lunch at noon"),
]
nodes = [TextNode(text=text, id_=str(number), metadata={"place": room}, excluded_embed_metadata_keys=["place"])
         for number, (room, text) in enumerate(messages)]
quay = MetadataFilters(filters=[MetadataFilter(key="place", value="quay")])
by_words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=3, filters=quay)
by_vectors = VectorStoreIndex(nodes, embed_model=MockEmbedding(4)).as_retriever(similarity_top_k=3, filters=quay)
seen = []
for name, question, retriever in [("crane, by words", "crane", by_words), ("harbour, by words", "harbour", by_words),
                                  ("harbour, by vectors", "harbour", by_vectors)]:
    seen.append([hit.metadata["place"] for hit in retriever.retrieve(question)])
    print(f"{name}: {' '.join(seen[-1])}")
sys.exit(0 if seen == [["quay", "quay", "board"], ["quay", "board", "quay"], ["quay", "quay", "quay"]] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/rooms.py"
