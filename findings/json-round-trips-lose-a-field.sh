#!/usr/bin/env bash
# mashumaro 3.23, dataclasses-json 0.6.7, apischema 0.19.0 and pyserde 0.34.0 beside msgspec 0.23.0, Python 3.11.
#
# An object of a class with types is written as JSON and read again by the same library. An event is a post or a note, and a note has one
# field more: mashumaro and dataclasses-json read the note as a post, the class that is named first, and the field is gone. apischema makes
# 19.8999… of the price 19.90. A title that may be a day or a text and reads "2026-11-18" becomes a day for three of them. Nothing is raised.
# msgspec refuses both unions, and keeps the price.
#
# Output (what comes back of a note, a title, a price):
#   mashumaro: Post(text='gate 4') | datetime.date(2026, 11, 18) | same
#   dataclasses-json: Post(text='gate 4') | same | same
#   apischema: same | datetime.date(2026, 11, 18) | 19.8999999
#   pyserde: same | datetime.date(2026, 11, 18) | same
#   msgspec: refused | refused | same
#
# Most would guess that a library which writes an object reads the same object from it.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mashumaro==3.23 dataclasses-json==0.6.7 apischema==0.19.0 \
    pyserde==0.34.0 msgspec==0.23.0
cat > "$work/trips.py" <<'PYTHON'
import json
from dataclasses import dataclass, make_dataclass
from datetime import date
from decimal import Decimal

import apischema
import msgspec
import serde
import serde.json
from dataclasses_json import DataClassJsonMixin
from mashumaro.mixins.json import DataClassJSONMixin


@dataclass
class Post:
    text: str


@dataclass
class Note:
    text: str
    pinned: bool


def with_methods(kind, value, base):
    record = make_dataclass("Record", [("value", kind)], bases=(base,))
    return record.from_json(record(value).to_json()).value


def with_functions(kind, value, write, read, prepare=lambda record: record):
    record = prepare(make_dataclass("Record", [("value", kind)]))
    return read(record, write(record(value))).value


TRIPS = {
    "mashumaro": lambda kind, value: with_methods(kind, value, DataClassJSONMixin),
    "dataclasses-json": lambda kind, value: with_methods(kind, value, DataClassJsonMixin),
    "apischema": lambda kind, value: with_functions(kind, value, lambda record: json.dumps(apischema.serialize(type(record), record)),
                                                    lambda record, text: apischema.deserialize(record, json.loads(text))),
    "pyserde": lambda kind, value: with_functions(kind, value, serde.json.to_json, serde.json.from_json, serde.serde),
    "msgspec": lambda kind, value: with_functions(kind, value, msgspec.json.encode,
                                                  lambda record, text: msgspec.json.decode(text, type=record)),
}
for name, trip in TRIPS.items():
    seen = []
    for kind, value in [(Post | Note, Note("gate 4", True)), (date | str, "2026-11-18"), (Decimal, Decimal("19.90"))]:
        try:
            back = trip(kind, value)
            shown = str(back)[:10] if isinstance(back, Decimal) else repr(back)
            seen.append("same" if (type(back), back) == (type(value), value) else shown)
        except TypeError:
            seen.append("refused")
    print(f"{name}: {' | '.join(seen)}")
PYTHON
"$work/env/bin/python" -W ignore "$work/trips.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
mashumaro: Post(text='gate 4') | datetime.date(2026, 11, 18) | same
dataclasses-json: Post(text='gate 4') | same | same
apischema: same | datetime.date(2026, 11, 18) | 19.8999999
pyserde: same | datetime.date(2026, 11, 18) | same
msgspec: refused | refused | same
SEEN
