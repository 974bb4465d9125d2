#!/usr/bin/env bash
# duckdb 2.0.1 beside duckdb 1.5.5, Python 3.11.
#
# A text without words, such as a picture, has a vector of zeros. Its `array_cosine_similarity` to a question was below that of
# each other row in 1.5.5, and is NaN in 2.0.1. NaN is larger than every number in DuckDB. So the same statement puts such a row first
# instead of last, a threshold (`> 0.5`) lets it through, and `max_by` gives it as the best. `1 - array_cosine_distance` does
# the same. Nothing is raised.
#
# Output (rows: 1 the question's text, 2 another one, 3 zeros):
#   1.5.5: by similarity 1 2 3, above 0.5: 1, by 1 - distance 1 2 3, best 1
#   2.0.1: by similarity 3 1 2, above 0.5: 1 3, by 1 - distance 3 1 2, best 3
#
# Most would guess that a vector without a direction is like nothing, so that it comes last in both releases.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cat > "$work/nearest.py" <<'PYTHON'
import duckdb

database = duckdb.connect()
database.execute("CREATE TABLE texts (id INTEGER, vector FLOAT[2])")
database.execute("INSERT INTO texts VALUES (1, [1, 0]), (2, [0.1, 1]), (3, [0, 0])")


def ids(statement):
    return " ".join(str(row[0]) for row in database.execute(statement).fetchall())


question = "[1, 0]::FLOAT[2]"
similarity, distance = f"array_cosine_similarity(vector, {question})", f"array_cosine_distance(vector, {question})"
print(f"{duckdb.__version__}: by similarity {ids(f'SELECT id FROM texts ORDER BY {similarity} DESC')}, "
      f"above 0.5: {ids(f'SELECT id FROM texts WHERE {similarity} > 0.5 ORDER BY id')}, "
      f"by 1 - distance {ids(f'SELECT id FROM texts ORDER BY 1 - {distance} DESC')}, "
      f"best {ids(f'SELECT max_by(id, {similarity}) FROM texts')}")
PYTHON
for package in duckdb==1.5.5 duckdb==2.0.1; do
    python3 -m venv "$work/$package"
    "$work/$package/bin/pip" install --quiet --disable-pip-version-check --no-compile "$package"
    "$work/$package/bin/python" -W ignore "$work/nearest.py"
done | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
1.5.5: by similarity 1 2 3, above 0.5: 1, by 1 - distance 1 2 3, best 1
2.0.1: by similarity 3 1 2, above 0.5: 1 3, by 1 - distance 3 1 2, best 3
SEEN
