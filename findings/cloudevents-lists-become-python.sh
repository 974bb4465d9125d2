#!/usr/bin/env bash
# cloudevents 2.2.0, Python 3.11.
#
# An event goes over HTTP in one of two forms: whole as JSON, or with its data as the body and the rest in headers. In the second form
# (`to_binary`), with the content type application/json, only objects are written as JSON. A list becomes what Python prints, with
# single quotes, and false becomes "False": no JSON, although the header says so, and the library's own reader gives them as texts. A
# text is written without quotes, so that "4711" is read as a number, "true" as a boolean, and an empty text as nothing. In the first form
# all arrive as they were. Nothing is raised.
#
# Output (data: the body and what is read of it | what is read of the other form):
#   {'gates': ['A-4']}: {"gates": ["A-4"]} and {'gates': ['A-4']} | {'gates': ['A-4']}
#   ['A-4', 'B-1']: ['A-4', 'B-1'] and "['A-4', 'B-1']" | ['A-4', 'B-1']
#   False: False and 'False' | False
#   '4711': 4711 and 4711 | '4711'
#   'true': true and True | 'true'
#   '': nothing and None | ''
#
# Most would guess that a library with a format for JSON writes all of application/json with it, in both forms.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile cloudevents==2.2.0
cat > "$work/events.py" <<'PYTHON'
from cloudevents.core.bindings.http import from_binary, from_structured, to_binary, to_structured
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent

attributes = {"id": "1", "source": "/room", "type": "message", "specversion": "1.0", "datacontenttype": "application/json"}
json = JSONFormat()
for data in [{"gates": ["A-4"]}, ["A-4", "B-1"], False, "4711", "true", ""]:
    event = CloudEvent(attributes, data)
    binary, structured = to_binary(event, json), to_structured(event, json)
    assert binary.headers["content-type"] == "application/json"
    print(f"{data!r}: {binary.body.decode() or 'nothing'} and {from_binary(binary, json, CloudEvent).get_data()!r}"
          f" | {from_structured(structured, json, CloudEvent).get_data()!r}")
PYTHON
"$work/env/bin/python" -W ignore "$work/events.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
{'gates': ['A-4']}: {"gates": ["A-4"]} and {'gates': ['A-4']} | {'gates': ['A-4']}
['A-4', 'B-1']: ['A-4', 'B-1'] and "['A-4', 'B-1']" | ['A-4', 'B-1']
False: False and 'False' | False
'4711': 4711 and 4711 | '4711'
'true': true and True | 'true'
'': nothing and None | ''
SEEN
