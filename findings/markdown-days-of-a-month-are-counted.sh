#!/usr/bin/env bash
# markdown-it-py 4.3.0, mistune 3.4.0, commonmark 0.9.2, cmarkgfm 2025.10.22, marko 2.2.4 and Markdown 3.11.3, read by html2text
# 2025.4.15, Python 3.11.
#
# A message has a line for each day, as people write dates in German and other languages: "3. May: shut", "7. May: open". As Markdown
# this is a list, and of its numbers only the first one counts: five renderers begin with 3 and number the next line 4. The
# sixth begins with 1. So a chat, a page or an index that renders messages says that the gate is open on 4 May, and so does
# a text that is taken from the HTML. Days in reverse order come out in ascending order. A line that begins with "2026." is a list, too,
# and the next year is the next number. No error, and nothing looks wrong. A backslash before the point keeps the number.
#
# Output (the numbers that a reader sees):
#   3. May: shut / 7. May: open: 3 4, by Markdown 1 2
#   24. Nov / 17. Nov / 10. Nov: 24 25 26, by Markdown 1 2 3
#   2024. Low / 2026. High: 2024 2025, by Markdown 1 2
#   3\. May: shut / 7\. May: open: 3 7, by Markdown 3 7
#
# Most would guess that a number which was written is the number which is shown.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile markdown-it-py==4.3.0 mistune==3.4.0 \
    commonmark==0.9.2 cmarkgfm==2025.10.22 marko==2.2.4 Markdown==3.11.3 html2text==2025.4.15
cat > "$work/days.py" <<'PYTHON'
import re
import sys

import cmarkgfm
import commonmark
import html2text
import markdown
import marko
import mistune
from markdown_it import MarkdownIt

renderers = [
    MarkdownIt().render, mistune.html, commonmark.commonmark, cmarkgfm.github_flavored_markdown_to_html, marko.convert,
    markdown.markdown]
messages = [
    "3. May: shut\n7. May: open", "24. Nov\n17. Nov\n10. Nov", "2024. Low\n2026. High", "3\\. May: shut\n7\\. May: open"]
seen = []
for message in messages:
    numbers = []
    for render in renderers:
        reader = html2text.HTML2Text(bodywidth=0)
        numbers.append([int(number) for number in re.findall(r"(\d+)\\?\. ", reader.handle(render(message)))])
    *others, last = numbers
    assert all(one == others[0] for one in others), others
    seen.append((others[0], last))
    words = message.replace("\n", " / ")
    print(f"{words}: {' '.join(map(str, others[0]))}, by Markdown {' '.join(map(str, last))}")
sys.exit(0 if seen == [([3, 4], [1, 2]), ([24, 25, 26], [1, 2, 3]), ([2024, 2025], [1, 2]), ([3, 7], [3, 7])] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/days.py"
