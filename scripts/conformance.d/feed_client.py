"""Follows the feed with server-sent events as a client does: resumes, says things, and hears presence and typing."""

import json
import os
import urllib.error
import urllib.request

URL = os.environ["CONFORMANCE_URL"]


def call(method, path, body=None, user="ada"):
    """Sends a request and returns the JSON of the reply."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        URL + path, method=method, data=data, headers={"X-Nexus-User": user, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        text = reply.read()
        return json.loads(text) if text else None


def status(*request, **options):
    """Returns the status of a refused request."""
    try:
        call(*request, **options)
    except urllib.error.HTTPError as error:
        return error.code
    return 200


class Feed:
    """A parser of event streams as the HTML standard describes them."""

    def __init__(self, user, last=None):
        headers = {"X-Nexus-User": user, "Accept": "text/event-stream"}
        if last:
            headers["Last-Event-ID"] = last
        self.reply = urllib.request.urlopen(urllib.request.Request(URL + "/v1/feed", headers=headers), timeout=60)
        assert self.reply.headers["Content-Type"] == "text/event-stream"
        self.last = last

    def next(self, name):
        """Returns the data of the next event with this name."""
        event, data = "message", []
        for line in self.reply:
            line = line.decode().rstrip("\r\n")
            if line == "":
                if data and event == name:
                    return json.loads("\n".join(data))
                event, data = "message", []
                continue
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                event = value
            elif field == "data":
                data.append(value)
            elif field == "id":
                self.last = value
        raise AssertionError(f"the stream ended before {name}")


place = call("POST", "/v1/direct", {"with": "bob"})["id"]
bob = Feed("bob", call("GET", "/v1/sync", user="bob")["cursor"])
stream = bob.next("stream")["stream"]
ada = Feed("ada")
other = ada.next("stream")["stream"]

call("POST", "/v1/feed/say", {"stream": stream, "type": "watch", "userIds": ["ada", "stranger"]}, user="bob")
people = bob.next("presence")["people"]
assert [(p["userId"], p["status"]) for p in people] == [("ada", "online")], people
call("POST", "/v1/feed/say", {"stream": stream, "type": "open", "conversationId": place}, user="bob")
call("POST", "/v1/feed/say", {"stream": other, "type": "typing", "conversationId": place})
typing = bob.next("typing")
assert typing["userId"] == "ada" and typing["conversationId"] == place, typing
assert status("POST", "/v1/feed/say", {"stream": stream, "type": "active"}) == 404
assert status("POST", "/v1/feed/say", {"stream": stream, "type": "bad"}, user="bob") == 400

call("POST", f"/v1/conversations/{place}/messages", {"text": "over the stream", "senderId": "ada"})
frame = bob.next("frame")
while "over the stream" not in json.dumps(frame):
    frame = bob.next("frame")
assert bob.last == frame["cursor"] and frame["prev"] < frame["pos"], frame
call("POST", "/v1/feed/say", {"stream": stream, "type": "ack", "cursor": frame["cursor"]}, user="bob")
receipts = call("GET", f"/v1/conversations/{place}/receipts")["receipts"]
assert [r["deliveredSeq"] for r in receipts if r["userId"] == "bob"] == [1], receipts

ada.reply.close()
people = bob.next("presence")["people"]
assert people[0]["status"] == "offline", people
# A client that comes back gets what it missed, and nothing twice.
bob.reply.close()
call("POST", f"/v1/conversations/{place}/messages", {"text": "meanwhile", "senderId": "ada"})
again = Feed("bob", bob.last)
frame = again.next("frame")
texts = [c["message"]["text"] for c in frame["changes"] if c["type"] == "message"]
assert frame["prev"] == int(bob.last.split("-")[1]) and texts == ["meanwhile"], frame
assert Feed("bob", "1-1").next("resync")["reason"] == "cursor_expired"
print("server-sent events: passed")
