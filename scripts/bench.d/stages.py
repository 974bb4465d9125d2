"""Import, embedding, a search from a cold start, and the index, one after the other."""
import json
import os
import re
import subprocess
import tempfile

from bench import inserts
from bench.common import ROOT, programs, put, timed, write_history


def options(parser):
    parser.add_argument("imported", metavar="MESSAGES", nargs="?", type=int, default=100_000, help="to import (100,000)")
    parser.add_argument("embedded", metavar="EMBEDDED", nargs="?", type=int, default=5_000, help="to embed (5,000)")


def machine():
    with open("/proc/cpuinfo") as file: found = re.search(r"^model name[^:]*: (.*)", file.read(), re.M)
    return {"machine": found[1] if found else "", "cores": len(os.sched_getaffinity(0))}


def texts(count, least, most):
    """Returns so many texts of the sample chat, each of so many bytes."""
    with open(f"{ROOT}/eval/datasets/harbor/messages.jsonl") as file:
        found = re.findall(r'^[^\n]*?"text": ("(?:[^"\\]|\\.)*")', file.read(), re.M)
    fitting = [json.loads(text) for text in found if least <= len(text.encode()) - 2 <= most]
    return [fitting[number * 7919 % len(fitting)] for number in range(count)]


def run(options):
    nexus, bench = programs("nexus", "bench")
    put(**machine())
    with tempfile.TemporaryDirectory() as work:
        def stage(name, command, data, count):
            seconds = timed(nexus, command, "--data", data, *([f"{data}.jsonl"] if command == "import" else []))
            put(run=name, messages=count, seconds=round(seconds, 3), per_second=round(count / seconds))

        write_history(f"{work}/large.jsonl", texts(options.imported, 2, 100_000), rooms=100)
        stage("import", "import", f"{work}/large", options.imported)
        inserts.measure(f"{work}/large")
        # Messages as they are, and those of about 20 tokens.
        for least, most, name in [(2, 100_000, "all"), (60, 100, "short")]:
            write_history(f"{work}/{name}.jsonl", texts(options.embedded, least, most), rooms=100)
            timed(nexus, "import", "--data", f"{work}/{name}", f"{work}/{name}.jsonl")
            stage(f"embed {name}", "ingest", f"{work}/{name}", options.embedded)
        seconds = timed(nexus, "search", "--data", f"{work}/all", "--user", "ada", "when does the pilot go live?")
        put(run="search from a cold start", messages=options.embedded, seconds=round(seconds, 3))
    subprocess.run([bench, "index", "--full", "--rows", "100000", "--dimensions", "384"], check=True)
