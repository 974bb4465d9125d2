"""What 20 people notice of one person, or one stranger, who misuses the server.

For each abuse it starts a server on a copy of the same data folder, and lets 20 people search, post and sign in: first
alone, then beside the abuse. It prints the p95 of each in milliseconds, quiet and abused, their ratio, the memory of the
server in MiB before the abuse and a while after it, and what the server answered to the abuse. Each person and each
stranger has an address on loopback (127.0.1.N, 127.0.2.N); 127.0.0.1 is a proxy of the server. With --postgres, the copy
is moved into a new database of that PostgreSQL server, whose user may make databases (psql is needed).

A proof by hand, not for CI: nothing else may run on the machine. An abuse is a function with @abuse in bench.d/abuses.py.
"""
import collections
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from bench.abuses import ABUSES, ATTACKERS, CROWD, PASSWORD, PEOPLE, Client
from bench.common import FORK, Server, programs, put, quantile, set_options, timed, write_lines

KINDS = ["search", "post", "sign-in", "sign-in, new device"]


def options(parser):
    parser.add_argument("--binary", help="the program, instead of nexus in NEXUS_BIN")
    parser.add_argument("--seconds", type=int, default=40, help="how long each load is measured (40)")
    parser.add_argument("--only", metavar="NUMBERS", default=",".join(map(str, sorted(ABUSES))),
                        help="the abuses, as 1,3; all if not given")
    parser.add_argument("--cores", metavar="LIST", help="the processors of the server, as taskset takes them")
    parser.add_argument("--settings", nargs="*", default=[], metavar="NAME=VALUE", help="more settings of the server")
    parser.add_argument("--postgres", metavar="ADDRESS", help="postgres://USER@HOST:PORT, without the name of a database")


def run(options):
    binary = options.binary or programs("nexus")[0]
    with tempfile.TemporaryDirectory(prefix="nexus-abuse-") as work:
        os.mkdir(f"{work}/base")
        prepare(binary, f"{work}/base")
        for number in map(int, options.only.split(",")): measure(binary, number, f"{work}/base", options)


def person(port, user, stop, results, lock):
    """One person: searches or posts every 3 s, and signs in every 20 s, on a known and a new device."""
    client, random_ = Client(port, user), random.Random(user)
    client.sign_in()
    next_sign_in, sign_ins = time.monotonic() + random_.uniform(0, 20), random_.randrange(2)
    while not stop.is_set():
        kind = random_.choice(["search", "post"])
        if time.monotonic() > next_sign_in:
            next_sign_in, sign_ins = time.monotonic() + 20, sign_ins + 1
            kind = ["sign-in", "sign-in, new device"][sign_ins % 2]
        start = time.monotonic()
        if kind == "search":
            status, _ = client.call("POST", "/v1/search", {"query": f"where is berth {random_.randrange(10**6)} of Robin"})
        elif kind == "post":
            status, _ = client.call(
                "POST", "/v1/conversations/harbor/messages", {"text": f"berth {random_.randrange(10**6)} is free"})
        else:
            other = Client(port, user)
            if kind == "sign-in": other.device = client.device
            status = other.sign_in()
            other.close()
        took = 1000 * (time.monotonic() - start)
        with lock: results.append((kind, took, status))
        time.sleep(random_.uniform(2, 4))


def ordinary_load(port, seconds, queue):
    stop, results, lock = threading.Event(), [], threading.Lock()
    threads = [threading.Thread(target=person, args=(port, user, stop, results, lock)) for user in PEOPLE]
    for thread in threads: thread.start()
    time.sleep(seconds)
    stop.set()
    for thread in threads: thread.join()
    queue.put(results)


def measured(port, seconds):
    """Runs the ordinary load in its own process; returns p95 and failures of each kind."""
    queue = FORK.Queue()
    load = FORK.Process(target=ordinary_load, args=(port, seconds, queue))
    load.start()
    results = queue.get()
    load.join()
    report = {}
    for kind in KINDS:
        times = [took for found, took, _ in results if found == kind]
        failed = collections.Counter(status for found, _, status in results if found == kind and status not in (200, 201))
        report[kind] = (quantile(times, 0.95) if times else None, len(times), dict(failed))
    return report


def attack(function, port, stop, queue):
    # The processors of those who attack are not the server's.
    os.nice(10)
    try:
        queue.put(dict(function(port, stop)))
    except Exception as error:
        # The measurement waits for an answer.
        queue.put({"the abuse failed": repr(error)})
        raise


def started(binary, folder, settings=(), cores=None):
    """Starts a server on a free port; its log is in the folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(f"{folder}/server.log", "wb") as log:
        return Server(
            binary, folder, port, *set_options("http.proxies=127.0.0.1", *settings), level=None, log=log,
            prefix=["taskset", "-c", cores] if cores else [])


def prepare(binary, folder):
    """Makes accounts, one conversation of all 20 people and some messages."""
    codes = {}
    for user in PEOPLE + ATTACKERS:
        shown = subprocess.run(
            [binary, "accounts", "invite", user, "--json", "--data", folder], check=True, capture_output=True)
        codes[user] = json.loads(shown.stdout)["address"].rsplit("/", 1)[1]
    write_history(f"{folder}/history.jsonl")
    timed(binary, "import", f"{folder}/history.jsonl", "--data", folder)
    timed(binary, "ingest", "--data", folder)
    with started(binary, folder) as server:
        for user, code in codes.items():
            status, reply = Client(server.port, user).json("POST", "/v1/invitations/" + code, {"password": PASSWORD})
            if status != 200: sys.exit(f"the link of {user} was refused: {status} {reply}")


def write_history(path):
    people = [{"id": user, "name": user} for user in PEOPLE]
    crowd = [{"id": user, "name": user} for user in CROWD]
    write_lines(path, [{"id": "harbor", "name": "harbor", "participants": people}, {
        "id": "crowd", "name": "crowd", "participants": crowd}, {
        "id": "c0", "conversationId": "crowd", "senderId": CROWD[0], "senderName": CROWD[0], "text": "here we are",
        "timestamp": "2025-10-01T08:00:00Z"}, *({
        "id": f"m{number}", "conversationId": "harbor", "senderId": PEOPLE[number % 20],
        "senderName": PEOPLE[number % 20], "text": f"berth {number % 500} is near crane {number % 77}",
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_760_000_000 + 60 * number)),
    } for number in range(5_000))])


def compared(quiet, abused):
    """Returns p95 of each kind, quiet and beside an abuse, and their ratio."""
    report = {}
    for kind in KINDS:
        (calm, count, _), (busy, busy_count, failed) = quiet[kind], abused[kind]
        report[kind] = {
            "quiet p95": calm and round(calm, 1), "abused p95": busy and round(busy, 1),
            "ratio": round(busy / calm, 2) if calm and busy else None, "requests": [count, busy_count], "failed": failed}
    return report


def moved(binary, number, folder, postgres):
    """Moves a folder's store into a new database; returns its address."""
    name = f"abuse_{os.getpid()}_{number}"
    subprocess.run(["psql", "-qc", f"CREATE DATABASE {name}", postgres + "/postgres"], check=True)
    address = f"{postgres}/{name}"
    timed(binary, "migrate", "--from", folder, "--to", address)
    shutil.rmtree(folder)
    os.mkdir(folder)
    return address


def measure(binary, number, base, options):
    """Measures one abuse on a copy of a folder, and prints what was found."""
    title, settings, function = ABUSES[number]
    folder = f"{base}-{number}"
    shutil.copytree(base, folder)
    try:
        if options.postgres: settings = settings + ["store.url=" + moved(binary, number, folder, options.postgres)]
        with started(binary, folder, settings + options.settings, options.cores) as server:
            quiet, abused, memory, answers = beside(function, server, options.seconds)
        put(**{"abuse": number, "title": title, "memory MiB": memory} | compared(quiet, abused) | {"answers": answers})
    finally:
        shutil.rmtree(folder)


def beside(function, server, seconds):
    """Measures the ordinary load, alone and beside an abuse; returns both, the memory, and the answers to the abuse."""
    measured(server.port, 10)
    quiet, before = measured(server.port, seconds), server.resident_kilobytes() // 1024
    stop, queue = FORK.Event(), FORK.Queue()
    attacker = FORK.Process(target=attack, args=(function, server.port, stop, queue))
    attacker.start()
    time.sleep(3)
    abused, during = measured(server.port, seconds), server.resident_kilobytes() // 1024
    stop.set()
    answers = queue.get()
    attacker.join()
    time.sleep(15)
    measured(server.port, 5)
    return quiet, abused, {"before": before, "during": during, "after": server.resident_kilobytes() // 1024}, answers
