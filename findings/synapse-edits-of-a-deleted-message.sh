#!/usr/bin/env bash
# matrix-synapse 1.163.2, Python 3.11, SQLite.
#
# Somebody posts a code, corrects it twice, and deletes the message. The homeserver deletes the first text only: an edit is an event
# with the new text in it, and stays. So the history (`/messages`) and the search still give both later codes, to programs
# that know nothing of them, and a bridge, an export or an index that hides what was deleted shows an edit of nothing. `/relations`
# of the deleted message says that there are no edits. The next `/sync` without `since`, which a client sends that starts anew, still has
# the first text as well: such a reply is kept for two minutes.
#
# Output (texts, before and after the deletion):
#   messages: * 4713, * 4712, 4711 | * 4713, * 4712
#   search: 4711, * 4712, * 4713 | * 4712, * 4713
#   relations: * 4713, * 4712 | none
#   sync: 4711, * 4712, * 4713 | 4711, * 4712, * 4713
#
# Most would guess that a message goes with its edits, which are shown as one message.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile matrix-synapse==1.163.2
cat > "$work/delete.py" <<'PYTHON'
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


def texts(events):
    return [event["content"]["body"] for event in events if "body" in event["content"]]


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

    def send(number, content):
        return call("PUT", f"{client}/rooms/{room}/send/m.room.message/{number}", {"msgtype": "m.text"} | content)["event_id"]

    message = send(1, {"body": "4711"})
    for number, text in [(2, "4712"), (3, "4713")]:
        send(number, {"body": f"* {text}", "m.new_content": {"msgtype": "m.text", "body": text},
                      "m.relates_to": {"rel_type": "m.replace", "event_id": message}})
    quoted = urllib.parse.quote(message)

    def read():
        found = [hit["result"] for word in ["4711", "4712", "4713"] for hit in call("POST", f"{client}/search", {
            "search_categories": {"room_events": {"search_term": word}}})["search_categories"]["room_events"]["results"]]
        return {
            "messages": texts(call("GET", f"{client}/rooms/{room}/messages?dir=b&limit=20")["chunk"]),
            "search": texts(found),
            "relations": texts(call("GET", f"/_matrix/client/v1/rooms/{room}/relations/{quoted}/m.replace")["chunk"]),
            "sync": texts(call("GET", f"{client}/sync?timeout=0")["rooms"]["join"][room_id]["timeline"]["events"])}

    before = read()
    call("PUT", f"{client}/rooms/{room}/redact/{quoted}/4", {})
    time.sleep(1)
    after = read()
finally:
    process.terminate()
    process.wait()
for name in before:
    print(f"{name}: {', '.join(before[name]) or 'none'} | {', '.join(after[name]) or 'none'}")
first, second, third = "4711", "* 4712", "* 4713"
sys.exit(0 if list(before.values()) == [
    [third, second, first], [first, second, third], [third, second], [first, second, third]] and list(after.values()) == [
    [third, second], [second, third], [], [first, second, third]] else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/delete.py" "$work"
