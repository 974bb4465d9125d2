#!/usr/bin/env bash
# pywebpush 2.5.0, Python 3.11.
#
# `webpush` signs each push with claims: who sends it, for which push service (`aud`), and until when. The caller gives the
# first one, and the function writes the others into the caller's own dictionary. A program that keeps its claims in a constant
# signs the next push, to a browser with another push service, for the service of the first one, which RFC 8292 does not allow.
# With one browser, or several of one service, nothing is seen. With a new dictionary each time all are right.
#
# Output (is the push signed for the service that it goes to? first, second, first again):
#   one dictionary: yes no yes, it has aud, exp, sub
#   a new one each time: yes yes yes, it has sub
#
# Most would guess that a function only reads the dictionary that it is given.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile pywebpush==2.5.0
cat > "$work/push.py" <<'PYTHON'
import base64
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02
from pywebpush import webpush

signed_for = []


class Service(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        token = self.headers["Authorization"].split("t=")[1].split(",")[0]
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        signed_for.append(claims["aud"] == f"http://{self.headers['Host']}")
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


services = [ThreadingHTTPServer(("127.0.0.1", 0), Service) for _ in range(2)]
for service in services:
    threading.Thread(target=service.serve_forever, daemon=True).start()
browser = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
    serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
keys = {"p256dh": text(browser), "auth": text(os.urandom(16))}
vapid = Vapid02()
vapid.generate_keys()
seen = {}
for name, is_shared in [("one dictionary", True), ("a new one each time", False)]:
    claims = {"sub": "mailto:push@example.org"}
    signed_for.clear()
    for service in (services[0], services[1], services[0]):
        webpush({"endpoint": f"http://127.0.0.1:{service.server_port}/push", "keys": keys}, "hello",
                vapid_private_key=vapid, vapid_claims=claims if is_shared else dict(claims))
    seen[name] = (" ".join("yes" if is_right else "no" for is_right in signed_for), sorted(claims))
    print(f"{name}: {seen[name][0]}, it has {', '.join(seen[name][1])}")
raise SystemExit(0 if seen == {"one dictionary": ("yes no yes", ["aud", "exp", "sub"]),
                               "a new one each time": ("yes yes yes", ["sub"])} else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/push.py"
