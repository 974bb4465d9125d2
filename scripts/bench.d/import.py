"""An import of JSON lines into a running server, until a search finds the last message by its words.

The embedding service that the server knows cannot be reached: the stores and both indexes are measured. After the
rounds the rows of the last one are inserted into bare SQLite, as `scripts/bench inserts` does.
"""
import tempfile
import time

from bench import inserts
from bench.common import (
    Server, embedding_settings, ferry_texts, programs, put, request, timed, wait_for, write_history)


def options(parser):
    parser.add_argument("count", metavar="MESSAGES", nargs="?", type=int, default=200_000)
    parser.add_argument("rounds", metavar="ROUNDS", nargs="?", type=int, default=3)
    parser.add_argument("port", metavar="PORT", nargs="?", type=int, default=9955)


def run(options):
    count = options.count
    nexus, = programs("nexus")
    with tempfile.TemporaryDirectory() as work:
        write_history(f"{work}/history.jsonl", ferry_texts(count))
        for number in range(options.rounds):
            data = f"{work}/data{number}"
            with Server(nexus, data, options.port, *embedding_settings(9, model="none"), ready="/health") as server:
                start = time.monotonic()
                stored = timed(nexus, "import", "--data", data, f"{work}/history.jsonl")
                wait_for(lambda: is_found(server, count), 0.02)
                found = time.monotonic() - start
            put(run="import into a server", messages=count, stored_per_second=round(count / stored),
                found_per_second=round(count / found))
        inserts.measure(data)


def is_found(server, count):
    reply = request(server.url, "/v1/search", {"query": f"number {count - 1}", "userId": "ada", "topK": 3})
    return any(hit["messageId"] == f"m{count - 1}" for hit in reply["results"])
