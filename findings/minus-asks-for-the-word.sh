#!/usr/bin/env bash
# whoosh-reloaded 2.7.5 and lancedb 0.40.0 beside lunr 0.8.0, Python 3.11.
#
# People type "crane -broken" to leave broken cranes out. With the parser that Whoosh's guide shows, the minus is dropped with
# the other signs, and a hit needs all words: the search finds broken cranes only, the opposite. LanceDB's full-text search
# looks for each of the words: broken cranes come first. Neither raises. lunr leaves them out. Whoosh has a plugin for it, and
# knows NOT.
#
# Output (hits in order):
#   whoosh-reloaded: crane -broken: broken crane | crane NOT broken: free crane
#   lancedb: crane -broken: broken crane, free crane | crane NOT broken: broken crane, free crane
#   lunr: crane -broken: free crane
#
# Most would guess that a minus leaves out, or at worst is passed over with its word.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    Whoosh-Reloaded==2.7.5 lancedb==0.40.0 lunr==0.8.0
cat > "$work/minus.py" <<'PYTHON'
import sys
import warnings

import lancedb
from lancedb.index import FTS
from lunr import lunr
from whoosh import fields
from whoosh.filedb.filestore import RamStorage
from whoosh.qparser import QueryParser

warnings.filterwarnings("ignore")
texts = ["free crane", "broken crane", "open gate", "closed door"]

schema = fields.Schema(body=fields.TEXT(stored=True))
index = RamStorage().create_index(schema)
writer = index.writer()
for text in texts:
    writer.add_document(body=text)
writer.commit()

table = lancedb.connect(sys.argv[1]).create_table("messages", [{"body": text} for text in texts])
table.create_index("body", config=FTS())
plain = lunr(ref="body", fields=["body"], documents=[{"body": text} for text in texts])


def of_whoosh(question):
    with index.searcher() as searcher:
        return [hit["body"] for hit in searcher.search(QueryParser("body", schema).parse(question))]


def of_lancedb(question):
    return [hit["body"] for hit in table.search(question, query_type="fts").limit(9).to_list()]


def of_lunr(question):
    return [hit["ref"] for hit in plain.search(question)]


minus, word = "crane -broken", "crane NOT broken"
found = {"whoosh-reloaded": [of_whoosh(minus), of_whoosh(word)], "lancedb": [of_lancedb(minus), of_lancedb(word)],
         "lunr": [of_lunr(minus)]}
for name, rows in found.items():
    print(f"{name}: " + " | ".join(f"{question}: {', '.join(row)}" for question, row in zip((minus, word), rows)))
both = ["broken crane", "free crane"]
sys.exit(0 if found == {"whoosh-reloaded": [["broken crane"], ["free crane"]], "lancedb": [both, both],
                        "lunr": [["free crane"]]} else 1)
PYTHON
"$work/env/bin/python" "$work/minus.py" "$work/database"
