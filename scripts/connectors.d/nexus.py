"""What the demonstrations of connectors share: the server with a new data folder, and steps that are checked."""

import json
import pathlib
import shutil
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


def pdf(*pages):
    """Makes a PDF file with a line of text on each page."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        content = f"BT /F1 18 Tf 72 700 Td ({text}) Tj ET"
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {5 + 2 * number} 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    body, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    return (
        f"{body}xref\n0 {size}\n0000000000 65535 f \n{rows}trailer\n<< /Size {size} /Root 1 0 R >>\n"
        f"startxref\n{len(body)}\n%%EOF\n").encode()


def require_pdf_reader():
    if not shutil.which("pdftotext"):
        raise SystemExit("pdftotext is missing: install poppler-utils")


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

    def file(self, person, conversation, name):
        """A file of a message that a person reads, once its words are searched; None before."""
        url = f"{self.url}/v1/conversations/{conversation}/messages?limit=100"
        for message in call("GET", url, user=f"{self.source}-{person}")["messages"]:
            for file in message.get("attachments", []):
                if file["name"] == name and file.get("reading", {}).get("state") == "read":
                    return file
        return None

    def bytes(self, person, file):
        """The bytes of a file; None if the person may not read it."""
        request = urllib.request.Request(
            f"{self.url}/v1/files/{file}", headers={"X-Nexus-User": f"{self.source}-{person}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.read()
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def hits(self, person, question):
        body = {"query": question, "topK": 5}
        return call("POST", f"{self.url}/v1/search", body, user=f"{self.source}-{person}")["results"]

    def found(self, person, question):
        return [hit["text"] for hit in self.hits(person, question)]
