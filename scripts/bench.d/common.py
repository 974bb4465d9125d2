"""What the benchmarks share: programs, servers, an embedding service, PostgreSQL, histories and figures."""
import base64
import contextlib
import glob
import json
import multiprocessing
import os
import random
import re
import shutil
import socketserver
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FORK = multiprocessing.get_context("fork")


# Programs

def built(*builds):
    """Returns the folder of the products: NEXUS_BIN, otherwise that of release builds with these options."""
    if folder := os.environ.get("NEXUS_BIN"): return folder
    # As in the Makefile, so that not everything is built again.
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    command = ["swift", "build", "-c", "release"]
    if "ALREADY_BUILT" not in os.environ:
        for build in builds: subprocess.run([*command, *build], cwd=ROOT, env=environment, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], cwd=ROOT, env=environment, check=True, capture_output=True)
    return shown.stdout.decode().strip()


def programs(*names):
    """Returns the paths of programs."""
    folder = built(*(["--product", name] for name in names))
    return [f"{folder}/{name}" for name in names]


def timed(*command):
    """Runs a command without its output; returns its seconds. If it fails, shows its errors and ends."""
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode: sys.exit(done.stderr.decode() + f"{command[0]} ended with {done.returncode}")
    return time.monotonic() - start


def live_loads(bench, *runs):
    """Runs `bench live run` with the options of each run, all at once; returns the rows of each."""
    started = [subprocess.Popen([bench, "live", "run", *run], stdout=subprocess.PIPE, text=True) for run in runs]
    outputs = [process.communicate()[0] for process in started]
    if any(process.returncode for process in started): sys.exit("bench failed")
    return [[json.loads(line) for line in output.splitlines()] for output in outputs]


# Servers

def set_options(*settings):
    """Returns the options for settings like "chat.model=stub"."""
    return [word for setting in settings for word in ("--set", setting)]


def embedding_settings(port, *more, model="stub"):
    """Options for the embedding service at a port of loopback; messages wait for their vectors if nobody listens there."""
    return set_options(
        "embedding.provider=compatible", f"embedding.base-url=http://127.0.0.1:{port}", f"embedding.model={model}", *more)


def live_settings(embedding_port, dimensions=8, *more):
    """Options for loads of a live chat: no rate limits and no mentions of the assistant."""
    return embedding_settings(
        embedding_port, f"embedding.dimensions={dimensions}", "auth.mode=none", "chat.provider=extractive",
        "mentions.scope=off", "http.connections=20000", "limits.live-handshakes-per-minute=1000000",
        "limits.live-handshakes-per-address=10000000", *more, model="none")


def request(url, path, body=None, user="ada", method=None):
    """Sends a request, as POST if it has a body; returns the JSON of the reply."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "X-Nexus-User": user}
    with urllib.request.urlopen(urllib.request.Request(url + path, data, headers, method=method)) as response:
        return json.loads(response.read() or b"{}")


def wait_for(condition, pause=0.05):
    while not condition(): time.sleep(pause)


class Process:
    """A process that is measured; it is ended by its own id when the block ends."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file: fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_kilobytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])


class Server(Process):
    """`nexus serve` on a port of loopback, once it answers."""

    def __init__(self, nexus, data, port, *options, level="error", ready="/ready", prefix=(), log=None):
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        command = [*prefix, nexus, "serve", "--data", data, "--port", str(port), *options]
        if level: command += ["--log-level", level]
        super().__init__(command, stdout=log or subprocess.DEVNULL, stderr=log)
        try:
            wait_for(lambda: self.answers(ready))
        except BaseException:
            self.__exit__()
            raise

    def answers(self, path):
        if self.process.poll() is not None: sys.exit("the server ended")
        try:
            request(self.url, path)
            return True
        except (OSError, urllib.error.URLError):
            return False


@contextlib.contextmanager
def postgres(folder):
    """Runs a PostgreSQL with its files in a folder; gives its address."""
    binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if not binaries: sys.exit("PostgreSQL is missing: apt-get install postgresql")
    # It refuses to run as root.
    prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    database = f"{folder}/postgres"
    os.mkdir(database)

    def control(program, *arguments):
        subprocess.run(
            [*prefix, f"{binaries[-1]}/{program}", *arguments, "-D", database], check=True, cwd="/",
            stdout=subprocess.DEVNULL)

    # The path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="nexus-postgres-", dir="/tmp") as sockets:
        if prefix:
            os.chmod(folder, 0o711)
            os.chmod(sockets, 0o711)
            for path in (database, sockets): shutil.chown(path, "postgres")
        control("initdb", "-U", "nexus", "-E", "UTF8", "--locale=C", "--auth=trust")
        settings = f"-c listen_addresses='' -c unix_socket_directories={sockets} -c max_connections=200"
        control("pg_ctl", "start", "-w", "-l", f"{database}/log", "-o", settings)
        try:
            yield f"postgresql://nexus@/postgres?host={sockets}"
        finally:
            control("pg_ctl", "stop", "-m", "fast")


# An OpenAI-compatible embedding service

class EmbeddingReplies:
    """Replies for texts; without dimensions every text has the same vector of 1,536, otherwise its own.

    A text's vector is put together of two halves of 4,096 each: cheaper than invented numbers for each text.
    """

    def __init__(self, form, dimensions):
        self.form, self.dimensions, self.made = form, dimensions or 1536, None if dimensions else {}
        self.generator = random.Random(1)
        count, size = 4096 if dimensions else 1, self.dimensions // 2
        self.first = [self.half(size) for _ in range(count)]
        self.second = [self.half(self.dimensions - size) for _ in range(count)]

    def half(self, size):
        """Returns the numbers of half a vector as they stand in a reply."""
        numbers = [self.generator.gauss(0, 0.03) for _ in range(size)]
        if self.form == "base64": return struct.pack(f"<{size}f", *numbers)
        return ",".join(str(round(number, 9)) for number in numbers)

    def vector(self, text):
        """Returns the vector of a text as it stands in a reply."""
        first, second = divmod(zlib.crc32(text.encode()), len(self.second))
        first, second = self.first[first % len(self.first)], self.second[second]
        return f'"{base64.b64encode(first + second).decode()}"' if self.form == "base64" else f"[{first},{second}]"

    def reply(self, texts):
        """Returns the whole HTTP response; made once for each number of texts if all have the same vector."""
        if self.made and len(texts) in self.made: return self.made[len(texts)]
        items = ",".join(
            f'{{"object":"embedding","index":{i},"embedding":{self.vector(text)}}}'
            for i, text in enumerate(texts))
        usage = f'{{"prompt_tokens":{len(texts) * 10},"total_tokens":{len(texts) * 10}}}'
        body = f'{{"object":"list","data":[{items}],"model":"stub","usage":{usage}}}'.encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        whole = head.encode() + body
        if self.made is not None: self.made[len(texts)] = whole
        return whole


def serve_embeddings(port, milliseconds, form, dimensions, is_ready):
    replies = EmbeddingReplies(form, dimensions)

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            while self.rfile.readline():
                length = 0
                while (line := self.rfile.readline()) not in (b"\r\n", b""):
                    if line.lower().startswith(b"content-length:"): length = int(line.split(b":")[1])
                texts = json.loads(self.rfile.read(length))["input"]
                if milliseconds: time.sleep(milliseconds / 1000)
                self.wfile.write(replies.reply([texts] if isinstance(texts, str) else texts))

    class Service(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True
        request_queue_size = 64

    with Service(("127.0.0.1", port), Handler) as service:
        is_ready.set()
        service.serve_forever()


@contextlib.contextmanager
def embedder(port, milliseconds, form, dimensions=None):
    """Runs the service in its own process; a request takes so many milliseconds, vectors are "float" or "base64"."""
    is_ready = FORK.Event()
    process = FORK.Process(target=serve_embeddings, args=(port, milliseconds, form, dimensions, is_ready), daemon=True)
    process.start()
    try:
        while not is_ready.wait(1):
            if not process.is_alive(): sys.exit("the embedding service ended")
        yield
    finally:
        process.kill()
        process.join()


# Histories and figures

def write_lines(path, rows):
    with open(path, "w") as file: file.writelines(json.dumps(row) + "\n" for row in rows)


def write_history(path, texts, rooms=20, people=("Ada",)):
    """Writes texts as messages of people, who are members of all rooms, in turn."""
    def rows():
        for number in range(rooms):
            yield {"id": f"c{number}", "name": f"C{number}",
                   "participants": [{"id": name.lower(), "name": name} for name in people]}
        for number, text in enumerate(texts):
            name = people[number % len(people)]
            yield {"id": f"m{number}", "conversationId": f"c{number % rooms}", "senderId": name.lower(), "senderName": name,
                   "text": text, "timestamp": "2026-01-01T10:00:00Z"}
    write_lines(path, rows())


def ferry_texts(count):
    return (f"message number {number} about the ferry and the berth" for number in range(count))


def quantile(values, share):
    """Returns the value that such a share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def put(**figures):
    """Prints one JSON object."""
    print(json.dumps(figures), flush=True)


def table(*rows):
    """Prints rows as a Markdown table; the first one has the names of the columns."""
    for number, row in enumerate(rows):
        print(f"| {' | '.join(map(str, row))} |")
        if number == 0: print("|" + "---|" * len(row))
