"""A Nexus server with its own data folder on loopback, and calls to it without a browser."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).parents[4]
PROGRAM = os.environ.get("NEXUS_BIN", str(ROOT / ".build/debug/nexus"))
# A folder with the page; empty for the page in the program.
PAGE = os.environ.get("NEXUS_PAGE_FOLDER", str(ROOT / "Sources/Server/WebPage/Files"))
SAMPLE = ROOT / "eval/datasets/harbor"
KEPT = ROOT / ".build/web"
PATIENCE = int(os.environ.get("WEB_TEST_PATIENCE", 60))
# Whatever is configured around it: no service is needed.
SETTINGS = ["--set", "http.host=127.0.0.1", "--set", "embedding.provider=builtin", "--set", "chat.provider=extractive",
            "--log-level", "warning"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("NEXUS_", "SWIFT_"))}
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body[:300]}")
        self.status = status


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what, patience=PATIENCE):
    """Calls the condition until it returns something true, and returns that."""
    end = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {patience} s: {what}"
        time.sleep(0.05)
    return value


class Server:
    def __init__(self, folder, *settings, default_user="mara"):
        self.folder = pathlib.Path(folder)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = list(settings)
        self.default_user = default_user
        self.process = None
        (KEPT / "logs").mkdir(parents=True, exist_ok=True)
        self.log = KEPT / "logs" / f"{self.folder.name}.log"
        self.log.unlink(missing_ok=True)

    def run(self, command, *arguments):
        """Runs a command of the program to its end and returns its output."""
        done = subprocess.run(
            [PROGRAM, command, *arguments, "--data", str(self.folder), *SETTINGS, *self.settings],
            capture_output=True, text=True, env=ENVIRONMENT, timeout=PATIENCE * 3)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def with_sample(self):
        self.run("import", str(SAMPLE / "conversations.jsonl"), str(SAMPLE / "messages.jsonl"))
        self.run("ingest")
        return self

    def start(self):
        command = [PROGRAM, "serve", "--data", str(self.folder), "--port", str(self.port),
                   *(["--page-folder", PAGE] if PAGE else []), *SETTINGS, *self.settings]
        if self.default_user:
            command += ["--default-user", self.default_user]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=ENVIRONMENT, start_new_session=True)
        wait_until(self.is_ready, "the server is ready")
        return self

    def is_ready(self):
        assert self.process.poll() is None, f"the server has ended:\n{self.log.read_text()[-2000:]}"
        try:
            return opener.open(self.url + "/ready", timeout=5).status == 200
        except OSError:
            return False

    def stop(self, how=signal.SIGTERM):
        if self.process:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def kill(self):
        self.stop(signal.SIGKILL)

    def remove(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, path, body=None, user=None, token=None, parse=True):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        elif user:
            headers["X-Nexus-User"] = user
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with opener.open(request, timeout=PATIENCE) as reply:
                found = reply.read()
        except urllib.error.HTTPError as error:
            raise Refused(error.code, error.read().decode()) from None
        return json.loads(found) if parse and found else found

    def group(self, conversation, name, *users):
        """Makes a conversation of these people."""
        names = {"mara": "Mara Lindqvist", "jonas-b": "Jonas Brehmer"}
        members = [{"userId": user, "name": names.get(user, user.title())} for user in users]
        return self.call("POST", "/v1/conversations", {"id": conversation, "name": name, "members": members}, users[0])["id"]

    def say(self, conversation, user, text, **fields):
        path = f"/v1/conversations/{urllib.parse.quote(conversation)}/messages"
        return self.call("POST", path, {"text": text, **fields}, user)["messageId"]

    def texts(self, conversation, user):
        """All texts of a conversation, oldest first."""
        found, before = [], ""
        while True:
            path = f"/v1/conversations/{urllib.parse.quote(conversation)}/messages?limit=200{before}"
            page = self.call("GET", path, user=user)
            found += [message["text"] for message in sorted(page["messages"], key=lambda m: -m["seq"])]
            if not page["hasOlder"]:
                return found[::-1]
            oldest = min(page["messages"], key=lambda m: m["seq"])
            before = "&before=" + urllib.parse.quote(oldest["id"])
