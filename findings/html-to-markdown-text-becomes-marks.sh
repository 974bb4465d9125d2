#!/usr/bin/env bash
# markdownify 1.2.3, html-to-markdown 3.21.2 and html2text 2025.4.15, read back by markdown-it-py 4.3.0, Python 3.11.
#
# Messages of Teams, Matrix or mail come as HTML, and go to a language model or an index as Markdown. With the defaults ordinary
# text becomes a mark in all three, each time another one: a day with a point becomes a numbered list, "> 5 tons" a quote, "# 4"
# a heading, two underscores around a name bold. An entity that was written out becomes its sign in all three, and a block of
# code with a fence in it is cut in three by markdownify (its `escape_misc` helps against the others). No error.
#
# Output (is the text the same afterwards? markdownify, html-to-markdown, html2text):
#   <p>1. Mai, wie immer</p> no yes yes
#   <p>&gt; 5 tons</p> no yes no
#   <p># 4 is free</p> no yes no
#   <p>call __init__ first</p> yes no no
#   <p>write &amp;lt; for it</p> no no no
#   <pre><code>a ``` b</code></pre> no yes yes
#
# Most would guess that such a converter escapes what would have another meaning in Markdown, at least with its defaults.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
    markdownify==1.2.3 html-to-markdown==3.21.2 html2text==2025.4.15 markdown-it-py==4.3.0
cat > "$work/back.py" <<'PYTHON'
import sys

import html2text
import html_to_markdown
import markdownify
from markdown_it import MarkdownIt

converters = [markdownify.markdownify, lambda html: html_to_markdown.convert(html).content, html2text.html2text]
expected = {
    "<p>1. Mai, wie immer</p>": [False, True, True],
    "<p>&gt; 5 tons</p>": [False, True, False],
    "<p># 4 is free</p>": [False, True, False],
    "<p>call __init__ first</p>": [True, False, False],
    "<p>write &amp;lt; for it</p>": [False, False, False],
    "<pre><code>a\n```\nb</code></pre>": [False, True, True],
}
seen = {}
for html in expected:
    markdown = [convert(html) for convert in converters]
    back = [MarkdownIt("commonmark").render(text).strip().replace("\n</code>", "</code>") for text in markdown]
    seen[html] = [text == html for text in back]
    print(html.replace("\n", " "), *("yes" if same else "no" for same in seen[html]))
sys.exit(0 if seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/back.py"
