#!/usr/bin/env bash
# jsonschema 4.26.0 and fastjsonschema 2.22.3 beside jsonschema-rs 0.61.2, Python 3.11.
#
# Arguments of a tool are checked by one schema (draft 7) in three validators. An amount of 19.99 is a multiple of 0.01 for two, and
# none for jsonschema, which divides in binary: of the amounts from 0.01 to 99.99 it refuses one in seven. With its
# FormatChecker it checks a date, but not a date-time, because that needs a further package, and nothing says so. fastjsonschema writes the schema's `default` into the arguments that it checks.
#
# Output (jsonschema, fastjsonschema, jsonschema-rs; yes: valid):
#   multiple of 0.01, 19.99: no yes yes
#   multiple of 0.01, 19.995: no no no
#   format date, 2026-02-30: no no no
#   format date-time, tomorrow: yes no no
#   jsonschema refuses 1363 of 9999 amounts, {} is {'limit': 10} after fastjsonschema
#
# Most would guess that validators of one draft agree on an amount with two digits, and that a checker of formats checks all that
# the draft has or says which it does not.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    jsonschema==4.26.0 fastjsonschema==2.22.3 jsonschema-rs==0.61.2
cat > "$work/validators.py" <<'PYTHON'
import sys

import fastjsonschema
import jsonschema
import jsonschema_rs

DRAFT = {"$schema": "http://json-schema.org/draft-07/schema#"}


def by_jsonschema(schema, value):
    return jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).is_valid(value)


def by_rust(schema, value): return jsonschema_rs.Draft7Validator(schema, validate_formats=True).is_valid(value)


def by_fast(schema, value):
    try:
        fastjsonschema.compile(schema)(value)
        return True
    except fastjsonschema.JsonSchemaValueException:
        return False


EXPECTED = {
    "multiple of 0.01, 19.99": ({"multipleOf": 0.01}, 19.99, "no yes yes"),
    "multiple of 0.01, 19.995": ({"multipleOf": 0.01}, 19.995, "no no no"),
    "format date, 2026-02-30": ({"format": "date"}, "2026-02-30", "no no no"),
    "format date-time, tomorrow": ({"format": "date-time"}, "tomorrow", "yes no no"),
}
right = True
for name, (schema, value, expected) in EXPECTED.items():
    seen = " ".join("yes" if check({**DRAFT, **schema}, value) else "no" for check in (by_jsonschema, by_fast, by_rust))
    right = right and seen == expected
    print(f"{name}: {seen}")
cents = jsonschema.Draft7Validator({**DRAFT, "multipleOf": 0.01})
refused = sum(not cents.is_valid(cent / 100) for cent in range(1, 10000))
arguments = {}
fastjsonschema.compile({**DRAFT, "properties": {"limit": {"default": 10}}})(arguments)
print(f"jsonschema refuses {refused} of 9999 amounts, {{}} is {arguments} after fastjsonschema")
sys.exit(0 if right and 100 < refused < 9000 and arguments == {"limit": 10} else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/validators.py"
