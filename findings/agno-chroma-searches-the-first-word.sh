#!/usr/bin/env bash
# agno 3.1.10 with chromadb 1.5.9, Python 3.11.
#
# A knowledge base of agno on Chroma is searched by words (`SearchType.keyword`). Only the first word of the question is looked for, as
# letters that have to be in the text, in this case: "the crane" finds what has "the", "is gate 4 open" what has "is" in it, as
# "this" has, and "Crane" does not find "crane". All further words change nothing, and the hits come in the order in which they were
# stored, not the best first. Nothing is raised, and questions of one word look right.
#
# Output:
#   crane: the crane works, a crane at noon
#   the crane: ask the crew, the crane works
#   is gate 4 open: this was lunch
#   gate 4: gate 5 sticks, gate 4 sticks
#   Crane: nothing
#
# Most would guess that a search by keywords looks for each word of the question, in any case.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile agno==3.1.10 chromadb==1.5.9
cat > "$work/words.py" <<'PYTHON'
import logging
import sys

logging.disable(logging.CRITICAL)

from agno.knowledge.document.base import Document
from agno.knowledge.embedder.base import Embedder
from agno.vectordb.chroma import ChromaDb
from agno.vectordb.search import SearchType


class Lengths(Embedder):
    """Vectors that a search by words does not use."""

    def get_embedding(self, text):
        return [float(len(text)), 1.0]

    def get_embedding_and_usage(self, text):
        return self.get_embedding(text), None


texts = ["ask the crew", "gate 5 sticks", "the crane works", "a crane at noon", "this was lunch", "gate 4 sticks"]
store = ChromaDb(
    collection="messages", path=sys.argv[1] + "/store", persistent_client=True, embedder=Lengths(),
    search_type=SearchType.keyword)
store.create()
store.insert("messages", [Document(id=str(number), name=str(number), content=text) for number, text in enumerate(texts)])
seen = {}
for question in ["crane", "the crane", "is gate 4 open", "gate 4", "Crane"]:
    seen[question] = [hit.content for hit in store.search(question, limit=5)]
    print(f"{question}: {', '.join(seen[question]) or 'nothing'}")
sys.exit(0 if list(seen.values()) == [
    ["the crane works", "a crane at noon"], ["ask the crew", "the crane works"], ["this was lunch"],
    ["gate 5 sticks", "gate 4 sticks"], []] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/words.py" "$work"
