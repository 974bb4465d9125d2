#!/usr/bin/env bash
# openapi-python-client 0.29.1, Python 3.11.
#
# An operation takes its required body as one of two media types with the same schema, as routes for CloudEvents do
# (application/json and application/cloudevents+json). The generator reports no problem and exits with 0, but the module of
# the operation cannot be imported: the body got the default UNSET, and the type Unset of it is not imported. With one of the
# two media types the module is fine, and so is one with two types and an optional parameter of the query, which brings the
# import by chance.
#
# Output:
#   one media type:                            imported
#   two media types:                           NameError: name 'Unset' is not defined
#   two media types and an optional parameter: imported
#
# Most would guess that a module which a generator writes without a warning can be imported.
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


def outcome(name, types, parameters=()):
    """What happens when the module of the operation is imported."""
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
    body = {"required": True, "content": {kind: {"schema": {"$ref": "#/components/schemas/Event"}} for kind in types}}
    operation = {
        "operationId": "takeEvent", "tags": ["events"], "requestBody": body, "parameters": list(parameters),
        "responses": {"204": {"description": "Taken."}}}
    document = {
        "openapi": "3.1.0", "info": {"title": name, "version": "1"}, "paths": {"/events": {"post": operation}},
        "components": {"schemas": {"Event": schema}}}
    (work / f"{name}.json").write_text(json.dumps(document))
    (work / "config.yml").write_text("post_hooks: []\n")
    made = subprocess.run(
        [work / "env/bin/openapi-python-client", "generate", "--path", work / f"{name}.json", "--config", work / "config.yml",
         "--output-path", work / name], capture_output=True, text=True)
    assert made.returncode == 0 and "WARNING" not in made.stdout + made.stderr, made.stdout + made.stderr
    imported = subprocess.run(
        [sys.executable, "-c", f"import {name}_client.api.events.take_event"], cwd=work / name, capture_output=True, text=True)
    return "imported" if imported.returncode == 0 else imported.stderr.strip().splitlines()[-1].split(". Did")[0]


both = ["application/json", "application/cloudevents+json"]
dry = {"name": "dry", "in": "query", "required": False, "schema": {"type": "boolean"}}
results = [outcome("one", both[:1]), outcome("two", both), outcome("three", both, [dry])]
for name, result in zip(
        ["one media type:", "two media types:", "two media types and an optional parameter:"], results):
    print(f"{name:<42} {result}")
sys.exit(0 if results == ["imported", "NameError: name 'Unset' is not defined", "imported"] else 1)
PYTHON
"$work/env/bin/python" "$work/check.py" "$work"
