"""The live chat beside a bare WebSocket server without a store, both with the same load in one run.

Loads each server in turn with `bench live run` and prints a table with ratios; the rows as JSON go to live-figures.jsonl
in the present folder. The embedding service is an address where nobody listens: messages wait for their vectors, so that
embedding takes no processor time from the chat. There are no rate limits unless they are set, and the assistant's
mentions are off. `bench store` measures the store alone: durable inserts of single messages by 64 tasks.

Needs a limit of open files (`ulimit -n`) above 10,500.
"""
import json
import subprocess
import tempfile

from bench.common import Process, Server, live_loads, live_settings, programs, table

SMALL = ["--sockets", "2000", "--idle-seconds", "5", "--repeats", "20", "--spread-seconds", "5", "--resumes", "40",
         "--send-seconds", "3"]
# Name, measurement and value, unit, aim.
MEASUREMENTS = [
    ("{sockets:,} idle sockets, memory each", "idle.kilobytesEachLater", "KB", "20"),
    ("the same, share of one core", "idle.processorPercent", "%", "3"),
    ("one message to 1,000 members, to the last socket, p50", "fanout.lastP50", "ms", ""),
    ("the same, p99", "fanout.lastP99", "ms", "150"),
    ("200 messages/s in 1,000 conversations of 20, to each member, p99", "spread.receiptP99", "ms", "100"),
    ("the same, share of one core", "spread.processorPercent", "%", ""),
    ("resume of 1,000 changes in 50 of 500 conversations, p99", "resume.p99", "ms", "50"),
    ("sends of 64 clients until acknowledged", "send.perSecond", "/s", ""),
    ("the same, p99", "send.p99", "ms", ""),
]


def options(parser):
    parser.add_argument("--quick", action="store_true", help="everything is about a fifth as large")
    parser.add_argument("port", metavar="PORT", nargs="?", type=int, default=24100)


def run(options):
    nexus, bench = programs("nexus", "bench")
    small = SMALL if options.quick else []

    def load(target, port, process, *more):
        rows = live_loads(
            bench, ["--target", target, "--port", str(port), "--pid", str(process.process.pid), *small, *more])[0]
        keep(*rows)
        return {f"{row['measured']}.{name}": value for row in rows for name, value in row["values"].items()}

    with tempfile.TemporaryDirectory() as folder:
        with Server(nexus, f"{folder}/data", options.port, *live_settings(options.port + 9)) as server:
            ours = load("nexus", options.port, server)
        store = inserts(bench, f"{folder}/store", 2 if options.quick else 5)
    port = options.port + 1
    with Process([bench, "live", "bare", "--port", str(port)], stdout=subprocess.PIPE) as bare:
        bare.process.stdout.readline()
        others = load("bare", port, bare, "--resume-bytes", str(int(ours["resume.bytes"])))
    show(ours, others, store["perSecond"])


def inserts(bench, folder, seconds):
    """Measures the store alone."""
    output = subprocess.run(
        [bench, "store", "--folder", folder, "--seconds", str(seconds)], stdout=subprocess.PIPE, check=True).stdout
    keep(row := json.loads(output))
    return row


def keep(*rows):
    with open("live-figures.jsonl", "a") as file: file.writelines(json.dumps(row) + "\n" for row in rows)


def show(ours, others, rate):
    rows = [("Measurement", "Nexus", "bare NIO server", "times", "aim")]
    for name, key, unit, aim in MEASUREMENTS:
        own, other = ours.get(key), others.get(key)
        times = f"{own / other:.1f}" if own is not None and other else ""
        rows.append((name.format(sockets=int(ours["idle.sockets"])), f"{own} {unit}", f"{other} {unit}", times, aim))
    share = ours["send.perSecond"] / rate
    rows.append(("durable inserts of 64 tasks by the store alone", f"{rate:.0f} /s", "", f"sends are {share:.2f} of them", "0.5"))
    table(*rows)
