#!/usr/bin/env bash
# langchain-text-splitters 1.1.3, Python 3.11.
#
# One ExperimentalMarkdownSyntaxTextSplitter cuts several texts at their headings, as splitters are used for a folder of documents. Each call
# returns the same list object, emptied and filled again: what a call returned before changes with the next one. So
# `[splitter.split_text(text) for text in texts]` holds the chunks of the last text as many times as there are texts, and the others are gone.
# MarkdownHeaderTextSplitter, for which it is meant as a replacement, returns another list each time.
#
# Output:
#   MarkdownHeaderTextSplitter: ['gate 4 is shut', 'crane 3 is free']
#   ExperimentalMarkdownSyntaxTextSplitter: ['crane 3 is free', 'crane 3 is free']
#   the same, each result copied at once: ['gate 4 is shut', 'crane 3 is free']
#
# Most would guess that the results of two calls do not change each other.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile langchain-text-splitters==1.1.3
cat > "$work/split.py" <<'PYTHON'
import sys

from langchain_text_splitters import ExperimentalMarkdownSyntaxTextSplitter, MarkdownHeaderTextSplitter

texts = ["# Gates\ngate 4 is shut\n", "# Cranes\ncrane 3 is free\n"]


def words(results):
    return [" ".join(chunk.page_content.strip() for chunk in chunks) for chunks in results]


plain = MarkdownHeaderTextSplitter([("#", "heading")])
syntax, copied = ExperimentalMarkdownSyntaxTextSplitter(), ExperimentalMarkdownSyntaxTextSplitter()
seen = {
    "MarkdownHeaderTextSplitter": words([plain.split_text(text) for text in texts]),
    "ExperimentalMarkdownSyntaxTextSplitter": words([syntax.split_text(text) for text in texts]),
    "the same, each result copied at once": words([list(copied.split_text(text)) for text in texts]),
}
for title, chunks in seen.items():
    print(f"{title}: {chunks}")
both = ["gate 4 is shut", "crane 3 is free"]
sys.exit(0 if list(seen.values()) == [both, ["crane 3 is free"] * 2, both] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/split.py"
