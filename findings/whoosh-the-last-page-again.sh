#!/usr/bin/env bash
# whoosh-reloaded 2.7.5, Python 3.11.
#
# Hits are asked for page by page, as a list that grows while somebody scrolls does it, or an export. `search_page` for a page behind
# the last one gives the last one again, with its hits and its number, and no error. So a program that asks until a page is
# empty gets the last hits for ever, and a list that adds each page to those above it shows them again and again.
# `pagenum` is then smaller than what was asked for. A search without hits gives the page 1, empty.
#
# Output (25 hits, ten a page):
#   asked for page 2: page 2 with 10 hits, 10 to 19
#   asked for page 3: page 3 with 5 hits, 20 to 24
#   asked for page 4: page 3 with 5 hits, 20 to 24
#   asked for page 9: page 3 with 5 hits, 20 to 24
#   no hits, asked for page 2: 0 hits
#
# Most would guess an empty page or an error behind the last page.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile whoosh-reloaded==2.7.5
cat > "$work/pages.py" <<'PYTHON'
from whoosh.fields import NUMERIC, TEXT, Schema
from whoosh.filedb.filestore import RamStorage
from whoosh.qparser import QueryParser

schema = Schema(number=NUMERIC(stored=True), text=TEXT)
index = RamStorage().create_index(schema)
writer = index.writer()
for number in range(25):
    writer.add_document(number=number, text="the gate is shut")
writer.commit()
with index.searcher() as searcher:
    gate, crane = (QueryParser("text", schema).parse(word) for word in ["gate", "crane"])
    for asked in [2, 3, 4, 9]:
        page = searcher.search_page(gate, asked, pagelen=10)
        numbers = [hit["number"] for hit in page]
        print(f"asked for page {asked}: page {page.pagenum} with {len(numbers)} hits, {numbers[0]} to {numbers[-1]}")
    print("no hits, asked for page 2:", len(list(searcher.search_page(crane, 2, pagelen=10))), "hits")
PYTHON
"$work/env/bin/python" -W ignore "$work/pages.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
asked for page 2: page 2 with 10 hits, 10 to 19
asked for page 3: page 3 with 5 hits, 20 to 24
asked for page 4: page 3 with 5 hits, 20 to 24
asked for page 9: page 3 with 5 hits, 20 to 24
no hits, asked for page 2: 0 hits
SEEN
