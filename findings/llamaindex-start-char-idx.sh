#!/usr/bin/env bash
# llama-index-core 0.14.25, Python 3.11.
#
# A chat in which lines come again is cut with SentenceSplitter, without overlap. The nodes follow each other in the text
# without a gap, but their `start_char_idx` does not: each node is looked for from one character behind the beginning of
# the node before it, so that a node with words that occur earlier gets that earlier place. The text between
# `start_char_idx` and `end_char_idx` is that of the node, so the places look right.
#
# Output:
#   nodes: 6, right places: 1, the last begins at 1525, and is said to begin at 610
#
# Most would guess that nodes that follow each other in the text have places that do.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check llama-index-core==0.14.25
cat > "$work/places.py" <<'PYTHON'
import sys

from llama_index.core import Document
from llama_index.core.node_parser import SentenceSplitter

chat = "\n".join(
    line for number in range(30)
    for line in (f"Mara: the crane at berth {number % 3} is ready.", "Jonas: ok.", "Ada: thanks."))
splitter = SentenceSplitter(chunk_size=60, chunk_overlap=0, tokenizer=str.split)
nodes = splitter.get_nodes_from_documents([Document(text=chat)])
places, end = [], 0
for node in nodes:
    # Nothing but white space lies between two nodes.
    place = chat.index(node.text, end)
    assert not chat[end:place].strip()
    places.append(place)
    end = place + len(node.text)
assert not chat[end:].strip()
assert all(chat[node.start_char_idx:node.end_char_idx] == node.text for node in nodes)
right = sum(node.start_char_idx == place for node, place in zip(nodes, places))
print(
    f"nodes: {len(nodes)}, right places: {right}, the last begins at {places[-1]}, and is said to begin at "
    f"{nodes[-1].start_char_idx}")
sys.exit(0 if right < len(nodes) / 2 and nodes[-1].start_char_idx < places[-1] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/places.py"
