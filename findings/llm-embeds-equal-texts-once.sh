#!/usr/bin/env bash
# llm 0.36, Python 3.11.
#
# A collection of llm keeps vectors of messages under their ids. `embed(id, text)` looks whether the collection has this text already,
# under whatever id, and if so it stores nothing and says nothing: of "ok" in the pier's room and "ok" in the quay's room only the first is
# there, so a search never gives the second. For the same reason a message that is stored again with another room keeps the old room.
# `embed_multi_with_metadata`, the method for many, looks for the pair of id and text, and stores both. So the contents depend on whether
# messages came one by one or as a batch.
#
# Output:
#   one by one: ok=pier
#   moved to the board's room: ok=pier
#   as a batch: ok=pier ok=quay
#
# Most would guess that a message with its own id is stored, that the last metadata count, and that a batch is the same as its parts.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile llm==0.36
cat > "$work/equal.py" <<'PYTHON'
import sys

import llm
import sqlite_utils


class Lengths(llm.EmbeddingModel):
    """Vectors do not matter here."""

    model_id = "lengths"

    def embed_batch(self, texts):
        return ([float(len(text)), 1.0] for text in texts)


def collection():
    return llm.Collection("chat", sqlite_utils.Database(memory=True), model=Lengths())


def stored(messages):
    entries = messages.similar_by_vector([2.0, 1.0], number=10)
    return " ".join(f"{entry.content}={entry.metadata['room']}" for entry in sorted(entries, key=lambda entry: entry.id))


single, batch = collection(), collection()
single.embed("1", "ok", metadata={"room": "pier"}, store=True)
single.embed("2", "ok", metadata={"room": "quay"}, store=True)
seen = {"one by one": stored(single)}
single.embed("1", "ok", metadata={"room": "board"}, store=True)
seen["moved to the board's room"] = stored(single)
batch.embed_multi_with_metadata([("1", "ok", {"room": "pier"}), ("2", "ok", {"room": "quay"})], store=True)
seen["as a batch"] = stored(batch)
for title, line in seen.items():
    print(f"{title}: {line}")
expected = {"one by one": "ok=pier", "moved to the board's room": "ok=pier", "as a batch": "ok=pier ok=quay"}
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" "$work/equal.py"
