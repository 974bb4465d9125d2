"""The worker: with a stub of an embedding service, beside the built-in encoder, and while people search.

Also measures how soon a new message is found beside a backlog of 100,000, with a service that takes 200 ms a request.
"""
import os
import subprocess
import sys
import tempfile
import time

from bench import freshness, searches
from bench.common import (
    Process, Server, embedder, embedding_settings, ferry_texts, programs, put, timed, write_history, write_lines)

ENCODED = 12_000


def options(parser):
    parser.add_argument("count", metavar="MESSAGES", nargs="?", type=int, default=40_000)
    parser.add_argument("port", metavar="PORT", nargs="?", type=int, default=9920)


def run(options):
    nexus, = programs("nexus")
    with tempfile.TemporaryDirectory() as work:
        for form, delay, count in [("float", 0, options.count), ("base64", 0, options.count), ("float", 200, 6400)]:
            measure_service(nexus, work, options.port, form, delay, count)
        put(run="what 8 connections of 200 ms and 32 texts allow", per_second=1280)
        measure_freshness(nexus, work, options.port)
        measure_encoder(nexus, work)
        measure_searches(nexus, work, options.port)


def imported(nexus, work, name, count):
    """Imports a history of so many messages, all different, into a new data folder."""
    write_history(f"{work}/history.jsonl", ferry_texts(count))
    timed(nexus, "import", "--data", f"{work}/{name}", f"{work}/history.jsonl")
    return f"{work}/{name}"


def service_settings(port, form):
    return embedding_settings(port, "embedding.dimensions=1536", f"embedding.encoding-format={form}")


def measure_service(nexus, work, port, form, delay, count):
    with embedder(port, delay, form):
        data = imported(nexus, work, f"service-{form}-{delay}", count)
        seconds = timed(nexus, "ingest", "--data", data, *service_settings(port, form))
    put(run=f"service, {form}, {delay} ms", messages=count, seconds=round(seconds, 3), per_second=round(count / seconds))


def measure_freshness(nexus, work, port, count=100_000):
    with embedder(port, 200, "base64"):
        data = imported(nexus, work, "fresh", count)
        with quiet_server(nexus, data, port + 1, *service_settings(port, "base64")) as server:
            put(run="new messages until they are found", result=freshness.measure(server.url, 50))


def quiet_server(nexus, data, port, *options):
    return Server(nexus, data, port, *options, level=None, log=subprocess.DEVNULL)


def measure_encoder(nexus, work):
    """Measures the built-in encoder alone, and in the worker."""
    write_lines(f"{work}/texts.jsonl", ({"text": f"Ada: {text}"} for text in ferry_texts(ENCODED)))
    write_lines(f"{work}/questions.jsonl", [{"question": "ferry?"}])
    models = os.environ.get("NEXUS_MODEL_DIR", os.path.expanduser("~/.cache/nexus/models"))
    for number in (1, 2):
        alone = timed(
            nexus, "model", "vectors", "--messages", f"{work}/texts.jsonl", "--questions", f"{work}/questions.jsonl",
            "--model", f"{models}/all-MiniLM-L6-v2", "--out", f"{work}/v{number}")
        both = timed(nexus, "ingest", "--data", imported(nexus, work, f"encoded{number}", ENCODED))
        put(run="built-in encoder", messages=ENCODED, alone_seconds=round(alone, 3), worker_seconds=round(both, 3))


def measure_searches(nexus, work, port):
    """Measures searches on a server, alone and while it fills another generation."""
    data = f"{work}/encoded1"
    with quiet_server(nexus, data, port) as server:
        searches.measure(server.url, 200)
        put(run="searches", result=searches.measure(server.url, 600))
        with Process([nexus, "reembed", "--data", data], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
            time.sleep(0.5)
            put(run="searches while a generation is filled", result=searches.measure(server.url, 600))
            subprocess.run([nexus, "generations", "list", "--data", data], stdout=sys.stderr)
