#!/usr/bin/env bash
# llama-index-core 0.14.25, Python 3.11.
#
# A QueryFusionRetriever is given two retrievers with the weights 0.99 and 0.01. In the modes `relative_score` and
# `dist_based_score` they count. In the mode `reciprocal_rerank` they are passed over without an error: 0.99 and 0.01 give
# the same order and the same scores as 0.01 and 0.99.
#
# Output (heavy first list, then heavy second list):
#   relative_score: a c b d | c a b d
#   dist_based_score: a b c d | c d a b
#   reciprocal_rerank: a c b d | a c b d
#
# Most would guess that the weights count in every mode, or that a mode that has no use for them refuses them.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check llama-index-core==0.14.25
cat > "$work/weights.py" <<'PYTHON'
import sys

from llama_index.core.llms.mock import MockLLM
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, TextNode


class Fixed(BaseRetriever):
    def __init__(self, scores):
        self.scores = scores
        super().__init__()

    def _retrieve(self, query):
        return [NodeWithScore(node=TextNode(id_=name, text=name), score=score) for name, score in self.scores.items()]


def order(mode, weights):
    retriever = QueryFusionRetriever(
        [Fixed({"a": 0.9, "b": 0.6}), Fixed({"c": 8.0, "d": 6.0})], llm=MockLLM(), mode=mode, num_queries=1,
        similarity_top_k=4, use_async=False, retriever_weights=weights
    )
    return [node.node.node_id for node in retriever.retrieve("anything")]


seen = {}
for mode in ("relative_score", "dist_based_score", "reciprocal_rerank"):
    seen[mode] = first, second = order(mode, [0.99, 0.01]), order(mode, [0.01, 0.99])
    print(f"{mode}: {' '.join(first)} | {' '.join(second)}")
same = [mode for mode, (first, second) in seen.items() if first == second]
sys.exit(0 if same == ["reciprocal_rerank"] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/weights.py"
