#!/usr/bin/env bash
# matrix-synapse 1.163.2, Python 3.11, SQLite.
#
# A program numbers its requests: each message and each deletion has a number at the end of its path, by which the homeserver knows a
# request that is sent again. Although the paths differ, it keeps one list for both. A program that counts messages and
# deletions of a room from 1 gets 200 and an event's id for its first deletion, and nothing is deleted: the id is that of the message
# with this number. The text stays for everybody, and the program takes it for deleted. In the other order the message is not
# sent, and its answer is the deletion's id. A number that neither had is right.
#
# Output:
#   message 1, then deletion 1 of it: 200, the message's own id, text still there: True
#   deletion 2, then message 2: 200, the deletion's id, text there: False
#   deletion 3: 200, an id of its own, text still there: False
#
# Most would guess that a deletion answered by 200 with an event has deleted.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile matrix-synapse==1.163.2
cat > "$work/deletion.py" <<'PYTHON'
import hashlib
import hmac
import json
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

folder = sys.argv[1]
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]


def write(name, value):
    with open(f"{folder}/{name}", "w") as file:
        json.dump(value, file)
    return f"{folder}/{name}"


log = write("log.yaml", {"version": 1, "root": {"level": "ERROR", "handlers": []}})
config = write("homeserver.yaml", {
    "server_name": "t", "report_stats": False, "database": {"name": "sqlite3", "args": {"database": f"{folder}/db"}},
    "listeners": [{"port": port, "bind_addresses": ["127.0.0.1"], "type": "http", "resources": [{"names": ["client"]}]}],
    "log_config": log, "signing_key_path": f"{folder}/key", "media_store_path": f"{folder}/media",
    "registration_shared_secret": "r", "macaroon_secret_key": "m", "form_secret": "f", "trusted_key_servers": [],
    "suppress_key_server_warning": True})
program = [sys.executable, "-m", "synapse.app.homeserver", "-c", config]
subprocess.run([*program, "--generate-keys"], check=True, cwd=folder, capture_output=True)
token = None


def call(method, path, body=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", method=method, headers=headers,
        data=None if body is None else json.dumps(body).encode())
    return json.load(urllib.request.urlopen(request, timeout=60))


def text_of(event):
    return call("GET", f"{client}/rooms/{room}/event/{urllib.parse.quote(event)}")["content"].get("body")


process = subprocess.Popen(program, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(600):
        try:
            call("GET", "/_matrix/client/versions")
            break
        except OSError:
            time.sleep(0.1)
    nonce = call("GET", "/_synapse/admin/v1/register")["nonce"]
    mac = hmac.new(b"r", b"\0".join([nonce.encode(), b"ada", b"p", b"notadmin"]), hashlib.sha1).hexdigest()
    token = call("POST", "/_synapse/admin/v1/register", {
        "nonce": nonce, "username": "ada", "password": "p", "admin": False, "mac": mac})["access_token"]
    client = "/_matrix/client/v3"
    room_id = call("POST", f"{client}/createRoom", {})["room_id"]
    room = urllib.parse.quote(room_id)

    def send(number, text):
        return call("PUT", f"{client}/rooms/{room}/send/m.room.message/{number}", {"msgtype": "m.text", "body": text})["event_id"]

    def delete(number, event):
        return call("PUT", f"{client}/rooms/{room}/redact/{urllib.parse.quote(event)}/{number}", {})["event_id"]

    message = send(1, "the code is 4711")
    deletion = delete(1, message)
    first = (deletion == message, text_of(message) == "the code is 4711")
    other = send("other", "the gate is shut")
    deletion = delete(2, other)
    answer = send(2, "the gate is open")
    second = (answer == deletion, text_of(answer) == "the gate is open")
    deletion = delete(3, message)
    third = (deletion == message, text_of(message) == "the code is 4711")
finally:
    process.terminate()
    process.wait()
own, theirs = "an id of its own", {"message": "the message's own id", "deletion": "the deletion's id"}
print(f"message 1, then deletion 1 of it: 200, {theirs['message'] if first[0] else own}, "
      f"text still there: {first[1]}")
print(f"deletion 2, then message 2: 200, {theirs['deletion'] if second[0] else own}, text there: {second[1]}")
print(f"deletion 3: 200, {theirs['message'] if third[0] else own}, text still there: {third[1]}")
sys.exit(0 if (first, second, third) == ((True, True), (True, False), (False, False)) else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/deletion.py" "$work"
