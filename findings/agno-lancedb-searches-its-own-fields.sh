#!/usr/bin/env bash
# agno 3.1.10 with lancedb 0.40.0, Python 3.11.
#
# A knowledge base of agno on LanceDB keeps each message as JSON, with its text, its name and its metadata, and makes its index of words
# over that JSON. So a search for "content", "name" or "usage" finds every message, "null" as well, and a search for the room's
# name all of that room. A filter is applied to the hits that are left after the limit: with `limit=2`, a message in the pier's room is
# not found, although it has the word. A filter as a list of expressions (`EQ("room", "pier")`) is dropped: all rooms come back, and only
# a line in the log says so.
#
# Output (rooms of the hits, of 2 messages in the quay's room, 2 in the board's and 1 in the pier's):
#   crane: 5 hits
#   content: 5 hits
#   null: 5 hits
#   board: board board
#   harbour: nothing
#   crane, room pier, limit 2: nothing
#   crane, room pier, limit 5: pier
#   crane, EQ("room", "pier"), limit 5: 5 hits
#
# Most would guess that words are looked for in texts, and that a filter comes before a limit or is refused.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile agno==3.1.10 lancedb==0.40.0
cat > "$work/fields.py" <<'PYTHON'
import logging
import sys

logging.disable(logging.CRITICAL)

from agno.filters import EQ
from agno.knowledge.document.base import Document
from agno.knowledge.embedder.base import Embedder
from agno.vectordb.lancedb import LanceDb
from agno.vectordb.search import SearchType


class Lengths(Embedder):
    """Vectors that a search by words does not use."""

    def get_embedding(self, text):
        return [float(len(text)), 1.0]

    def get_embedding_and_usage(self, text):
        return self.get_embedding(text), None


messages = [("quay", "crane crane"), ("quay", "the crane"), ("board", "a crane"), ("board", "crane again"),
            ("pier", "the last message about that old and heavy crane")]
store = LanceDb(
    table_name="messages", uri=sys.argv[1] + "/store", embedder=Lengths(dimensions=2), search_type=SearchType.keyword)
store.create()
store.insert("messages", [
    Document(id=str(number), name=f"m{number}", content=text, meta_data={"room": room})
    for number, (room, text) in enumerate(messages)])
seen = []
for name, question, limit, filters in [
        ("crane", "crane", 5, None), ("content", "content", 5, None), ("null", "null", 5, None), ("board", "board", 5, None),
        ("harbour", "harbour", 5, None), ("crane, room pier, limit 2", "crane", 2, {"room": "pier"}),
        ("crane, room pier, limit 5", "crane", 5, {"room": "pier"}),
        ('crane, EQ("room", "pier"), limit 5', "crane", 5, [EQ("room", "pier")])]:
    rooms = [hit.meta_data["room"] for hit in store.search(question, limit=limit, filters=filters)]
    seen.append("5 hits" if len(rooms) == 5 else " ".join(rooms) or "nothing")
    print(f"{name}: {seen[-1]}")
sys.exit(0 if seen == [
    "5 hits", "5 hits", "5 hits", "board board", "nothing", "nothing", "pier", "5 hits"] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/fields.py" "$work"
