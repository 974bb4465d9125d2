#!/usr/bin/env bash
# lancedb 0.40.0, Python 3.11.
#
# A hybrid search with `LinearCombinationReranker` brings the scores of both lists between 0 and 1 and adds them by weight. The
# lowest score of a list becomes 0, which is also the value of a message that the list does not have. So if one message has the
# word, it is the lowest and counts as if it lacked it: with the weight 0 for vectors, which leaves the words alone, a search
# for a ticket's number has the order of the vectors, and the ticket is not among the first three. As soon as a second message
# has a word of the question, the better one counts fully and the other not at all. RRFReranker finds the ticket.
#
# Output (the ticket is message 5):
#   linear, weight 0, 4711: 0 (0.0), 1 (0.0), 2 (0.0)
#   linear, weight 0.3, 4711: 0 (0.3), 1 (0.225), 2 (0.0)
#   linear, weight 0.3, 4711 berth: 5 (0.7), 0 (0.3), 1 (0.225)
#   ranks, 4711, the first two: 0, 5
#
# Most would guess that the only hit is the best one, as with weight 0 for the other list nothing else has a score.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check lancedb==0.40.0
cat > "$work/hybrid.py" <<'PYTHON'
import sys

import lancedb
from lancedb.rerankers import LinearCombinationReranker, RRFReranker

texts = ["gate free", "gate shut", "gate late", "pier free", "tide table", "crane ticket 4711 for tomorrow", "lunch",
         "a new berth on the other side of the harbour, behind the second pier"]
table = lancedb.connect(sys.argv[1]).create_table("messages", [
    {"id": number, "text": text, "vector": [float(number), 1.0]} for number, text in enumerate(texts)])
table.create_fts_index("text")


def search(words, reranker):
    query = table.search(query_type="hybrid").vector([0.0, 1.0]).text(words).rerank(reranker).limit(3)
    return [(row["id"], round(row["_relevance_score"], 3)) for row in query.to_list()]


seen = []
for weight, words in [(0, "4711"), (0.3, "4711"), (0.3, "4711 berth")]:
    seen.append(search(words, LinearCombinationReranker(weight=weight)))
    print(f"linear, weight {weight}, {words}: {', '.join(f'{number} ({score})' for number, score in seen[-1])}")
ranks = sorted(number for number, _ in search("4711", RRFReranker())[:2])
print(f"ranks, 4711, the first two: {', '.join(map(str, ranks))}")
expected = [[(0, 0.0), (1, 0.0), (2, 0.0)], [(0, 0.3), (1, 0.225), (2, 0.0)], [(5, 0.7), (0, 0.3), (1, 0.225)]]
sys.exit(0 if seen == expected and ranks == [0, 5] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/hybrid.py" "$work/tables"
