#!/usr/bin/env bash
# sqlite-utils 4.2.1 with the SQLite of pysqlite3-binary 0.5.4.post2 (3.51.1), Python 3.11.
#
# `insert_all` makes a table from a list of messages with a field `code`, which holds numbers and texts. If a text is among the first hundred
# rows, the column is one of texts, and all codes are kept. If the first hundred are numbers, the column is one of whole numbers,
# and SQLite makes numbers of the later texts that look like one: "0044" becomes 44, "1.10" becomes 1.1, "1e3" becomes 1000, and
# "A-4" stays. So what is stored of the same message depends on the messages before it. Nothing is raised.
#
# Output (a hundred numbers before the codes, ninety before them):
#   0044: 44 | 0044
#   1.10: 1.1 | 1.10
#   1e3: 1000 | 1e3
#   A-4: A-4 | A-4
#   types: int | str
#
# Most would guess that a text is stored as it is, or that its column is made so that it can be.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile sqlite-utils==4.2.1 pysqlite3-binary==0.5.4.post2
cat > "$work/codes.py" <<'PYTHON'
import sqlite_utils
from pysqlite3 import dbapi2 as sqlite

codes = ["0044", "1.10", "1e3", "A-4"]
columns = []
for count in [100, 90]:
    table = sqlite_utils.Database(sqlite.connect(":memory:"))["messages"]
    numbers = [{"id": number, "code": number} for number in range(count)]
    table.insert_all([*numbers, *({"id": count + place, "code": code} for place, code in enumerate(codes))], pk="id")
    stored = [row["code"] for row in table.rows_where("id >= ?", [count], order_by="id")]
    columns.append([*stored, table.columns_dict["code"].__name__])
for code, first, second in zip([*codes, "types"], *columns):
    print(f"{code}: {first} | {second}")
PYTHON
"$work/env/bin/python" -W ignore "$work/codes.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
0044: 44 | 0044
1.10: 1.1 | 1.10
1e3: 1000 | 1e3
A-4: A-4 | A-4
types: int | str
SEEN
