"""Searches over 100,000 messages for many connections, and `GET /health` beside a bare route of Hummingbird.

100 conversations of 1,000 messages at 384 dimensions from a stub of an embedding service; a word is as rare as in
English (Zipf's law over 30,000 invented words). Two people ask 64 questions over and over through wrk with 64
connections: one is a member of one conversation, one of all. With FOLDER the messages are kept there and used again.
Prints requests a second, milliseconds of the server's processor time a request, latencies in milliseconds, failures.
"""
import contextlib
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from bench.common import Process, Server, embedder, embedding_settings, programs, put, set_options, write_lines


def options(parser):
    parser.add_argument("seconds", metavar="SECONDS", nargs="?", type=int, default=20)
    parser.add_argument("port", metavar="PORT", nargs="?", type=int, default=9945)
    parser.add_argument("folder", metavar="FOLDER", nargs="?")


def run(options):
    if not shutil.which("wrk"): sys.exit("wrk is missing: apt-get install wrk")
    nexus, bench = programs("nexus", "bench")
    with contextlib.ExitStack() as stack:
        folder = options.folder or stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(embedder(options.port + 1, 0, "base64", 384))
        measure(nexus, bench, folder, options.port, options.seconds)


def measure(nexus, bench, folder, port, seconds):
    settings = embedding_settings(port + 1) + set_options("auth.mode=none")
    texts = Texts()
    if not os.path.exists(f"{folder}/data"):
        write_history(f"{folder}/history.jsonl", texts)
        for command in (["import", f"{folder}/history.jsonl"], ["ingest"]):
            subprocess.run(
                [nexus, *command, "--data", f"{folder}/data", "--log-level", "error", *settings], check=True,
                stdout=subprocess.DEVNULL)
    write_requests(f"{folder}/requests.lua", texts)
    with Server(nexus, f"{folder}/data", port, *settings) as server:
        for asker in ("one", "all"):
            script = f"{folder}/requests.lua"
            load(f"warm up {asker}", server, f"{server.url}/v1/search", 3, script, asker)
            load(f"search by {asker}", server, f"{server.url}/v1/search", seconds, script, asker)
        route = [bench, "route", "--port", str(port + 2)]
        with Process(route, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as bare:
            time.sleep(1)
            rates = [
                (load("health", server, f"{server.url}/health", max(3, seconds // 3)),
                 load("bare route", bare, f"http://127.0.0.1:{port + 2}/health", max(3, seconds // 3))) for _ in range(3)]
    ours, others = zip(*rates)
    put(measured="health beside a bare route", ratio=round(sum(ours) / sum(others), 3))


class Texts:
    """Sentences of invented words."""

    def __init__(self):
        self.random = random.Random(1)
        syllables = [a + b for a in "bdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "ai", "or", "en", "un", "is")]
        made = ("".join(self.random.choices(syllables, k=self.random.randint(1, 4))) for _ in range(60_000))
        words = sorted(set(made))
        self.random.shuffle(words)
        self.words = words[:30_000]
        self.weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(self.words))))

    def sentence(self, count):
        return " ".join(self.random.choices(self.words, cum_weights=self.weights, k=count))


def write_history(path, texts):
    people = [{"id": f"p{number}", "name": f"Person{number}"} for number in range(20)]

    def rows():
        for room in range(100):
            members = people + [{"id": "all", "name": "Everywhere"}]
            if room == 0: members = members + [{"id": "one", "name": "Oneplace"}]
            yield {"id": f"c{room}", "name": f"room {room}", "participants": members}
        for number in range(100_000):
            sender = people[texts.random.randrange(20)]
            yield {
                "id": f"m{number}", "conversationId": f"c{number % 100}", "senderId": sender["id"],
                "senderName": sender["name"], "text": texts.sentence(texts.random.randint(4, 24)),
                "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_760_000_000 + number * 60)),
            }
    write_lines(path, rows())


def write_requests(path, texts):
    questions = [json.dumps({"query": texts.sentence(6), "userId": "ASKER", "topK": 5}) for _ in range(64)]
    with open(path, "w") as file:
        file.write("local questions = {\n")
        file.writelines(f"  {json.dumps(question)},\n" for question in questions)
        file.write(
            "}\nfor i = 1, #questions do questions[i] = questions[i]:gsub('ASKER', os.getenv('ASKER')) end\n"
            "local n = 0\nwrk.method = 'POST'\nwrk.headers['Content-Type'] = 'application/json'\n"
            "request = function()\n  n = n % #questions + 1\n  return wrk.format(nil, nil, nil, questions[n])\nend\n")


def milliseconds(text):
    value, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(value) * {"us": 0.001, "ms": 1, "s": 1_000, "m": 60_000}[unit]


def load(name, process, target, seconds, script=None, asker=None):
    """Loads an address with 64 connections and prints what was measured; returns the requests a second."""
    command = ["wrk", "-t1", "-c64", f"-d{seconds}s", "--timeout", "10s", "--latency"]
    if script: command += ["-s", script]
    before = process.processor_seconds()
    output = subprocess.run(
        [*command, target], env={**os.environ, "ASKER": asker or ""}, check=True, capture_output=True, text=True).stdout
    spent = process.processor_seconds() - before

    def found(pattern):
        match = re.search(pattern, output)
        return match and match[1]

    count, rate = int(found(r"(\d+) requests in")), float(found(r"Requests/sec:\s+([\d.]+)"))
    put(measured=name, requestsPerSecond=round(rate, 1), processorMilliseconds=round(spent / max(count, 1) * 1_000, 3),
        p50=milliseconds(found(r"\n +50% +([0-9]\S+)")), p99=milliseconds(found(r"\n +99% +([0-9]\S+)")),
        failures=int(found(r"Non-2xx or 3xx responses: (\d+)") or 0), socketErrors=found(r"Socket errors: (.*)"),
        residentMB=round(process.resident_kilobytes() / 1024))
    return round(rate, 1)
