#!/usr/bin/env bash
# matrix-synapse 1.163.2, Python 3.11, SQLite.
#
# The homeserver sends an application service its events in transactions with a number in the path. It sends one, is stopped and
# started, and sends another event: it has the same number again. A service that remembers the numbers of transactions,
# as the specification suggests against sending twice, answers 200 and loses the event for ever.
#
# Output:
#   before the restart: number 1, text "one"
#   after the restart: number 1, text "two"
#
# Most would guess that a number means one transaction for ever: the database that keeps the queue outlasts the restart.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check matrix-synapse==1.163.2
"$work/env/bin/python" - "$work" <<'PYTHON'
import hashlib
import hmac
import http.server
import json
import queue
import socket
import subprocess
import sys
import threading
import time
import urllib.request

folder = sys.argv[1]
port = socket.create_server(("127.0.0.1", 0)).getsockname()[1]
arrived = queue.Queue()


class Service(http.server.BaseHTTPRequestHandler):
    def do_PUT(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        for event in body["events"]:
            arrived.put((self.path.split("/")[-1].split("?")[0], event["content"].get("body")))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=service.serve_forever, daemon=True).start()


def write(name, value):
    with open(f"{folder}/{name}", "w") as file:
        json.dump(value, file)
    return f"{folder}/{name}"


registration = write("registration.yaml", {
    "id": "s", "url": f"http://127.0.0.1:{service.server_port}", "as_token": "as", "hs_token": "hs",
    "sender_localpart": "s", "namespaces": {"users": [{"exclusive": False, "regex": "@ada:t"}]}})
log = write("log.yaml", {"version": 1, "root": {"level": "ERROR", "handlers": []}})
config = write("homeserver.yaml", {
    "server_name": "t", "report_stats": False, "database": {"name": "sqlite3", "args": {"database": f"{folder}/db"}},
    "listeners": [{"port": port, "bind_addresses": ["127.0.0.1"], "type": "http", "resources": [{"names": ["client"]}]}],
    "log_config": log, "signing_key_path": f"{folder}/key", "media_store_path": f"{folder}/media",
    "registration_shared_secret": "r", "macaroon_secret_key": "m", "form_secret": "f",
    "app_service_config_files": [registration], "trusted_key_servers": [], "suppress_key_server_warning": True})
program = [sys.executable, "-m", "synapse.app.homeserver", "-c", config]
subprocess.run([*program, "--generate-keys"], check=True, cwd=folder, capture_output=True)


def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", method=method, headers=headers,
        data=None if body is None else json.dumps(body).encode())
    return json.load(urllib.request.urlopen(request, timeout=60))


def start():
    process = subprocess.Popen(program, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            call("GET", "/_matrix/client/versions")
            return process
        except OSError:
            time.sleep(0.1)
    sys.exit("the homeserver does not start")


def next_text():
    while True:
        number, text = arrived.get(timeout=60)
        if text:
            return number, text


process = start()
try:
    nonce = call("GET", "/_synapse/admin/v1/register")["nonce"]
    mac = hmac.new(b"r", b"\0".join([nonce.encode(), b"ada", b"p", b"notadmin"]), hashlib.sha1).hexdigest()
    token = call("POST", "/_synapse/admin/v1/register", {
        "nonce": nonce, "username": "ada", "password": "p", "admin": False, "mac": mac})["access_token"]
    room = call("POST", "/_matrix/client/v3/createRoom", {}, token)["room_id"]
    # The events of the new room are delivered, and a restart begins with nothing that waits.
    time.sleep(2)
    process.terminate()
    process.wait()
    numbers = []
    for number, (text, when) in enumerate([("one", "before"), ("two", "after")]):
        process = start()
        call("PUT", f"/_matrix/client/v3/rooms/{room}/send/m.room.message/{number}", {
            "msgtype": "m.text", "body": text}, token)
        numbers.append(next_text())
        print(f'{when} the restart: number {numbers[-1][0]}, text "{numbers[-1][1]}"')
        time.sleep(2)
        process.terminate()
        process.wait()
finally:
    process.kill()
sys.exit(0 if numbers == [("1", "one"), ("1", "two")] else 1)
PYTHON
