#!/usr/bin/env bash
# luqum 1.0.0, Python 3.11.
#
# What people type in Lucene's syntax is parsed by luqum and made a query for Elasticsearch. "price:>100" and "sent:<2026-11-18" are parsed,
# and written back as they were, but the builder of queries drops the sign: it asks for the price 100 and for that day. So the search
# finds what is equal, or with NOT all that is not equal, instead of what is more or less. The same bounds in brackets become ranges. No
# error.
#
# Output:
#   price:>100: {"term": {"price": {"value": "100"}}}
#   price:>=100: {"term": {"price": {"value": "100"}}}
#   price:<100: {"term": {"price": {"value": "100"}}}
#   sent:<2026-11-18: {"term": {"sent": {"value": "2026-11-18"}}}
#   NOT price:>100: {"bool": {"must_not": [{"term": {"price": {"value": "100"}}}]}}
#   price:{100 TO *]: {"range": {"price": {"gt": "100"}}}
#   sent:[* TO 2026-11-18}: {"range": {"sent": {"lt": "2026-11-18"}}}
#
# Most would guess that a sign that is parsed becomes a range, or is refused.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile luqum==1.0.0
cat > "$work/queries.py" <<'PYTHON'
import json

from luqum.elasticsearch import ElasticsearchQueryBuilder
from luqum.parser import parser

build = ElasticsearchQueryBuilder(default_field="text", not_analyzed_fields=["price", "sent"])
for words in ["price:>100", "price:>=100", "price:<100", "sent:<2026-11-18", "NOT price:>100", "price:{100 TO *]", "sent:[* TO 2026-11-18}"]:
    tree = parser.parse(words)
    print(f"{tree}: {json.dumps(build(tree))}")
PYTHON
"$work/env/bin/python" -W ignore "$work/queries.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
price:>100: {"term": {"price": {"value": "100"}}}
price:>=100: {"term": {"price": {"value": "100"}}}
price:<100: {"term": {"price": {"value": "100"}}}
sent:<2026-11-18: {"term": {"sent": {"value": "2026-11-18"}}}
NOT price:>100: {"bool": {"must_not": [{"term": {"price": {"value": "100"}}}]}}
price:{100 TO *]: {"range": {"price": {"gt": "100"}}}
sent:[* TO 2026-11-18}: {"range": {"sent": {"lt": "2026-11-18"}}}
SEEN
