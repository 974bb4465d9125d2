"""A language model that says what it is told, as a service with OpenAI's API."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model:
    def __init__(self, text):
        self.text = text
        # The answer waits after its first words until a test sets this.
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        handler = type("Handler", (Handler,), {"model": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def settings(self):
        return ["--set", "chat.provider=compatible", "--set", f"chat.base-url={self.url}", "--set", "chat.model=told"]

    def close(self):
        self.may_go_on.set()
        self.server.shutdown()
        self.server.server_close()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        words = self.model.text.split(" ")
        for place, word in enumerate(words):
            if place == 3:
                self.model.may_go_on.wait(60)
            self.say({"delta": {"content": word if place == 0 else " " + word}, "index": 0})
        self.say({"delta": {}, "index": 0, "finish_reason": "stop"})
        self.wfile.write(b"data: [DONE]\n\n")

    def say(self, choice):
        self.wfile.write(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")
        self.wfile.flush()
