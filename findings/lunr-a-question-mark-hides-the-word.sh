#!/usr/bin/env bash
# lunr 0.8.0 (Python), Python 3.11.
#
# Signs around a word are cut off when a text is indexed: "The crane is broken." is found by "broken". They are not cut off in a search:
# "broken?" finds nothing. So a question as people write it loses its last word, the word before a comma, and those in brackets: "gate,
# crane" finds only the crane. With a plus, "berth 4 +free?" finds nothing at all. No error.
#
# Output:
#   broken: 1
#   broken?: none
#   Is the crane broken?: 1
#   What is broken?: none
#   gate crane: 1, 2
#   gate, crane: 1
#   (old): none
#   free: 3
#   berth 4 +free?: none
#
# Most would guess that a question is cut into words as the texts are.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile lunr==0.8.0
cat > "$work/questions.py" <<'PYTHON'
from lunr import lunr

MESSAGES = {"1": "The crane is broken.", "2": "The gate (the old one) is shut!", "3": "Is berth 4 free?"}
index = lunr(ref="id", fields=("text",), documents=[{"id": number, "text": text} for number, text in MESSAGES.items()])
for question in ["broken", "broken?", "Is the crane broken?", "What is broken?", "gate crane", "gate, crane", "(old)", "free", "berth 4 +free?"]:
    found = sorted(hit["ref"] for hit in index.search(question))
    print(f"{question}:", ", ".join(found) or "none")
PYTHON
"$work/env/bin/python" -W ignore "$work/questions.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
broken: 1
broken?: none
Is the crane broken?: 1
What is broken?: none
gate crane: 1, 2
gate, crane: 1
(old): none
free: 3
berth 4 +free?: none
SEEN
