#!/usr/bin/env bash
# discord.py 2.7.1, Python 3.11.
#
# `discord.utils.remove_markdown` is meant for plain text, such as a search index needs. It takes more than marks away: a link
# goes with its label, and with two links in a line everything from the first bracket to the last parenthesis goes, also the
# words between them. An underscore goes from the middle of a name, and a backslash from a path, although neither marks
# anything in Discord there. Bare addresses are kept whole.
#
# Output:
#   ask [Mara](https://example.org/m) first -> ask  first
#   [gate](https://example.org/1) is shut, do not use [quay](https://example.org/2) today ->  today
#   set max_open_files in C:\pier\new -> set maxopenfiles in C:piernew
#   see https://example.org/max_open_files -> see https://example.org/max_open_files
#
# Most would guess that the label of a link is its plain text, and that words outside of the brackets are not part of a link.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile discord.py==2.7.1
cat > "$work/plain.py" <<'PYTHON'
import sys

from discord.utils import remove_markdown

expected = {
    "ask [Mara](https://example.org/m) first": "ask  first",
    "[gate](https://example.org/1) is shut, do not use [quay](https://example.org/2) today": " today",
    "set max_open_files in C:\\pier\\new": "set maxopenfiles in C:piernew",
    "see https://example.org/max_open_files": "see https://example.org/max_open_files",
}
seen = {text: remove_markdown(text) for text in expected}
for text, plain in seen.items():
    print(f"{text} -> {plain}")
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/plain.py"
