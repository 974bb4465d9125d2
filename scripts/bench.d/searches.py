"""Searches of a running server, one after the other."""
import time

from bench.common import put, quantile, request

QUESTIONS = [
    "when does the pilot go live?", "who repairs the crane?", "what about the berth plan", "where is the invoice",
    "release date of the mobile app", "who is on call this week", "why did the deployment fail", "budget for the offsite",
]


def options(parser):
    parser.add_argument("url", metavar="URL")
    parser.add_argument("count", metavar="COUNT", type=int)


def run(options):
    put(**measure(options.url, options.count))


def measure(url, count):
    """Returns how long the searches took."""
    times = []
    for number in range(count):
        start = time.perf_counter()
        request(url, "/v1/search", {"query": f"{QUESTIONS[number % len(QUESTIONS)]} {number}", "topK": 5})
        times.append((time.perf_counter() - start) * 1000)
    shares = {"median_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}
    return {"searches": count} | {name: round(quantile(times, share), 1) for name, share in shares.items()}
