"""A provider of OpenID Connect that signs in one person without a question."""

import base64
import hashlib
import json
import random
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CLIENT = "nexus-page"
# The beginning of a SHA-256 in a signature (RFC 8017, section 9.2).
DIGEST = bytes.fromhex("3031300d060960864801650304020105000420")


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def is_prime(number):
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(20):
        power = pow(random.randrange(2, number - 1), odd, number)
        if power not in (1, number - 1) and all((power := power * power % number) != number - 1 for _ in range(twos - 1)):
            return False
    return True


def prime():
    while True:
        number = random.getrandbits(1024) | 3 << 1022 | 1
        if number % 65_537 != 1 and all(number % small for small in range(3, 2_000, 2)) and is_prime(number):
            return number


class Provider:
    def __init__(self, user, name):
        self.claims = {"sub": user, "name": name}
        self.refuses = False
        self.codes = {}
        p, q = prime(), prime()
        self.modulus, self.secret = p * q, pow(65_537, -1, (p - 1) * (q - 1))
        handler = type("Handler", (Handler,), {"provider": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def settings(self):
        return ["--set", f"auth.oidc-issuer={self.url}", "--set", f"auth.oidc-client-id={CLIENT}",
                "--set", "auth.oidc-name=Harbour Office"]

    def token(self, nonce):
        now = int(time.time())
        claims = {**self.claims, "iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
        signed = ".".join(text(json.dumps(part).encode()) for part in [{"alg": "RS256", "kid": "one"}, claims])
        digest = DIGEST + hashlib.sha256(signed.encode()).digest()
        padded = b"\0\1" + b"\xff" * (256 - 3 - len(digest)) + b"\0" + digest
        signature = pow(int.from_bytes(padded, "big"), self.secret, self.modulus)
        return f"{signed}.{text(signature.to_bytes(256, 'big'))}"

    def keys(self):
        return {"keys": [{"kty": "RSA", "kid": "one", "alg": "RS256", "use": "sig", "e": "AQAB",
                          "n": text(self.modulus.to_bytes(256, "big"))}]}

    def description(self):
        return {"issuer": self.url, "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token", "jwks_uri": f"{self.url}/keys"}

    def authorize(self, query):
        """The address to which the browser goes back."""
        assert query["response_type"] == "code" and query["code_challenge_method"] == "S256"
        if self.refuses:
            return f"{query['redirect_uri']}?error=access_denied&state={query['state']}"
        code = text(random.randbytes(16))
        self.codes[code] = query
        return f"{query['redirect_uri']}?code={code}&state={query['state']}"

    def exchange(self, form):
        query = self.codes.pop(form["code"])
        challenge = text(hashlib.sha256(form["code_verifier"].encode()).digest())
        assert challenge == query["code_challenge"] and form["redirect_uri"] == query["redirect_uri"]
        return {"access_token": "unused", "token_type": "Bearer", "id_token": self.token(query["nonce"])}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/authorize":
            self.send_response(302)
            self.send_header("Location", self.provider.authorize(dict(urllib.parse.parse_qsl(url.query))))
            return self.end_headers()
        self.reply(self.provider.keys() if url.path == "/keys" else self.provider.description())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.reply(self.provider.exchange(dict(urllib.parse.parse_qsl(body))))

    def reply(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
