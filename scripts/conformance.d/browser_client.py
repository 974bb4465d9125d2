"""Opens a socket and a stream in Chromium, with the browser's own WebSocket and EventSource.

It talks to the browser over the DevTools protocol. Without a browser (`apt-get install chromium`) it is left out.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import websockets

URL = os.environ["CONFORMANCE_URL"]
BROWSER = next((p for p in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if p), None)

# The page is the server's own origin. It asks as the default user of the server, `mara`.
SCRIPT = """
(async () => {
    const seen = [];
    const call = async (method, path, body) => {
        const options = {method, headers: {"Content-Type": "application/json"}, body: body && JSON.stringify(body)};
        const reply = await fetch(path, options);
        if (!reply.ok) throw new Error(path + " " + reply.status);
        return reply.status === 204 ? null : reply.json();
    };
    const place = (await call("POST", "/v1/direct", {with: "browser-friend"})).id;
    const cursor = (await call("GET", "/v1/sync")).cursor;
    const ticket = (await call("POST", "/v1/feed/ticket", {})).ticket;
    const socket = new WebSocket(`/v1/socket?ticket=${ticket}&cursor=${cursor}`, ["nexus.v1"]);
    const source = new EventSource(`/v1/feed?cursor=${cursor}`);
    const stream = new Promise((done, fail) => {
        source.addEventListener("stream", event => done(JSON.parse(event.data).stream));
        source.onerror = () => fail(new Error("the stream failed"));
    });
    await new Promise((done, fail) => { socket.onopen = done; socket.onerror = () => fail(new Error("no socket")); });
    const hears = (target, name, wanted) => new Promise(done => target.addEventListener(name, event => {
        if (event.data.includes(wanted)) done(JSON.parse(event.data));
    }));
    const onSocket = hears(socket, "message", "from the browser");
    const onStream = hears(source, "frame", "from the browser");
    await call("POST", "/v1/feed/say", {stream: await stream, type: "open", conversationId: place});
    socket.send(JSON.stringify({type: "bad"}));
    const error = await hears(socket, "message", '"type":"error"');
    await call("POST", `/v1/conversations/${place}/messages`, {text: "from the browser", senderId: "mara"});
    const frames = [await onSocket, await onStream];
    const closed = new Promise(done => { socket.onclose = event => done([event.code, event.wasClean]); });
    socket.close(1000);
    source.close();
    return {protocol: socket.protocol, error: error.code, versions: frames.map(f => f.v), closed: await closed};
})()
"""


async def command(page, number, method, **parameters):
    """Sends a command of the protocol and returns its result."""
    await page.send(json.dumps({"id": number, "method": method, "params": parameters}))
    while True:
        message = json.loads(await asyncio.wait_for(page.recv(), 60))
        if message.get("id") == number:
            return message["result"]


async def talk(port):
    for _ in range(200):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as reply:
                pages = [p for p in json.load(reply) if p["type"] == "page"]
            if pages:
                break
        except OSError:
            pass
        await asyncio.sleep(0.1)
    async with websockets.connect(pages[0]["webSocketDebuggerUrl"], max_size=None) as page:
        await command(page, 1, "Page.enable")
        await command(page, 2, "Page.navigate", url=URL + "/health")
        for number in range(3, 103):
            place = await command(page, number, "Runtime.evaluate", expression="location.href + document.readyState")
            if place["result"]["value"] == URL + "/healthcomplete":
                break
            await asyncio.sleep(0.1)
        result = await command(
            page, 200, "Runtime.evaluate", expression=SCRIPT, awaitPromise=True, returnByValue=True)
    assert "exceptionDetails" not in result, result["exceptionDetails"]
    found = result["result"]["value"]
    assert found == {
        "protocol": "nexus.v1", "error": "invalid_field", "versions": [1, 1], "closed": [1000, True]}, found


def main():
    if BROWSER is None:
        print("a browser: left out, because there is none")
        return
    with tempfile.TemporaryDirectory() as folder:
        browser = subprocess.Popen(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-proxy-server",
             "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            port = next(
                line.split("127.0.0.1:")[1].split("/")[0] for line in browser.stderr if "DevTools listening" in line)
            asyncio.run(talk(port))
        finally:
            browser.kill()
            browser.wait()
    print("Chromium's WebSocket and EventSource: passed")


if __name__ == "__main__":
    sys.exit(main())
