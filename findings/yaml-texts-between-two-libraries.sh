#!/usr/bin/env bash
# PyYAML 6.0.4 and ruamel.yaml 0.19.1, Python 3.11.
#
# Each library puts a text in quotation marks if it would read it otherwise, so that a text which it wrote comes back as a text. They have
# different versions of YAML in mind, 1.1 and 1.2, and quote for themselves only. A plan that ruamel wrote gives PyYAML the number 630 for
# "10:30" and false for "no". What PyYAML wrote gives ruamel 1000.0 for the berth "1e3", and 8 for the code "08". JSON, which is said to be
# YAML, gives PyYAML the text "1e+16" for a number. Nothing is raised.
#
# Output (text: PyYAML by PyYAML, ruamel by ruamel, ruamel's by PyYAML, PyYAML's by ruamel):
#   10:30: same, same, 630, same
#   no: same, same, False, same
#   on: same, same, True, same
#   1e3: same, same, same, 1000.0
#   08: same, same, same, 8
#   0o7: same, same, same, 7
#   2026-11-18: same, same, same, same
#   0044: same, same, same, same
#   1e+16 in JSON: '1e+16', 1e+16
#
# Most would guess that a writer quotes each text that a reader of YAML may take for something else.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pyyaml==6.0.4 ruamel.yaml==0.19.1
cat > "$work/texts.py" <<'PYTHON'
import io
import json

import yaml
from ruamel.yaml import YAML

ruamel = YAML(typ="safe", pure=True)


def ruamel_text(value):
    stream = io.StringIO()
    ruamel.dump(value, stream)
    return stream.getvalue()


for text in ["10:30", "no", "on", "1e3", "08", "0o7", "2026-11-18", "0044"]:
    plan = {"value": text}
    read = [yaml.safe_load(yaml.safe_dump(plan)), ruamel.load(ruamel_text(plan)), yaml.safe_load(ruamel_text(plan)),
            ruamel.load(yaml.safe_dump(plan))]
    print(f"{text}:", ", ".join("same" if value == plan else repr(value["value"]) for value in read))
print("1e+16 in JSON:", ", ".join(repr(load(json.dumps({"value": 1e16}))["value"]) for load in (yaml.safe_load, ruamel.load)))
PYTHON
"$work/env/bin/python" -W ignore "$work/texts.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
10:30: same, same, 630, same
no: same, same, False, same
on: same, same, True, same
1e3: same, same, same, 1000.0
08: same, same, same, 8
0o7: same, same, same, 7
2026-11-18: same, same, same, same
0044: same, same, same, same
1e+16 in JSON: '1e+16', 1e+16
SEEN
