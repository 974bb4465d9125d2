#!/usr/bin/env bash
# langchain-text-splitters 1.1.3 (langchain-core 1.8.3), Python 3.11.
#
# MarkdownHeaderTextSplitter cuts a document at its headings. It takes the spaces off the beginning of each line, also inside of
# code between fences, where it does know that a # is no heading: a function in Python comes out without its indentation, an item
# below another one becomes its neighbour, and nobody can see which line belongs to a condition. A # in code that is
# indented, or behind an inner fence, becomes a heading that later text is filed under. Two sections in a row
# with one name ("Log" and "Log") become one chunk.
#
# Output:
#   '# Code\n```python\nif gate.open:\n    close(gate)\ncount += 1\n```\n' -> 'Code: ```python\nif gate.open:\nclose(gate)\ncount += 1\n```'
#   '# Gates\n- north\n  - locked\n- south\n' -> 'Gates: - north\n- locked\n- south'
#   '# Start\n\n    # as root\n\nWait.\n' -> 'as root: Wait.'
#   '# Start\n````\n```\n# as root\n```\n````\nWait.\n' -> 'Start: ````\n```' 'as root: ```\n````\nWait.'
#   '# Start\n```\n# as root\n```\nWait.\n' -> 'Start: ```\n# as root\n```\nWait.'
#   '# Log\nfirst\n# Log\nsecond\n' -> 'Log: first  \nsecond'
#
# Most would guess that a splitter for Markdown only cuts, and that the text between the cuts is as it was written.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    langchain-text-splitters==1.1.3 langchain-core==1.8.3
cat > "$work/split.py" <<'PYTHON'
import sys

from langchain_text_splitters import MarkdownHeaderTextSplitter

EXPECTED = {
    "# Code\n```python\nif gate.open:\n    close(gate)\ncount += 1\n```\n":
        [("Code", "```python\nif gate.open:\nclose(gate)\ncount += 1\n```")],
    "# Gates\n- north\n  - locked\n- south\n": [("Gates", "- north\n- locked\n- south")],
    "# Start\n\n    # as root\n\nWait.\n": [("as root", "Wait.")],
    "# Start\n````\n```\n# as root\n```\n````\nWait.\n": [("Start", "````\n```"), ("as root", "```\n````\nWait.")],
    "# Start\n```\n# as root\n```\nWait.\n": [("Start", "```\n# as root\n```\nWait.")],
    "# Log\nfirst\n# Log\nsecond\n": [("Log", "first  \nsecond")],
}
splitter = MarkdownHeaderTextSplitter([("#", "heading")])
seen = {}
for text in EXPECTED:
    seen[text] = [(chunk.metadata["heading"], chunk.page_content) for chunk in splitter.split_text(text)]
    print(repr(text), "->", *map(repr, (f"{heading}: {content}" for heading, content in seen[text])))
sys.exit(0 if seen == EXPECTED else 1)
PYTHON
"$work/env/bin/python" "$work/split.py"
