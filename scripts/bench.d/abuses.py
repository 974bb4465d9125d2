"""The abuses of `scripts/bench abuse`: functions that misuse a server as one person or as a stranger."""
import collections
import http.client
import json
import os
import random
import socket
import threading
import time

PEOPLE = [f"person-{number}" for number in range(20)]
ATTACKERS = ["mallory", "trudy"]
# People without an account who are known as members of a conversation: others are refused.
CROWD = [f"Robin Invented {place}" for place in range(500)]
PASSWORD = "a long sentence of mine"
ABUSES = {}
ADDRESSES = {f"person-{number}": f"127.0.1.{number + 1}" for number in range(20)} | {
    "mallory": "127.0.2.1", "trudy": "127.0.2.2", "stranger": "127.0.2.3", "proxy": "127.0.0.1"}


def abuse(number, title, settings=()):
    """Registers a function that misuses a server until an event is set; it returns counts of what was answered."""
    def register(function):
        ABUSES[number] = (title, list(settings), function)
        return function
    return register


class Client:
    """One connection of one person, from the person's address."""

    def __init__(self, port, user, token=None):
        self.port, self.user, self.token, self.connection, self.device = port, user, token, None, None

    def call(self, method, path, body=None, headers=None, raw=False):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(
                "127.0.0.1", self.port, timeout=120, source_address=(ADDRESSES[self.user], 0))
        data = body if raw or body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} if body is not None else {}
        if self.token: sent["Authorization"] = "Bearer " + self.token
        sent.update(headers or {})
        try:
            self.connection.request(method, path, data, sent)
            response = self.connection.getresponse()
            text = response.read()
            for cookie in response.headers.get_all("Set-Cookie") or []:
                if cookie.startswith("nexus-device="): self.device = cookie.split(";")[0]
            if response.will_close: self.close()
            return response.status, text
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return 0, str(error).encode()

    def json(self, method, path, body=None):
        status, text = self.call(method, path, body)
        try:
            return status, json.loads(text or b"null")
        except ValueError:
            return status, None

    def close(self):
        if self.connection: self.connection.close()
        self.connection = None

    def sign_in(self):
        """Signs in, as a device that was used before if this client has its cookie."""
        headers = {"Cookie": self.device} if self.device else {}
        status, text = self.call("POST", "/v1/session", {"userId": self.user, "password": PASSWORD}, headers)
        if status == 200: self.token = json.loads(text)["accessToken"]
        return status


def in_threads(count, stop, work):
    """Runs `work(number, counts)` again and again in threads until the event is set; returns the counts."""
    counts, lock = collections.Counter(), threading.Lock()

    def run(number):
        while not stop.is_set():
            answer = str(work(number))
            with lock: counts[answer] += 1

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return counts


def signed_in(port, user="mallory", count=1):
    """Returns clients of a person who signed in once."""
    first = Client(port, user)
    while first.sign_in() != 200: time.sleep(0.5)
    return [Client(port, user, first.token) for _ in range(count)]


def groups(client, size, count, others=PEOPLE):
    """Makes groups as large as they are allowed, with the other people in them; returns their ids and the answers."""
    ids, counts = [], collections.Counter()
    for number in range(count):
        made = [{"userId": user} for user in [client.user, *others]]
        made += [{"userId": user} for user in (CROWD + [f"Unknown {place}" for place in range(size)])[:size - len(made)]]
        status, reply = client.json("POST", "/v1/conversations", {"name": f"crowd {number}", "members": made})
        counts[f"group of {len(made)}: {status}"] += 1
        if status in (200, 201): ids.append(reply["id"])
    return ids, counts


@abuse(1, "large groups with everybody in them, and searches in them")
def large_groups(port, stop):
    seekers = signed_in(port, count=8)
    counts = groups(seekers[0], 10_000, 10)[1] + groups(seekers[0], 500, 40)[1]
    return counts + in_threads(8, stop, lambda number: seekers[number].call(
        "POST", "/v1/search", {"query": f"what did Robin say in berth {random.randrange(10**6)}"})[0])


@abuse(2, "messages full of mentions in a large group")
def mentions(port, stop):
    writers = signed_in(port, count=4)
    ids, counts = groups(writers[0], 500, 1)
    path = f"/v1/conversations/{ids[0]}/messages"
    bodies = [
        {"messages": [{"text": "@"} for _ in range(1000)]}, {"text": "@ " * 130_000},
        {"messages": [{"text": "@person-1 @person-2 " * 1_450} for _ in range(30)]},
        {"messages": [{"text": " ".join(f"@person-{place % 20}" for place in range(200))} for _ in range(1000)]},
    ]
    return counts + in_threads(
        4, stop, lambda number: f"body {number}: {writers[number].call('POST', path, bodies[number])[0]}")


@abuse(5, "lists of conversations with a text, many at once")
def lists(port, stop):
    clients = signed_in(port, count=32)
    counts = groups(clients[0], 500, 4)[1] + groups(clients[0], 2, 56, others=[])[1]
    return counts + in_threads(32, stop, lambda number: clients[number].call("GET", "/v1/conversations?q=x")[0])


@abuse(6, "files until there is no room", ["files.max-total-bytes=1073741824"])
def files(port, stop):
    clients = signed_in(port, count=4)
    blob, group = os.urandom(8 << 20), groups(clients[0], 1, 1, others=[])[0][0]

    def fill(number):
        status, text = clients[number].call(
            "POST", "/v1/files?name=blob.bin", blob, {"Content-Type": "application/octet-stream"}, raw=True)
        if status == 201:
            file = json.loads(text)["id"]
            clients[number].call("POST", f"/v1/conversations/{group}/messages", {"text": "", "attachments": [file]})
        else:
            time.sleep(0.1)
        return f"file: {status}"

    counts = in_threads(4, stop, fill)
    other = signed_in(port, "trudy")[0]
    status, _ = other.call("POST", "/v1/files?name=a.txt", b"text", {"Content-Type": "text/plain"}, raw=True)
    counts[f"file of somebody else: {status}"] += 1
    return counts


# At the door: sign-ins, connections and uploads.

FEW_CONNECTIONS = ["http.connections=300"]


@abuse(3, "50 sign-ins of a stranger at a time, behind the proxy")
def sign_in_flood(port, stop):
    clients = [Client(port, "proxy") for _ in range(50)]
    return in_threads(50, stop, lambda number: clients[number].call(
        "POST", "/v1/session", {"userId": f"nobody-{number}", "password": "not a password"},
        {"X-Forwarded-For": "203.0.113.9"})[0])


@abuse(7, "wrong passwords of everybody, by a stranger")
def wrong_passwords(port, stop):
    clients = [Client(port, "stranger") for _ in range(20)]
    return in_threads(20, stop, lambda number: clients[number].call(
        "POST", "/v1/session", {"userId": PEOPLE[number], "password": "not a password"})[0])


def held(port, user, stop, count, begin, drip):
    """Holds connections open until the event is set, and sends a few bytes on each in a second; returns counts."""
    counts, open_ones = collections.Counter(), []
    while not stop.is_set():
        for _ in range(130):
            if len(open_ones) >= count: break
            try:
                connection = socket.create_connection(
                    ("127.0.0.1", port), timeout=1, source_address=(ADDRESSES[user], 0))
                connection.sendall(begin)
                open_ones.append(connection)
                counts["opened"] += 1
            except OSError:
                counts["not opened"] += 1
        for connection in list(open_ones):
            try:
                connection.setblocking(False)
                try:
                    counts[connection.recv(64)[9:12].decode() or "closed"] += 1
                    connection.close()
                    open_ones.remove(connection)
                    continue
                except BlockingIOError:
                    pass
                connection.sendall(drip)
            except OSError:
                counts["closed"] += 1
                open_ones.remove(connection)
        stop.wait(1)
    return counts


@abuse(4, "310 slow uploads of one member, 300 connections", FEW_CONNECTIONS)
def slow_uploads(port, stop):
    client = signed_in(port)[0]
    head = ("POST /v1/files?name=slow.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\n"
            f"Authorization: Bearer {client.token}\r\nContent-Length: 9999999\r\n\r\n")
    return held(port, "mallory", stop, 310, head.encode(), b"x")


@abuse(8, "130 half heads in a second, of a stranger, 300 connections", FEW_CONNECTIONS)
def half_heads(port, stop):
    return held(port, "stranger", stop, 4_000, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", b"x")


@abuse(9, "130 half bodies in a second, of a stranger, 300 connections", FEW_CONNECTIONS)
def half_bodies(port, stop):
    head = ("POST /v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            "Content-Length: 9000\r\n\r\n{")
    return held(port, "stranger", stop, 4_000, head.encode(), b" ")
