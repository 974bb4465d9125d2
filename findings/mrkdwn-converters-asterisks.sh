#!/usr/bin/env bash
# markdown-to-mrkdwn 0.3.3 and md2mrkdwn 0.4.5, Python 3.11.
#
# Both bring Markdown, as a language model writes it, into the form of Slack. Asterisks that are not emphasis are changed
# too: those between spaces, which multiply, those behind a backslash, and those inside of an address, whose link is then
# another one. A link whose address has parentheses is cut at the first closing one. markdown-to-mrkdwn also changes code
# between backticks. No error.
#
# Output (the same for both, but for the last line):
#   2 * 3 * 4 -> 2 _ 3 _ 4
#   \*by hand\* -> \_by hand\_
#   see https://example.org/a*b*c -> see https://example.org/a_b_c
#   [wiki](https://example.org/Crane_(machine)) -> <https://example.org/Crane_(machine|wiki>)
#   `**kwargs**` -> `*kwargs*` (markdown-to-mrkdwn), `**kwargs**` (md2mrkdwn)
#
# Most would guess that such a converter knows what emphasis is in Markdown, where an asterisk before a space begins none.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check markdown-to-mrkdwn==0.3.3 md2mrkdwn==0.4.5
cat > "$work/asterisks.py" <<'PYTHON'
import sys

import md2mrkdwn
from markdown_to_mrkdwn import SlackMarkdownConverter

expected = {
    "2 * 3 * 4": "2 _ 3 _ 4",
    r"\*by hand\*": r"\_by hand\_",
    "see https://example.org/a*b*c": "see https://example.org/a_b_c",
    "[wiki](https://example.org/Crane_(machine))": "<https://example.org/Crane_(machine|wiki>)",
}
surprise = True
for text, wrong in expected.items():
    first, second = SlackMarkdownConverter().convert(text), md2mrkdwn.convert(text)
    print(f"{text} -> {first}" + ("" if first == second else f" (the other: {second})"))
    surprise = surprise and first == second == wrong
code = "`**kwargs**`"
first, second = SlackMarkdownConverter().convert(code), md2mrkdwn.convert(code)
print(f"{code} -> {first} (markdown-to-mrkdwn), {second} (md2mrkdwn)")
sys.exit(0 if surprise and (first, second) == ("`*kwargs*`", code) else 1)
PYTHON
"$work/env/bin/python" "$work/asterisks.py"
