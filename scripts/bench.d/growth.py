"""Readers of outside text whose cost grows faster than the text: each reads texts of sizes n, 2n and 4n.

Prints the readers whose cost grows most, with the ratios of 2n to n and of 4n to 2n; a linear one has 2, a quadratic one
4. Fails if both ratios are above 2.6 in two of two runs; costs below a millisecond are not compared. It is a proof by
hand: the cost is the processor time of one thread, least of five.
"""
import os
import subprocess
import sys

from bench.common import ROOT, built

LIMIT = 2.6


def options(parser):
    parser.add_argument("size", metavar="SIZE", nargs="?", type=int, default=8_000, help="n in bytes (8,000)")
    parser.add_argument("reader", metavar="READER", nargs="?", default=".",
                        help="a part of the readers' names, as answer or dates.due")


def run(options):
    runner = built(["--build-tests"]) + "/nexusPackageTests.xctest"
    first = measure(runner, options)
    print("2n/n\t4n/2n\tns of 4n\treader\ttext")
    for row in [row for row in first if row[2] > 1e6][:20]: print("{:.2f}\t{:.2f}\t{}\t{}\t{}".format(*row))
    print(f"{len(first)} pairs of reader and text")
    both = steep(first)
    if both: both &= steep(measure(runner, options))
    if both:
        print(f"these grow faster than the text (above {LIMIT} in both runs):", file=sys.stderr)
        for pair in sorted(both): print("\t".join(pair), file=sys.stderr)
        return 1
    print(f"every reader grows with the text: not both ratios above {LIMIT} in any pair")


def measure(runner, options):
    """Returns both ratios, nanoseconds, reader and text of each pair, the steepest first."""
    done = subprocess.run(
        [runner, "--testing-library", "swift-testing", "--no-parallel", "--filter",
         "GrowthTests.readersReadTextsOfEachKind"],
        cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "NEXUS_GROWTH_SIZE": str(options.size), "NEXUS_GROWTH_READER": options.reader})
    if done.returncode: sys.exit("\n".join((done.stdout + done.stderr).splitlines()[-10:]))
    rows = []
    for line in done.stdout.splitlines():
        fields = line.split("\t")
        if fields[0] != "growth": continue
        reader, (once, twice, fourfold), text = fields[1], map(int, fields[2:5]), fields[5]
        if once > 0 and twice > 0: rows.append((round(twice / once, 2), round(fourfold / twice, 2), fourfold, reader, text))
    if not rows: sys.exit(f"no reader was measured: is there a reader named {options.reader}?")
    return sorted(rows, key=lambda row: -row[1])


def steep(rows):
    return {(reader, text) for twice, fourfold, cost, reader, text in rows if min(twice, fourfold) > LIMIT and cost > 1e6}
