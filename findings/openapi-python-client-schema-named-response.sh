#!/usr/bin/env bash
# openapi-python-client 0.29.1, Python 3.11.
#
# A document has a schema named Response, as that of OpenAI's API does, and an operation that returns it. The generator knows
# that this name is its own (each module of an operation imports its generic Response), but it imports both under one name,
# without a warning, and exits with 0. The schema's class comes last, and the annotation Response[…] below it fails, so the
# module cannot be imported. The same document with the schema named Reply is fine.
#
# Output:
#   schema Reply:    imported
#   schema Response: TypeError: type 'Response' is not subscriptable
#
# Most would guess that a generator renames a schema that has the name of one of its types, as it does with words of Python.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check openapi-python-client==0.29.1
cat > "$work/check.py" <<'PYTHON'
import json
import subprocess
import sys
from pathlib import Path

work = Path(sys.argv[1])


def outcome(schema):
    """What happens when the module of an operation that returns the schema is imported."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    operation = {
        "operationId": "getAnswer", "tags": ["answers"], "responses": {"200": {"description": "Found.", "content": content}}}
    fields = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
    document = {
        "openapi": "3.1.0", "info": {"title": schema, "version": "1"}, "paths": {"/answer": {"get": operation}},
        "components": {"schemas": {schema: fields}}}
    name = schema.lower()
    (work / f"{name}.json").write_text(json.dumps(document))
    (work / "config.yml").write_text("post_hooks: []\n")
    made = subprocess.run(
        [work / "env/bin/openapi-python-client", "generate", "--path", work / f"{name}.json", "--config", work / "config.yml",
         "--output-path", work / name], capture_output=True, text=True)
    assert made.returncode == 0 and "WARNING" not in made.stdout + made.stderr, made.stdout + made.stderr
    imported = subprocess.run(
        [sys.executable, "-c", f"import {name}_client.api.answers.get_answer"], cwd=work / name, capture_output=True, text=True)
    return "imported" if imported.returncode == 0 else imported.stderr.strip().splitlines()[-1]


results = [outcome("Reply"), outcome("Response")]
print("schema Reply:   ", results[0])
print("schema Response:", results[1])
sys.exit(0 if results == ["imported", "TypeError: type 'Response' is not subscriptable"] else 1)
PYTHON
"$work/env/bin/python" "$work/check.py" "$work"
