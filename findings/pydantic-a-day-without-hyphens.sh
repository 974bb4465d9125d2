#!/usr/bin/env bash
# pydantic 2.14.4 with fastapi 0.163.2 beside `fromisoformat` of Python 3.11.
#
# A day may be written without hyphens in ISO 8601, as calendar files and many programs have it: 20261118. A field or a parameter
# with the type `datetime` takes such a text for seconds since 1970: the day is one in August 1970. A year alone is half an hour after
# midnight of 1 January 1970. With an hour behind it (20261118T1030) the same form is refused, and so it is for the type `date`. So
# `?since=20261118` asks a server for everything since 1970. No error.
#
# Output (pydantic, Python):
#   2026-11-18     2026-11-18 00:00:00        2026-11-18 00:00:00
#   20261118       1970-08-23 12:05:18+00:00  2026-11-18 00:00:00
#   2026           1970-01-01 00:33:46+00:00  refused
#   20261118T1030  refused                    2026-11-18 10:30:00
#   20261118 as a date: refused
#   GET /messages?since=20261118: 200 1970-08-23T12:05:18+00:00
#
# Most would guess that a text is a date in ISO 8601 or an error, and that only a number is seconds.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pydantic==2.14.4 fastapi==0.163.2 httpx==0.28.1
cat > "$work/days.py" <<'PYTHON'
import json
from datetime import date, datetime

from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import TypeAdapter


def read(parse, text):
    try:
        return str(parse(text))
    except ValueError:
        return "refused"


def field(kind):
    return lambda text: TypeAdapter(kind).validate_json(json.dumps(text))


for text in ["2026-11-18", "20261118", "2026", "20261118T1030"]:
    print(f"{text:14} {read(field(datetime), text):26} {read(datetime.fromisoformat, text)}")
print("20261118 as a date:", read(field(date), "20261118"))
app = FastAPI()


@app.get("/messages")
def messages(since: datetime):
    return since


reply = TestClient(app).get("/messages?since=20261118")
print("GET /messages?since=20261118:", reply.status_code, reply.json())
PYTHON
"$work/env/bin/python" -W ignore "$work/days.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
2026-11-18     2026-11-18 00:00:00        2026-11-18 00:00:00
20261118       1970-08-23 12:05:18+00:00  2026-11-18 00:00:00
2026           1970-01-01 00:33:46+00:00  refused
20261118T1030  refused                    2026-11-18 10:30:00
20261118 as a date: refused
GET /messages?since=20261118: 200 1970-08-23T12:05:18+00:00
SEEN
