"""Two people talk over the socket with the client of the package `websockets`, and over server-sent events."""

import asyncio
import json
import os
import urllib.error
import urllib.request

import websockets

URL = os.environ["CONFORMANCE_URL"]
SOCKET = URL.replace("http://", "ws://") + "/v1/socket"


def call(method, path, body=None, user="ada"):
    """Sends a request and returns the JSON of the reply."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        URL + path, method=method, data=data, headers={"X-Nexus-User": user, "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        text = reply.read()
        return json.loads(text) if text else None


async def receive(socket, wanted):
    """Returns the next message that `wanted` accepts."""
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 30))
        if wanted(message):
            return message


def texts(message):
    return [change["message"]["text"] for change in message.get("changes", []) if change["type"] == "message"]


async def talk():
    place = call("POST", "/v1/direct", {"with": "bob"})["id"]
    cursor = call("GET", "/v1/sync", user="bob")["cursor"]
    ticket = call("POST", "/v1/feed/ticket", {}, user="bob")["ticket"]
    options = {"subprotocols": ["nexus.v1"]}
    async with websockets.connect(f"{SOCKET}?ticket={ticket}&cursor={cursor}", **options) as bob:
        assert bob.subprotocol == "nexus.v1"
        async with websockets.connect(SOCKET, additional_headers={"X-Nexus-User": "ada"}, **options) as ada:
            await bob.send(json.dumps({"type": "watch", "userIds": ["ada", "stranger"]}))
            online = await receive(bob, lambda m: m.get("type") == "presence")
            assert [(p["userId"], p["status"]) for p in online["people"]] == [("ada", "online")], online
            await bob.send(json.dumps({"type": "open", "conversationId": place}))
            await bob.send(json.dumps({"type": "bad"}))
            error = await receive(bob, lambda m: m.get("type") == "error")
            assert error["code"] == "invalid_field", error
            await ada.send(json.dumps({"type": "typing", "conversationId": place}))
            typing = await receive(bob, lambda m: m.get("type") == "typing")
            assert typing["userId"] == "ada" and typing["milliseconds"] == 6000, typing
            call("POST", f"/v1/conversations/{place}/messages", {"text": "over the socket", "senderId": "ada"})
            frame = await receive(bob, lambda m: "over the socket" in texts(m))
            assert frame["v"] == 1 and frame["prev"] < frame["pos"], frame
            await bob.send(json.dumps({"type": "ack", "cursor": frame["cursor"]}))
            await receive(ada, lambda m: "over the socket" in texts(m))
            await bob.ping()
        offline = await receive(bob, lambda m: m.get("type") == "presence")
        assert offline["people"][0]["status"] == "offline", offline
        receipts = call("GET", f"/v1/conversations/{place}/receipts")["receipts"]
        assert [r["deliveredSeq"] for r in receipts if r["userId"] == "bob"] == [1], receipts
        await bob.send("x" * 70_000)
        try:
            await receive(bob, lambda m: False)
        except websockets.ConnectionClosed as closed:
            assert closed.rcvd.code == 1009, closed
    # A ticket is good once, and a cursor brings what was missed.
    try:
        async with websockets.connect(f"{SOCKET}?ticket={ticket}", **options):
            raise AssertionError("a ticket was taken twice")
    except websockets.InvalidStatus as refused:
        assert refused.response.status_code == 401, refused
    async with websockets.connect(
        f"{SOCKET}?cursor={cursor}", additional_headers={"X-Nexus-User": "bob"}, **options) as again:
        await receive(again, lambda m: "over the socket" in texts(m))
    async with websockets.connect(
        f"{SOCKET}?cursor=1-1", additional_headers={"X-Nexus-User": "bob"}, **options) as lost:
        await receive(lost, lambda m: m.get("type") == "resync")


def follow():
    """Reads the first frame of the server-sent events."""
    cursor = call("GET", "/v1/sync", user="bob")["cursor"]
    call("POST", "/v1/direct", {"with": "bob"}, user="cy")
    request = urllib.request.Request(URL + "/v1/feed", headers={"X-Nexus-User": "bob", "Last-Event-ID": cursor})
    with urllib.request.urlopen(request, timeout=30) as reply:
        assert reply.headers["Content-Type"] == "text/event-stream"
        for line in reply:
            if line.startswith(b"data: "):
                frame = json.loads(line[6:])
                # The first event names the stream.
                if "changes" not in frame:
                    continue
                assert frame["changes"][0]["type"] == "conversation", frame
                return


asyncio.run(talk())
follow()
print("sockets and events: passed")
