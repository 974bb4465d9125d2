#!/usr/bin/env bash
# mem0ai 2.2.1 with faiss-cpu 1.15.1, beside its store for Qdrant (qdrant-client 1.20.0, local), Python 3.11.
#
# A memory for several people stores each sentence with its person, and each search has a filter by person. The store on FAISS takes
# the nearest sentences of all people, twice as many as are asked for, and then leaves out those of others. So what a quiet
# person said is not found as soon as a talkative one has said enough that is near the question: of five sentences none. With the
# same rows and the same call the store on Qdrant finds them all. Nothing is raised, and the person who says much never sees
# it.
#
# Output (sentences of the quiet person for k = 5: FAISS, Qdrant):
#   beside 5 sentences of the other: 5, 5
#   beside 8: 2, 5
#   beside 10: 0, 5
#   beside 1000: 0, 5
#
# Most would guess that a filter by person comes first, as the stores of one library are exchangeable by a setting.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mem0ai==2.2.1 faiss-cpu==1.15.1 qdrant-client==1.20.0
cat > "$work/people.py" <<'PYTHON'
import sys
import uuid

from mem0.vector_stores.faiss import FAISS
from mem0.vector_stores.qdrant import Qdrant

folder = sys.argv[1]
seen = []
for count in [5, 8, 10, 1000]:
    # The talkative person's sentences are a little nearer to the question (1, 0) than the quiet one's.
    rows = [([1.0, 0.001 * (number % 90)], "bob") for number in range(count)]
    rows += [([1.0, 0.1 + 0.01 * number], "ada") for number in range(5)]
    found = []
    for make in (FAISS, Qdrant):
        store = make(f"people{count}", path=f"{folder}/{make.__name__}{count}", embedding_model_dims=2)
        store.insert(
            [vector for vector, _ in rows], payloads=[{"data": "a sentence", "user_id": person} for _, person in rows],
            ids=[str(uuid.UUID(int=number)) for number in range(len(rows))])
        hits = store.search("question", [1.0, 0.0], top_k=5, filters={"user_id": "ada"})
        assert all(hit.payload["user_id"] == "ada" for hit in hits)
        found.append(len(hits))
    seen.append(found)
    print(f"beside {count}{' sentences of the other' if count == 5 else ''}: {found[0]}, {found[1]}")
sys.exit(0 if seen == [[5, 5], [2, 5], [0, 5], [0, 5]] else 1)
PYTHON
MEM0_TELEMETRY=False MEM0_DIR="$work/mem0" "$work/env/bin/python" -W ignore "$work/people.py" "$work" 2> "$work/errors" || {
    cat "$work/errors" >&2
    exit 1
}
