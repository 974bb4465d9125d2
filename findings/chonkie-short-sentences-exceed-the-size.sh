#!/usr/bin/env bash
# chonkie 1.7.0, Python 3.11.
#
# SentenceChunker is asked for chunks of 60 characters at most. Ordinary sentences keep to it. Short answers, as a chat has
# them, do not: a sentence under `min_characters_per_sentence` is joined with the next before anything is counted, and as long as
# only short ones follow they stay one sentence. Eighty times "ok." are one chunk of more than 300 characters,
# and `token_count` says so. A model that reads the size that was asked for cuts the rest off. RecursiveChunker keeps the size.
#
# Output (the longest chunk by SentenceChunker, by RecursiveChunker):
#   ordinary: 53, 53
#   ok, 20 times: 80, 60
#   ok, 80 times: 320, 60
#   answers: 108, 60
#
# Most would guess that only a sentence that is longer than the chunk can exceed its size, and that short ones are the easy case.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile chonkie==1.7.0
cat > "$work/sizes.py" <<'PYTHON'
import sys

from chonkie import RecursiveChunker, SentenceChunker

TEXTS = {
    "ordinary": "The crane at pier four is broken. We wait for parts. " * 20,
    "ok, 20 times": "ok. " * 20,
    "ok, 80 times": "ok. " * 80,
    "answers": "Is the crane free? No. Ask Mara. Ok. Yes. At 4. Fine. Go. Now. Ok. Who? Me. So. Go. On. Right. Thanks. Bye. " * 2,
}
by_sentence = SentenceChunker(tokenizer="character", chunk_size=60)
by_rules = RecursiveChunker(tokenizer="character", chunk_size=60)
seen = {}
for name, text in TEXTS.items():
    seen[name] = tuple(max(len(chunk.text) for chunk in chunker(text)) for chunker in (by_sentence, by_rules))
    print(f"{name}: {seen[name][0]}, {seen[name][1]}")
sys.exit(0 if seen["ordinary"][0] <= 60 and seen["ok, 20 times"][0] == 80 and seen["ok, 80 times"][0] == 320
         and seen["answers"][0] > 100 and all(rules <= 60 for _, rules in seen.values()) else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/sizes.py"
