#!/usr/bin/env bash
# chromadb 1.5.9, Python 3.11.
#
# Messages have an amount as metadata, some whole and some not, as JSON has them: 2, 2.5 and 3. A filter with a number that is not whole is
# cut to a whole one before it is compared with whole amounts: `$eq: 2.5` finds 2 as well, `$gte: 2.5` too, `$lt: 2.5` leaves it out, and
# `$gt: -1.5` leaves -1 out. An amount that was stored as 2.0 is compared rightly. So the hits depend on whether the writer put a point
# into the number. A search by vector with the same filter finds the same. No error.
#
# Output:
#   $eq 2.5: 2, 2.5
#   $lt 2.5: -2, -1, 2.0
#   $gte 2.5: 2, 2.5, 3
#   $in [2.5]: 2, 2.5
#   $gt -1.5: 2, 2.0, 2.5, 3
#   $lte -1.5: -2, -1
#
# Most would guess that 2 is less than 2.5 for a filter of numbers.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile chromadb==1.5.9
cat > "$work/amounts.py" <<'PYTHON'
import chromadb

messages = chromadb.EphemeralClient().create_collection("messages", embedding_function=None)
AMOUNTS = [-2, -1, 2, 2.0, 2.5, 3]
messages.add(ids=[str(amount) for amount in AMOUNTS], embeddings=[[1.0, 0.0]] * len(AMOUNTS), documents=["paid"] * len(AMOUNTS),
             metadatas=[{"amount": amount} for amount in AMOUNTS])
for operator, value in [("$eq", 2.5), ("$lt", 2.5), ("$gte", 2.5), ("$in", [2.5]), ("$gt", -1.5), ("$lte", -1.5)]:
    where = {"amount": {operator: value}}
    found = messages.get(where=where)["ids"]
    near = messages.query(query_embeddings=[[1.0, 0.0]], n_results=len(AMOUNTS), where=where)["ids"][0]
    print(f"{operator} {value}:", ", ".join(sorted(found, key=float)), "" if set(near) == set(found) else f"(by vector {near})")
PYTHON
"$work/env/bin/python" -W ignore "$work/amounts.py" | sed 's/ *$//' | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
$eq 2.5: 2, 2.5
$lt 2.5: -2, -1, 2.0
$gte 2.5: 2, 2.5, 3
$in [2.5]: 2, 2.5
$gt -1.5: 2, 2.0, 2.5, 3
$lte -1.5: -2, -1
SEEN
