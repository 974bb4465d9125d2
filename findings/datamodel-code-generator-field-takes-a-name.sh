#!/usr/bin/env bash
# datamodel-code-generator 0.89.0, Python 3.11.
#
# A document has a schema Message, and a schema Completion with a field `message` that is another kind of object (as replies
# for OpenAI's clients have it). The model of the field is made first, takes the name Message, and the schema Message becomes
# Message1. Nothing is said, and code that reads messages with the class Message fails, or reads the other kind. Which of the two
# gets the name depends on the order in the document: with the schema Message before it, both have the names that one expects.
#
# Output:
#   Completion first: Message has text
#   Message first:    Message has id
#
# Most would guess that a named schema keeps its name, and that a class without a name in the document makes way.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check datamodel-code-generator==0.89.0 pydantic==2.14.4
cat > "$work/check.py" <<'PYTHON'
import json
import subprocess
import sys
from pathlib import Path

work = Path(sys.argv[1])
sys.path.insert(0, str(work))


def object_with(field, schema):
    return {"type": "object", "required": [field], "properties": {field: schema}}


SCHEMAS = {
    "Completion": object_with("message", object_with("text", {"type": "string"})),
    "Message": object_with("id", {"type": "string"}),
}


def fields(name, order):
    """The fields of the class Message."""
    document = {
        "openapi": "3.1.0", "info": {"title": "Chat", "version": "1"}, "paths": {},
        "components": {"schemas": {schema: SCHEMAS[schema] for schema in order}}}
    (work / f"{name}.json").write_text(json.dumps(document))
    subprocess.run(
        [work / "env/bin/datamodel-codegen", "--input", work / f"{name}.json", "--input-file-type", "openapi", "--output",
         work / f"{name}.py", "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin"], check=True)
    return list(__import__(name).Message.model_fields)


results = [fields("first", ["Completion", "Message"]), fields("second", ["Message", "Completion"])]
print("Completion first: Message has", *results[0])
print("Message first:    Message has", *results[1])
sys.exit(0 if results == [["text"], ["id"]] else 1)
PYTHON
"$work/env/bin/python" "$work/check.py" "$work"
