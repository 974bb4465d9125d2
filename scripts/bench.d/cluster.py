"""A node on SQLite beside one and then two on PostgreSQL, on the same disk, in one run and in turn.

With one node: the import, searches over it, sends of 64 clients. With two: sends at both at once; 200 messages a second
until a socket of the other node has them; a message until a search on the other node finds it by its words. The embedding
service cannot be reached: the stores and the feed are measured. Prints a table, and the rows as JSON to the standard error.

With --search: searches and questions over messages that all have vectors of 384 components, with a stub of an embedding
service and answers that quote.

With --join: how long a further node takes until it is ready, and until its first search, with COUNT messages that have
vectors of 384 components; the second time from its own files. The vectors are made up, and put in with psql.
"""
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

from bench.common import (
    Server, embedder, live_loads, live_settings, postgres, programs, quantile, request, set_options, table, timed, wait_for,
    write_history)

PEOPLE = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana"]
QUESTIONS = ["when does the pilot go live?", "who repairs the crane?", "what about the berth plan", "where is the invoice"]


def options(parser):
    parser.add_argument("--quick", action="store_true", help="10,000 messages instead of 100,000, and shorter loads")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--join", metavar="COUNT", type=int)
    parser.add_argument("port", metavar="PORT", nargs="?", type=int, default=24200)


def run(options):
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack:
        bench = Cluster(work, stack, options)
        if options.join: return bench.measure_join()
        if options.search: bench.measure_searches()
        else: bench.measure()
        bench.show()


def texts(count):
    """Texts of 4 to 20 words, so different that a search does not take them for repetitions."""
    generator = random.Random(1)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    rare = ["".join(generator.choices(syllables, k=3)) for _ in range(5_000)]
    common = "the a of and to we is for on in it with ferry berth crane pilot invoice plan who when repairs live".split()
    for number in range(count):
        words = [generator.choice(common if generator.random() < 0.5 else rare) for _ in range(generator.randint(2, 18))]
        yield f"number {number} {' '.join(words)}"


class Place:
    """A store with the node that is measured first and the one that is measured with it; and its figures."""

    def __init__(self, server, source):
        self.first = self.last = server
        self.source, self.values = source, {}

    def note(self, name, times):
        self.values[f"{name}, p50"], self.values[f"{name}, p99"] = quantile(times, 0.5), quantile(times, 0.99)


class Cluster:
    """The stores with their nodes, which end with `stack`."""

    def __init__(self, work, stack, options):
        self.work, self.stack, self.port, self.is_quick = work, stack, options.port, options.quick
        self.count = options.join or (10_000 if options.quick else 100_000)
        self.seconds = 3 if options.quick else 10
        self.nexus, self.bench = programs("nexus", "bench")
        dimensions = 384 if options.join or options.search else 8
        self.settings = live_settings(options.port + 9, dimensions, "embedding.encoding-format=base64")
        write_history(f"{work}/history.jsonl", texts(self.count), people=PEOPLE)
        if options.search: stack.enter_context(embedder(options.port + 9, 0, "base64", 384))
        self.address = stack.enter_context(postgres(work))
        self.store = set_options(f"store.url={self.address}")
        first = self.node(0, "node1", *self.store)
        self.postgres = Place(first, ["--data", f"{work}/importer", *self.store])
        if not options.join:
            self.sqlite = Place(self.node(5, "data"), ["--data", f"{work}/data"])
            self.places = [self.sqlite, self.postgres]

    def node(self, number, name, *store, stack=None):
        """Starts a node on another port; returns it once it is ready."""
        node = Server(self.nexus, f"{self.work}/{name}", self.port + number, *store, *self.settings)
        return (stack or self.stack).enter_context(node)

    def import_history(self, place):
        seconds = timed(self.nexus, "import", *place.source, f"{self.work}/history.jsonl")
        place.values["import"] = self.count / seconds
        wait_for(lambda: self.finds_last(place.first), 0.1)

    def finds_last(self, node):
        return request(node.url, "/v1/search", {"query": f"number {self.count - 1}", "topK": 1})["results"]

    def measure(self):
        """Measures both in turn, because the speed of a shared machine changes within minutes."""
        rounds = 1 if self.is_quick else 3
        for place in self.places: self.import_history(place)
        time.sleep(0 if self.is_quick else 10)
        self.compare_answers("search")
        rates = [[self.sends(place.first) for place in self.places] for _ in range(rounds)]
        self.sqlite.values["send"], self.postgres.values["send"] = map(statistics.median, zip(*rates))
        self.postgres.last = self.node(1, "second", *self.store)
        both = [self.sends(self.postgres.first, self.postgres.last) for _ in range(rounds)]
        self.postgres.values["send of two nodes"] = statistics.median(both)
        for place in self.places: self.spread(place)
        for place in self.places: place.note("until found", self.found_times(place.first.url, place.last.url))

    def loads(self, *runs):
        """Runs `bench live run` several times at once; returns what each measured."""
        runs = [["--target", "nexus", "--pid", str(os.getpid()), *run] for run in runs]
        return [rows[-1]["values"] for rows in live_loads(self.bench, *runs)]

    def sends(self, *nodes):
        """Returns the messages a second of 64 clients at each node."""
        return sum(values["perSecond"] for values in self.loads(*(
            ["--port", str(node.port), "--only", "send", "--send-seconds", str(self.seconds)] for node in nodes)))

    def spread(self, place):
        found = self.loads([
            "--port", str(place.first.port), "--socket-port", str(place.last.port), "--only", "spread",
            "--spread-seconds", str(self.seconds)])[0]
        place.values["to a socket, p50"], place.values["to a socket, p99"] = found["receiptP50"], found["receiptP99"]

    def compare_answers(self, name):
        """Notes how long the same searches or questions take at both places, in turn."""
        times = [[] for _ in self.places]
        for count in range(200 if self.is_quick else 1_000):
            question = f"{QUESTIONS[count % 4]} {count}"
            body = {"question": question} if name == "ask" else {"query": question, "topK": 5}
            for found, place in zip(times, self.places):
                start = time.perf_counter()
                request(place.first.url, f"/v1/{name}", body)
                found.append((time.perf_counter() - start) * 1_000)
        for found, place in zip(times, self.places): place.note(name, found)

    def found_times(self, first, last):
        """Returns how long after a message was acknowledged by one node a search on another has found it."""
        times = []
        for _ in range(50 if self.is_quick else 200):
            word = f"pallet{time.time_ns()}"
            request(first, "/v1/conversations/c1/messages", {"text": f"the {word} has arrived"})
            start = time.perf_counter()
            while not request(last, "/v1/search", {"query": word, "topK": 1})["results"]: pass
            times.append((time.perf_counter() - start) * 1_000)
        return times

    def measure_searches(self):
        """Measures searches and questions, with vectors."""
        for place in self.places: self.import_history(place)
        for name in ["data", "node1"]: wait_for(lambda: self.is_embedded(name), 1)
        time.sleep(0 if self.is_quick else 10)
        for name in ["search", "ask"]: self.compare_answers(name)

    def is_embedded(self, name):
        """Whether all messages of the node with this folder have vectors."""
        metrics = subprocess.run(
            ["curl", "-s", "--unix-socket", f"{self.work}/{name}/nexus.sock", "http://localhost/metrics"], check=True,
            capture_output=True, text=True).stdout
        return "nexus_embedding_coverage_ratio 1\n" in metrics.replace("1.0\n", "1\n")

    def measure_join(self):
        """Prints how long a further node takes, at first and again."""
        timed(self.nexus, "import", *self.postgres.source, *self.settings, f"{self.work}/history.jsonl")
        subprocess.run(
            ["psql", "-q", "-v", "ON_ERROR_STOP=1", self.address], input=FILL, check=True, text=True,
            stdout=subprocess.DEVNULL)
        for name in ["the first time", "again"]:
            start = time.monotonic()
            with contextlib.ExitStack() as stack:
                node = self.node(2, "joining", *self.store, stack=stack)
                ready = time.monotonic() - start
                assert self.finds_last(node)
                print(f"{name}: ready after {ready:.1f} s, a search answered after {time.monotonic() - start:.1f} s")

    def show(self):
        for place in self.places: print(json.dumps(place.values), file=sys.stderr)
        ours, others, rows = self.postgres.values, self.sqlite.values, [("Measurement", "SQLite", "PostgreSQL", "times")]
        for name, unit in [
            ("send", "/s"), ("send of two nodes", "/s"), ("to a socket, p50", "ms"), ("to a socket, p99", "ms"),
            ("import", "/s"), ("search, p50", "ms"), ("search, p99", "ms"), ("ask, p50", "ms"), ("ask, p99", "ms"),
            ("until found, p50", "ms"), ("until found, p99", "ms"),
        ]:
            if name not in ours: continue
            own, other, digits = ours[name], others.get(name, others.get("send")), 0 if unit == "/s" else 1
            rows.append((name, f"{other:.{digits}f} {unit}", f"{own:.{digits}f} {unit}", f"{own / other:.2f}"))
        table(*rows)


FILL = """
    SET work_mem = '1GB'; SET maintenance_work_mem = '1GB'; SELECT setseed(0.5);
    CREATE TABLE samples AS
        SELECT g AS place, string_agg(float4send((random() - 0.5)::float4), ''::bytea) AS components
        FROM generate_series(0, 1023) g, generate_series(1, 384) GROUP BY g;
    UPDATE samples SET components = (
        SELECT string_agg(substring(components FROM i * 4 + 4 - j FOR 1), ''::bytea ORDER BY i, j)
        FROM generate_series(0, 383) i, generate_series(0, 3) j);
    CREATE UNIQUE INDEX ON samples (place);
    INSERT INTO passages (number, message, generation, ordinal, range_start, range_end, content_hash)
        SELECT number, number, 1, 0, 0, 10, int8send(number) FROM messages;
    INSERT INTO vectors SELECT p.number, s.components FROM passages p JOIN samples s ON s.place = p.number % 1024;
    DELETE FROM queue; UPDATE generations SET state = 'serving'; DROP TABLE samples; ANALYZE; CHECKPOINT;
"""
