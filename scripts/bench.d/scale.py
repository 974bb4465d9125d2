"""How disk, memory, import, start and searches grow with the number of messages.

For each number: a history of conversations of 200 messages is imported, embedded by a stub of a service (384 invented
dimensions), and searched by two people, one after the other: "some" is a member of five conversations, "all" of all. A word
is as rare as in English (Zipf's law over 30,000 invented words). `kill -9` ends the import and the embedding once, and both
continue. --chart writes a picture of the growth (SVG).
"""
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from bench.common import Server, embedder, embedding_settings, programs, put, request, set_options, timed, write_lines
from bench.http import Texts

ROOM = 200
SOME = 5


def options(parser):
    parser.add_argument("counts", metavar="MESSAGES", nargs="*", type=int, default=[100_000, 1_000_000])
    parser.add_argument("--port", type=int, default=9935)
    parser.add_argument("--folder", help="where the data is made; about 4 GB for a million messages")
    parser.add_argument("--chart", metavar="FILE", help="write a picture")


def run(options):
    nexus, = programs("nexus")
    found = []
    with embedder(options.port + 1, 0, "base64", 384):
        for count in options.counts:
            with tempfile.TemporaryDirectory(dir=options.folder) as work:
                found.append({"messages": count} | measure(nexus, work, options.port, count))
                put(**found[-1])
    if options.chart:
        with open(options.chart, "w") as file: file.write(chart(found))


def measure(nexus, work, port, count):
    settings = embedding_settings(port + 1) + set_options("auth.mode=none")
    data, history, texts = f"{work}/data", f"{work}/history.jsonl", Texts()
    write_history(history, texts, count)
    quiet = ["--log-level", "error", *settings]
    found = {}
    found["import per second"] = round(count / continued(nexus, "import", "--data", data, history, *quiet))
    os.remove(history)
    found["embedded per second"] = round(count / continued(nexus, "ingest", "--data", data, *quiet))
    # The first start writes the files of the indexes.
    start = time.monotonic()
    with Server(nexus, data, port, *settings):
        found["first start, s"] = round(time.monotonic() - start, 2)
        wait_for_files(data)
    found["on disk, MB"] = round(size(data) / 1e6)
    start = time.monotonic()
    with Server(nexus, data, port, *settings) as server:
        found["start, s"] = round(time.monotonic() - start, 2)
        found["memory, MB"] = round(server.resident_kilobytes() / 1024)
        questions = [texts.sentence(6) for _ in range(50)]
        for asker in ("some", "all"):
            for kind, path in (("search", "/v1/search"), ("question", "/v1/ask")):
                found[f"{kind} of {asker}, ms"] = round(statistics.median(times(server, path, asker, questions)), 2)
        found["memory after, MB"] = round(server.resident_kilobytes() / 1024)
    return found


def continued(*command):
    """Runs a command that is killed once; returns the seconds of the runs."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process.wait(4)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return time.monotonic() - start + timed(*command)
    if process.returncode: sys.exit(process.stderr.read().decode())
    return time.monotonic() - start


def wait_for_files(data):
    """Waits until nothing in a folder has changed for ten seconds."""
    last, since = None, time.monotonic()
    while time.monotonic() - since < 10:
        now = sorted((entry.path, entry.stat().st_size) for entry in os.scandir(data)), size(data)
        if now != last: last, since = now, time.monotonic()
        time.sleep(0.5)


def size(folder):
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.path.getsize(f"{place}/{name}")
            except FileNotFoundError:
                pass
    return total


def times(server, path, asker, questions):
    """Returns the milliseconds of each question, after a few that are not counted."""
    found = []
    for question in questions[:5] + questions:
        body = {"query": question, "topK": 5} if path.endswith("search") else {"question": question}
        start = time.perf_counter()
        request(server.url, path, body, user=asker)
        found.append(1000 * (time.perf_counter() - start))
    return found[5:]


def write_history(path, texts, count):
    people = [{"id": f"p{number}", "name": f"Person{number}"} for number in range(20)]
    # Each message is different, and made in a tenth of the time of a whole sentence.
    parts = [texts.sentence(texts.random.randint(2, 12)) for _ in range(100_000)]
    pick = random.Random(2).randrange

    def rows():
        for room in range(count // ROOM):
            members = people + [{"id": "all", "name": "Everywhere"}]
            if room < SOME: members = members + [{"id": "some", "name": "Somewhere"}]
            yield {"id": f"c{room}", "name": f"room {room}", "participants": members}
        for number in range(count):
            sender = people[pick(20)]
            yield {
                "id": f"m{number}", "conversationId": f"c{number % (count // ROOM)}", "senderId": sender["id"],
                "senderName": sender["name"], "text": f"{parts[pick(100_000)]} {parts[pick(100_000)]} {number}",
                "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_600_000_000 + number * 10)),
            }
    write_lines(path, rows())


def chart(found):
    """A picture of what grows, with logarithmic axes: a line for each figure."""
    names = ["on disk, MB", "memory after, MB", "start, s", "search of some, ms", "search of all, ms", "question of all, ms"]
    colours = ["#6b7280", "#7c3aed", "#d97706", "#059669", "#2563eb", "#dc2626"]
    width, height, left, top, bottom = 760, 420, 60, 20, 40
    counts = [row["messages"] for row in found]
    low, high = math.log10(min(counts)), math.log10(max(counts)) or 1
    values = [max(row[name], 0.01) for row in found for name in names]
    least, most = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def x(count): return left + (math.log10(count) - low) / max(high - low, 1e-9) * (width - left - 190)
    def y(value): return top + (most - math.log10(max(value, 0.01))) / (most - least) * (height - top - bottom)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for power in range(least, most + 1):
        at = y(10 ** power)
        lines.append(f'<path d="M{left} {at:.1f}H{width - 190}" stroke="#e5e7eb"/>')
        lines.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0 ** power:,g}</text>')
    for count in counts:
        lines.append(f'<text x="{x(count):.1f}" y="{height - 14}" text-anchor="middle">{count:,}</text>')
    places = sorted((y(found[-1][name]), name) for name in names)
    labels, last = {}, -99
    for at, name in places:
        last = labels[name] = max(at, last + 15)
    for name, colour in zip(names, colours):
        path = " ".join(f"{x(row['messages']):.1f},{y(row[name]):.1f}" for row in found)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for row in found:
            lines.append(f'<circle cx="{x(row["messages"]):.1f}" cy="{y(row[name]):.1f}" r="3" fill="{colour}"/>')
        lines.append(f'<text x="{width - 182}" y="{labels[name] + 4:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])
