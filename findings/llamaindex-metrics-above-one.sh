#!/usr/bin/env bash
# llama-index-core 0.14.25 beside haystack-ai 3.4.1, Python 3.11.
#
# Long messages are cut into passages, so one message can be found several times. The measures of LlamaIndex count each time as a
# hit: with one right message, found three times, the average precision is 3, nDCG 2.13 and the granular hit rate 3, where 1 is the
# best that there is. Of two right messages one is found twice and the other not at all: average precision and nDCG are
# 1, as for a perfect answer. Only recall is right. So a system that cuts into smaller pieces wins by its copies, and an average over
# questions hides that some are above 1. Haystack's evaluators count a document once. No error.
#
# Output (right, found: average precision, nDCG, granular hit rate, recall of LlamaIndex | average precision, nDCG of Haystack):
#   a, a a a: 3.00 2.13 3.00 1.00 | 1.00 1.00
#   a, x a a: 1.17 1.13 2.00 1.00 | 0.50 0.63
#   a b, a a: 1.00 1.00 1.00 0.50 | 0.50 0.61
#   a b, a x b: 0.83 0.92 1.00 1.00 | 0.83 0.92
#
# Most would guess that a measure between 0 and 1 stays there, and that finding a message again adds nothing.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile llama-index-core==0.14.25 haystack-ai==3.4.1
cat > "$work/twice.py" <<'PYTHON'
import sys

from haystack import Document
from haystack.components.evaluators import DocumentMAPEvaluator, DocumentNDCGEvaluator
from llama_index.core.evaluation.retrieval.metrics import NDCG, AveragePrecision, HitRate, Recall

seen = []
for right, found in [("a", "a a a"), ("a", "x a a"), ("a b", "a a"), ("a b", "a x b")]:
    expected, retrieved = right.split(), found.split()
    figures = [
        measure.compute(expected_ids=expected, retrieved_ids=retrieved).score
        for measure in (AveragePrecision(), NDCG(), HitRate(use_granular_hit_rate=True), Recall())]
    documents = [[Document(id=one, content=one) for one in ids] for ids in (expected, retrieved)]
    others = [
        evaluator.run(ground_truth_documents=[documents[0]], retrieved_documents=[documents[1]])["score"]
        for evaluator in (DocumentMAPEvaluator(), DocumentNDCGEvaluator())]
    seen.append(" | ".join(" ".join(format(figure, ".2f") for figure in one) for one in (figures, others)))
    print(f"{right}, {found}: {seen[-1]}")
sys.exit(0 if seen == [
    "3.00 2.13 3.00 1.00 | 1.00 1.00", "1.17 1.13 2.00 1.00 | 0.50 0.63", "1.00 1.00 1.00 0.50 | 0.50 0.61",
    "0.83 0.92 1.00 1.00 | 0.83 0.92"] else 1)
PYTHON
HAYSTACK_TELEMETRY_ENABLED=False "$work/env/bin/python" -W ignore "$work/twice.py"
