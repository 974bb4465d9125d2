# Abuses at the door: sign-ins, connections and uploads. measure-abuse runs this file as a part of its own.
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
