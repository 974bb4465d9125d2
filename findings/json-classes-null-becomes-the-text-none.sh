#!/usr/bin/env bash
# cattrs 26.2.1, mashumaro 3.23, dataclasses-json 0.6.7, typedload 2.41 and jsons 1.6.3 beside msgspec 0.23.0, dacite 1.9.2 and apischema
# 0.19.0, Python 3.11.
#
# A message in JSON becomes an object of a class with types: an author is a text, a mark true or false, a number whole, the tags a list of
# texts. The first five libraries make a value of the type from whatever came, as `str(None)` does. An author of null is the text "None" for
# three of them, the text "false" is true for all five, 4.9 is 4, and one tag that was not put into a list becomes its letters for four.
# Nothing is raised. msgspec, dacite and apischema refuse all of these.
#
# Output (author null | pinned "false" | number 4.9 | tags "pier"):
#   cattrs: 'None' | True | 4 | ['p', 'i', 'e', 'r']
#   mashumaro: 'None' | True | 4 | ['p', 'i', 'e', 'r']
#   dataclasses-json: None | True | 4 | ['p', 'i', 'e', 'r']
#   typedload: 'None' | True | 4 | refused
#   jsons: refused | True | 4 | ['p', 'i', 'e', 'r']
#   msgspec: refused | refused | refused | refused
#   dacite: refused | refused | refused | refused
#   apischema: refused | refused | refused | refused
#
# Most would guess that a library which reads JSON by types refuses a value of another type.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile cattrs==26.2.1 mashumaro==3.23 dataclasses-json==0.6.7 \
    typedload==2.41 jsons==1.6.3 msgspec==0.23.0 dacite==1.9.2 apischema==0.19.0
cat > "$work/classes.py" <<'PYTHON'
import json
from dataclasses import dataclass

import apischema
import dacite
import jsons
import msgspec
import typedload
from cattrs.preconf.json import make_converter
from dataclasses_json import DataClassJsonMixin
from mashumaro import DataClassDictMixin


@dataclass
class Message:
    author: str
    pinned: bool
    number: int
    tags: list[str]


@dataclass
class MashumaroMessage(Message, DataClassDictMixin):
    pass


@dataclass
class DataclassesJsonMessage(Message, DataClassJsonMixin):
    pass


READERS = {
    "cattrs": lambda value: make_converter().structure(value, Message),
    "mashumaro": MashumaroMessage.from_dict,
    "dataclasses-json": DataclassesJsonMessage.from_dict,
    "typedload": lambda value: typedload.load(value, Message),
    "jsons": lambda value: jsons.load(value, Message),
    "msgspec": lambda value: msgspec.convert(value, Message),
    "dacite": lambda value: dacite.from_dict(Message, value),
    "apischema": lambda value: apischema.deserialize(Message, value),
}
for name, read in READERS.items():
    seen = []
    for field, text in [("author", "null"), ("pinned", '"false"'), ("number", "4.9"), ("tags", '"pier"')]:
        message = json.loads('{"author": "Ada", "pinned": true, "number": 4, "tags": ["pier"], "%s": %s}' % (field, text))
        try:
            seen.append(repr(getattr(read(message), field)))
        except Exception:
            seen.append("refused")
    print(f"{name}: {' | '.join(seen)}")
PYTHON
"$work/env/bin/python" -W ignore "$work/classes.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
cattrs: 'None' | True | 4 | ['p', 'i', 'e', 'r']
mashumaro: 'None' | True | 4 | ['p', 'i', 'e', 'r']
dataclasses-json: None | True | 4 | ['p', 'i', 'e', 'r']
typedload: 'None' | True | 4 | refused
jsons: refused | True | 4 | ['p', 'i', 'e', 'r']
msgspec: refused | refused | refused | refused
dacite: refused | refused | refused | refused
apischema: refused | refused | refused | refused
SEEN
