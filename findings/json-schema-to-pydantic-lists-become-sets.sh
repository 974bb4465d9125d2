#!/usr/bin/env bash
# json-schema-to-pydantic 0.5.0, Python 3.11.
#
# A tool tells its arguments as a JSON schema, and a class of Pydantic is made from it to check what a model writes. A list whose members have
# to differ (`uniqueItems`) becomes a set: its order is lost, and a list with one member twice is taken. An argument that the schema
# forbids (`additionalProperties: false`) is dropped. The values of a dictionary are not checked. And an optional argument that was
# not given comes out as null, which the same schema does not allow, so that the server refuses what passed here.
#
# Output:
#   {"who": ["Bo", "Ana", "Bo"]}: who is a set of 2
#   {"text": "hi", "room": "pier"}: {"text": "hi"}
#   {"hours": {"Ana": "many"}}: {"hours": {"Ana": "many"}}
#   {}: {"text": null}, which the class itself refuses
#
# Most would guess that a class made from a schema refuses what the schema refuses, and gives lists as lists.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile json-schema-to-pydantic==0.5.0
cat > "$work/schema.py" <<'PYTHON'
import json
import sys

from json_schema_to_pydantic import create_model
from pydantic import ValidationError


def model(**properties):
    return create_model({"title": "Arguments", "type": "object", "properties": properties, "additionalProperties": False})


def read(properties, arguments):
    return model(**properties).model_validate(arguments)


seen = []
who = read({"who": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}}, {"who": ["Bo", "Ana", "Bo"]}).who
seen.append(('{"who": ["Bo", "Ana", "Bo"]}', f"who is a {type(who).__name__} of {len(who)}"))
text = {"text": {"type": "string"}}
extra = {"text": "hi", "room": "pier"}
seen.append((json.dumps(extra), read(text, extra).model_dump_json(indent=None)))
hours = {"hours": {"Ana": "many"}}
seen.append((json.dumps(hours), read({"hours": {"type": "object", "additionalProperties": {"type": "integer"}}}, hours).model_dump_json()))
empty = read(text, {})
try:
    read(text, json.loads(empty.model_dump_json()))
    end = ""
except ValidationError:
    end = ", which the class itself refuses"
seen.append(("{}", empty.model_dump_json() + end))
seen = [(given, line.replace('":', '": ')) for given, line in seen]
for given, line in seen:
    print(f"{given}: {line}")
expected = [
    "who is a set of 2", '{"text": "hi"}', '{"hours": {"Ana": "many"}}', '{"text": null}, which the class itself refuses',
]
sys.exit(0 if [line for _, line in seen] == expected else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/schema.py"
