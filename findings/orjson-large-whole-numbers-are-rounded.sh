#!/usr/bin/env bash
# orjson 3.13.0 beside the module json, ujson 6.1.0, msgspec 0.23.0, jiter 0.19.0 and python-rapidjson 1.25, Python 3.11.
#
# A message in JSON has a whole number of more than 64 bits, such as a number of a message of 128 bits. Python has numbers of any length, and
# json, ujson, msgspec, jiter and rapidjson give the number. orjson gives a floating one that is rounded, without an error: two messages
# with numbers beside each other become equal, and what is written back has other digits. To write such a number it refuses.
#
# Output (of 123456789012345678901, and whether it is equal to the number after it):
#   json: 123456789012345678901, unequal
#   ujson: 123456789012345678901, unequal
#   msgspec: 123456789012345678901, unequal
#   jiter: 123456789012345678901, unequal
#   rapidjson: 123456789012345678901, unequal
#   orjson: 1.2345678901234568e+20, equal
#   orjson, to write it: Integer exceeds 64-bit range
#
# Most would guess that a reader of JSON for Python gives the number, or refuses what it refuses to write.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile orjson==3.13.0 ujson==6.1.0 msgspec==0.23.0 \
    jiter==0.19.0 python-rapidjson==1.25
cat > "$work/large.py" <<'PYTHON'
import json
import sys

import jiter
import msgspec
import orjson
import rapidjson
import ujson

first, second = "123456789012345678901", "123456789012345678902"
readers = {
    "json": json.loads, "ujson": ujson.loads, "msgspec": msgspec.json.decode, "jiter": lambda text: jiter.from_json(text.encode()),
    "rapidjson": rapidjson.loads, "orjson": orjson.loads,
}
seen = {
    name: f"{read(first)}, {'equal' if read(first) == read(second) else 'unequal'}" for name, read in readers.items()
}
try:
    seen["orjson, to write it"] = orjson.dumps(int(first)).decode()
except TypeError as error:
    seen["orjson, to write it"] = str(error)
for name, line in seen.items():
    print(f"{name}: {line}")
whole = f"{first}, unequal"
expected = [whole] * 5 + ["1.2345678901234568e+20, equal", "Integer exceeds 64-bit range"]
sys.exit(0 if list(seen.values()) == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/large.py"
