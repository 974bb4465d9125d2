"""Many answers at a time: streams of a model that speaks, and questions to a model that stays silent.

A stub of a chat service speaks 20 tokens a second, 200 in all, or never says anything. Prints for each how many ended
well, the longest pause between two pieces of one stream in seconds, how many paused for over a second, the memory that
each took, and when the last of the silent ones ended.
"""
import asyncio
import collections
import json
import re
import resource
import tempfile
import time

from bench.common import Server, programs, put, set_options


def options(parser):
    parser.add_argument("streams", metavar="STREAMS", nargs="?", type=int, default=500)
    parser.add_argument("silent", metavar="SILENT", nargs="?", type=int, default=2_000)
    parser.add_argument("port", metavar="PORT", nargs="?", type=int, default=9975)


def run(options):
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(16_384, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    nexus, = programs("nexus")
    asyncio.run(measure(nexus, options))


class Model:
    """An OpenAI-compatible chat service."""
    is_silent = False

    async def serve(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(re.search(rb"content-length: *(\d+)", head, re.I)[1]))
                if self.is_silent:
                    await reader.read()
                    return
                await self.speak(writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def speak(self, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in range(200):
            piece = {"choices": [{"index": 0, "delta": {"content": f"word{number} "}}]}
            line = b"data: " + json.dumps(piece).encode() + b"\n\n"
            writer.write(b"%x\r\n%s\r\n" % (len(line), line))
            await writer.drain()
            await asyncio.sleep(0.05)
        end = b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
        writer.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(end), end))
        await writer.drain()


async def ask(port, number):
    """Returns the last event's name, the times of the pieces, and how long it took."""
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    body = json.dumps({"question": "when is the ferry", "userId": f"u{number}"}).encode()
    writer.write(
        b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n"
        b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    times, last = [], None
    try:
        while line := await reader.readline():
            if line.startswith(b"event: "): last = line[7:].strip().decode()
            if line.startswith(b"event: delta"): times.append(time.monotonic())
            if line.startswith(b"HTTP/1.1 ") and b" 200 " not in line: last = line[9:12].decode()
    except ConnectionError:
        last = "reset"
    writer.close()
    return last, times, time.monotonic() - begun


async def watch(server, peak):
    while True:
        peak[0] = max(peak[0], server.resident_kilobytes())
        await asyncio.sleep(0.1)


async def measure_answers(name, count, port, server):
    before, peak = server.resident_kilobytes(), [0]
    watching = asyncio.create_task(watch(server, peak))
    results = await asyncio.gather(*(ask(port, number) for number in range(count)))
    watching.cancel()
    gaps = [max((b - a for a, b in zip(times, times[1:])), default=0) for _, times, _ in results]
    put(measured=name, count=count, ends=collections.Counter(str(last) for last, _, _ in results),
        longestPause=round(max(gaps), 3), pausedOverASecond=sum(gap > 1 for gap in gaps),
        tookAtMost=round(max(took for _, _, took in results), 1),
        kilobytesEach=round((peak[0] - before) / count, 1), megabytes=round((peak[0] - before) / 1024))


async def measure(nexus, options):
    model, port = Model(), options.port
    settings = set_options(
        "chat.provider=compatible", f"chat.base-url=http://127.0.0.1:{port + 1}/v1", "chat.model=stub", "auth.mode=none",
        "limits.questions=4096", "http.connections=8192")
    service = await asyncio.start_server(model.serve, "127.0.0.1", port + 1, backlog=4_096)
    with tempfile.TemporaryDirectory() as work:
        with Server(nexus, f"{work}/data", port, *settings, level="critical", ready="/health") as server:
            await asyncio.gather(*(ask(port, 0) for _ in range(2)))
            await measure_answers("streams", options.streams, port, server)
            model.is_silent = True
            await measure_answers("silent", options.silent, port, server)
    service.close()
