#!/usr/bin/env bash
# langchain-classic 1.0.8 (langchain-core 1.8.3), Python 3.11.
#
# Two retrievers, one by words and one by vectors, give messages of a chat to an EnsembleRetriever. Each message has its own
# id (`Document.id`) and a room. The ensemble looks at the text only: of all messages with the same text one is left, the
# one that was found first, with its room, and the ranks of all are added up for it. So an "ok" that was said
# three times comes before what each retriever put first, and the copy of a notice in the room that the reader may see is
# dropped for the one in another room: a filter by room after the fusion then loses the notice. With `id_key`, which
# reads the metadata and not `Document.id`, all messages stay.
#
# Output:
#   without id_key: 3 ok (quay), 1 notice (board), 2 berth (quay)
#   with id_key: 3 ok (quay), 1 notice (board), 9 notice (quay), 2 berth (quay), 8 ok (board)
#
# Most would guess that documents with different ids are different documents.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check langchain-classic==1.0.8 langchain-core==1.8.3
cat > "$work/equal.py" <<'PYTHON'
import sys

from langchain_classic.retrievers import EnsembleRetriever
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

words = [("1", "notice", "board"), ("2", "berth", "quay"), ("3", "ok", "quay")]
vectors = [("9", "notice", "quay"), ("3", "ok", "quay"), ("8", "ok", "board")]


class Fixed(BaseRetriever):
    messages: list

    def _get_relevant_documents(self, query, *, run_manager):
        return [
            Document(id=number, page_content=text, metadata={"number": number, "room": room})
            for number, text, room in self.messages
        ]


def fused(key):
    retrievers = [Fixed(messages=words), Fixed(messages=vectors)]
    return EnsembleRetriever(retrievers=retrievers, weights=[0.5, 0.5], id_key=key).invoke("anything")


plain, keyed = fused(None), fused("number")
for name, found in (("without", plain), ("with", keyed)):
    print(f"{name} id_key:", ", ".join(f"{one.id} {one.page_content} ({one.metadata['room']})" for one in found))
sys.exit(0 if [one.id for one in plain] == ["3", "1", "2"] and len(keyed) == 5 else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/equal.py"
