"""Runs a web app of another origin in Chromium, with the browser's own WebSocket, EventSource, fetch and <img>.

The app is `browser_page.js`. It talks to a server that tells people apart by tokens, through a wire that can be cut.
Everything runs here: the server, the wire, the two origins of pages, and the browser.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import pathlib
import shutil
import socket
import sys
import tempfile
import time

NEXUS = os.environ["CONFORMANCE_NEXUS"]
BROWSER = next((p for p in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if p), None)
PATIENCE = 300

PAGE = b'<!doctype html><body><script type="module" src="/page.js"></script>'
SCRIPT = pathlib.Path(__file__).with_name("browser_page.js").read_bytes()
GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "live-chat" / "clients.md"
# A page that the server does not list. It tells the page around it what the browser lets it see.
FOREIGN = b"""<!doctype html><script type="module">
const {api, one, two} = Object.fromEntries(new URLSearchParams(location.search));
const socket = new WebSocket(`${api.replace("http", "ws")}/v1/socket?ticket=${one}`, ["nexus.v1"]);
const source = new EventSource(`${api}/v1/feed?ticket=${two}`);
const seen = await Promise.all([
    new Promise(done => { socket.onclose = event => done(event.code); socket.onopen = () => done("open"); }),
    new Promise(done => { source.onerror = () => done(source.readyState); source.onopen = () => done("open"); }),
    fetch(`${api}/health`).then(() => "read", error => error.name),
]);
parent.postMessage(seen, "*");
</script>"""


def example(api, bearer):
    """Returns the page of the guide, as a user of this server."""
    page = GUIDE.read_text().split("```html\n")[1].split("```")[0]
    for old, new in [
        ("http://127.0.0.1:8080", api), ('{"X-Nexus-User": "mara"}', json.dumps({"Authorization": f"Bearer {bearer}"})),
        ("jonas-b", "bob"),
    ]:
        assert page.count(old) == 1, f"the page of the guide has no {old}"
        page = page.replace(old, new)
    return page.encode()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def token(user, secret):
    """Returns a JWT of a user."""
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    now = int(time.time())
    claims = {"sub": user, "iss": "conformance", "aud": "nexus", "iat": now, "exp": now + 3600}
    text = part(b'{"alg":"HS256","typ":"JWT"}') + b"." + part(json.dumps(claims).encode())
    return (text + b"." + part(hmac.digest(secret, text, hashlib.sha256))).decode()


class Server:
    """A server whose people have tokens, and that takes calls of pages of one origin."""

    def __init__(self, folder, origin, secret):
        self.port = free_port()
        (folder / "secret").write_bytes(secret)
        settings = {
            "http.host": "127.0.0.1", "http.cors-origins": origin, "embedding.provider": "builtin",
            "chat.provider": "extractive", "auth.secret-file": folder / "secret", "auth.issuer": "conformance",
            "auth.audience": "nexus",
        }
        self.command = [
            NEXUS, "serve", "--data", str(folder / "data"), "--port", str(self.port), "--log-level", "error"]
        for name, value in settings.items():
            self.command += ["--set", f"{name}={value}"]

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(*self.command, stdout=asyncio.subprocess.DEVNULL)
        while not await self.is_ready():
            if self.process.returncode is not None:
                raise RuntimeError("the server has ended")
            await asyncio.sleep(0.1)

    async def is_ready(self):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.write(b"GET /ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        line = await reader.readline()
        writer.close()
        return b" 200 " in line

    async def stop(self):
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.wait()


class Wire:
    """Passes bytes between the browser and the server until it is cut."""

    def __init__(self, target):
        self.target = target
        self.open = set()

    async def carry(self, reader, writer):
        self.open.add(writer)
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return self.open.discard(writer)
        await asyncio.gather(self.copy(reader, far_writer), self.copy(far_reader, writer))
        for end in [writer, far_writer]:
            end.close()
        self.open.discard(writer)

    @staticmethod
    async def copy(reader, writer):
        try:
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
            writer.write_eof()
        except OSError:
            writer.transport.abort()

    def cut(self):
        for writer in list(self.open):
            writer.transport.abort()


class Pages:
    """Serves the app and does what it asks for."""

    def __init__(self, setup, wire, server):
        self.setup = setup
        self.wire = wire
        self.server = server
        self.report = asyncio.get_running_loop().create_future()

    async def answer(self, reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except asyncio.IncompleteReadError:
            # Browsers open connections in advance.
            return writer.close()
        path = head.split(" ")[1].split("?")[0]
        lengths = [line.split(":")[1] for line in head.splitlines() if line.lower().startswith("content-length:")]
        body = await reader.readexactly(int(lengths[0])) if lengths else b""
        kind, reply = await self.reply(path, body)
        writer.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(reply)}\r\n"
            "Connection: close\r\n\r\n".encode() + reply)
        await writer.drain()
        writer.close()

    async def reply(self, path, body):
        if path == "/page.js":
            return "text/javascript", SCRIPT
        if path == "/foreign":
            return "text/html", FOREIGN
        if path == "/example":
            return "text/html; charset=utf-8", example(self.setup["api"], self.setup["tokens"]["ada"])
        if path == "/setup":
            return "application/json", json.dumps(self.setup).encode()
        if path == "/cut":
            self.wire.cut()
        elif path == "/restart":
            await self.server.stop()
            await self.server.start()
        elif path == "/report":
            self.report.set_result(json.loads(body))
        return "text/html", PAGE if path == "/" else b""


async def run(folder):
    page, wire_port, foreign = free_port(), free_port(), free_port()
    origin = f"http://127.0.0.1:{page}"
    secret = os.urandom(32).hex().encode()
    server = Server(folder, origin, secret)
    wire = Wire(server.port)
    tokens = {user: token(user, secret) for user in ["ada", "bob", "eve"]}
    pages = Pages(
        {"api": f"http://127.0.0.1:{wire_port}", "foreign": f"http://127.0.0.1:{foreign}", "tokens": tokens},
        wire, server)
    for handler, port in [(pages.answer, page), (pages.answer, foreign), (wire.carry, wire_port)]:
        await asyncio.start_server(handler, "127.0.0.1", port)
    browser = None
    try:
        await server.start()
        browser = await asyncio.create_subprocess_exec(
            BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-proxy-server",
            "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={folder / 'browser'}", origin + "/",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)
        return await asyncio.wait_for(pages.report, PATIENCE)
    finally:
        if browser:
            browser.kill()
            await browser.wait()
        await server.stop()


def main():
    if BROWSER is None:
        print("there is no browser: install chromium")
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        report = asyncio.run(run(pathlib.Path(folder)))
    for failure in report["failures"]:
        print("failed:", failure)
    if report["failures"]:
        return 1
    print(f"Chromium's WebSocket and EventSource: {report['count']} scenarios passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
