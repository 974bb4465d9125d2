#!/usr/bin/env bash
# trafilatura 2.3.1 (lxml-html-clean 0.4.6), Python 3.11.
#
# `extract(page, deduplicate=True)` is said to leave repeated text out. It also remembers whole pages, as long as the process runs: the
# fourth time the same page comes, the answer is None, as for a page without text. So a program that looks at a page each hour for
# changes loses it after three hours, and finds it again after a restart. A page that is linked under four addresses is stored three
# times and then missing. A call without the option gives the text in between. `reset_caches` forgets the pages.
#
# Output (characters of each call, one after the other):
#   with deduplicate: 339, 339, 339, None, None
#   without: 339, with it again: None, after reset_caches: 339
#
# Most would guess that what is extracted from a page depends on the page, and that "deduplicate" is about its own paragraphs.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile trafilatura==2.3.1 lxml-html-clean==0.4.6
cat > "$work/pages.py" <<'PYTHON'
import sys

import trafilatura
from trafilatura.meta import reset_caches

PAGE = """<html><head><title>Berth 3</title></head><body><article>
<p>The gate at berth 3 sticks again, so the ships of the morning wait until somebody has brought the parts from town.</p>
<p>Please ask Mara in the office for the key before you enter the quay with a truck, and bring it back in the evening.</p>
<p>The crane was mended in the evening, and the crews went home after they had closed the sheds near the water.</p>
</article></body></html>"""


def length(**options):
    text = trafilatura.extract(PAGE, **options)
    return text and len(text)


first = [length(deduplicate=True) for _ in range(5)]
without = length()
again = length(deduplicate=True)
reset_caches()
forgotten = length(deduplicate=True)
print(f"with deduplicate: {', '.join(map(str, first))}")
print(f"without: {without}, with it again: {again}, after reset_caches: {forgotten}")
sys.exit(0 if first == [without] * 3 + [None] * 2 and without and again is None and forgotten == without else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/pages.py"
