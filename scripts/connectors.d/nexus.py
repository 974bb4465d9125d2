"""What the demonstrations of connectors share: the server with a new data folder, and steps that are checked."""

import json
import pathlib
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def call(method, url, body=None, token=None, user=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if user:
        headers["X-Nexus-User"] = user
    request = urllib.request.Request(url, method=method, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply)


def wait_for(condition, what, seconds=60):
    """Returns the first value of a condition that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            value = condition()
        except (OSError, urllib.error.URLError):
            value = None
        if value:
            return value
        time.sleep(0.1)
    raise SystemExit(f"failed: {what}")


def done(text):
    print(f"  {text}", flush=True)


def check(condition, text):
    if not condition:
        raise SystemExit(f"failed: {text}")
    done(text)


class Nexus:
    """The server, with a new data folder."""

    def __init__(self, program, folder, source):
        self.program, self.folder, self.source = program, pathlib.Path(folder), source
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process, self.settings = None, []

    def connect(self, connector):
        values = {
            "http.host": "127.0.0.1", "http.port": self.port, "embedding.provider": "builtin",
            "embedding.model": "all-MiniLM-L6-v2", "chat.provider": "extractive", **connector,
        }
        self.settings = ["--data", str(self.folder)]
        for name, value in values.items():
            self.settings += ["--set", f"{name}={value}"]

    def start(self):
        output = open(self.folder.parent / "nexus.log", "ab")
        self.process = subprocess.Popen([self.program, "serve", *self.settings], stdout=output, stderr=output)
        wait_for(lambda: call("GET", f"{self.url}/ready"), "Nexus does not start")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()

    def status(self):
        text = subprocess.run(
            [self.program, "status", *self.settings, "--json"], check=True, capture_output=True, text=True).stdout
        return json.loads(text).get("sources") or []

    def texts(self, person, conversation):
        """What a person reads in a conversation; nothing if the person does not see it."""
        try:
            url = f"{self.url}/v1/conversations/{conversation}/messages?limit=100"
            reply = call("GET", url, user=f"{self.source}-{person}")
        except OSError:
            return []
        return [message["text"] for message in reply["messages"]]

    def found(self, person, question):
        body = {"query": question, "topK": 5}
        reply = call("POST", f"{self.url}/v1/search", body, user=f"{self.source}-{person}")
        return [hit["text"] for hit in reply["results"]]
