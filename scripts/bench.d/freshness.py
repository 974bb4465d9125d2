"""New messages in a running server: how long each takes until a search finds it by its vector."""
import time

from bench.common import put, quantile, request, wait_for


def options(parser):
    parser.add_argument("url", metavar="URL")
    parser.add_argument("count", metavar="COUNT", type=int)


def run(options):
    put(**measure(options.url, options.count))


def waiting_count(url):
    """Returns how many messages wait in the generation that serves; there is one once the service has answered."""
    while True:
        for report in request(url, "/ready")["embedding"]:
            if report["state"] == "serving": return report["coverage"]["waitingCount"]
        time.sleep(0.1)


def is_found(url, id, text):
    # The signal names show by what a message was found: words alone do not count.
    return any(
        hit["messageId"] == id and any(signal["name"] == "cosine" for signal in hit["explanation"])
        for hit in request(url, "/v1/search", {"query": text, "topK": 5, "explain": True})["results"])


def measure(url, count):
    """Posts messages one after the other; returns how long they took."""
    waiting, times = waiting_count(url), []
    for number in range(count):
        id, text = f"fresh{number}", f"fresh{number} lies at the quay"
        start = time.perf_counter()
        request(url, "/v1/conversations/c0/messages", {"id": id, "senderId": "ada", "text": text})
        wait_for(lambda: is_found(url, id, text), 0.01)
        times.append(time.perf_counter() - start)
    return {"messages": count, "waiting_before": waiting, "waiting_after": waiting_count(url),
            "median_s": round(quantile(times, 0.5), 3), "max_s": round(max(times), 3)}
