#!/usr/bin/env bash
# mcp 2.3.0 (the SDK's client), Python 3.11, with the server of tools and that of logins inside of the program.
#
# A program has a login for a server of tools: a token for a short time and a refresh token, in the storage that the SDK asks for. While
# the program runs, the SDK renews the token by itself. After a restart it reads both, but not when the token ends: it sends the
# old one, and at the reply 401 it does not use the refresh token, it asks the person to log in again. It does so as well if the server of
# logins is busy once (503) when the token is renewed. So a program that runs at night ends there, with a good refresh token.
#
# Output:
#   running on: log in, tools 200, renewal 200, tools 200
#   after a restart: log in, tools 200, tools 401, log in, tools 200
#   running on, busy once: log in, tools 200, renewal 503, tools 401, log in, tools 200
#
# Most would guess that a client with a refresh token tries it before it asks a person, and after 503 tries again.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile mcp==2.3.0
cat > "$work/login.py" <<'PYTHON'
import asyncio
import logging
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata

logging.disable(logging.CRITICAL)
site, back = "http://tools.test", "http://localhost/back"


class World:
    """The storage of the program, the person, and both servers. A token is good for a second."""

    def __init__(self, busy):
        self.stored, self.good, self.busy, self.seen = None, None, busy, []

    async def get_tokens(self):
        return self.stored

    async def set_tokens(self, token):
        self.stored = token

    async def get_client_info(self):
        return OAuthClientInformationFull(
            client_id="program", redirect_uris=[back], token_endpoint_auth_method="none", issuer=f"{site}/")

    async def set_client_info(self, info):
        pass

    async def ask_person(self, address):
        self.seen.append("log in")
        self.state = parse_qs(urlsplit(address).query)["state"][0]

    async def person_is_back(self):
        return AuthorizationCodeResult(code="code", state=self.state)

    def answer(self, request):
        path = request.url.path
        if path.startswith("/.well-known/oauth-protected-resource"):
            return httpx2.Response(200, json={"resource": f"{site}/mcp", "authorization_servers": [f"{site}/"]})
        if path.startswith("/.well-known/"):
            return httpx2.Response(200, json={
                "issuer": f"{site}/", "authorization_endpoint": f"{site}/authorize", "token_endpoint": f"{site}/token",
                "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]})
        if path == "/token":
            if b"grant_type=refresh_token" in request.content:
                status = self.busy.pop() if self.busy else 200
                self.seen.append(f"renewal {status}")
                if status != 200:
                    return httpx2.Response(status)
            self.good = f"token {len(self.seen)}"
            return httpx2.Response(200, json={
                "access_token": self.good, "refresh_token": "refresh", "token_type": "Bearer", "expires_in": 1})
        authorization = request.headers.get("authorization")
        if authorization is None:  # the first request, and the one after a failed renewal, have none
            if self.seen:
                self.seen.append("tools 401")
            return httpx2.Response(401)
        status = 200 if authorization == f"Bearer {self.good}" else 401
        self.seen.append(f"tools {status}")
        return httpx2.Response(status)


async def run(name, busy=(), restart=False):
    world = World(list(busy))

    def start():
        provider = OAuthClientProvider(
            f"{site}/mcp", OAuthClientMetadata(redirect_uris=[back]), world, world.ask_person, world.person_is_back)
        return httpx2.AsyncClient(auth=provider, transport=httpx2.MockTransport(world.answer))

    client = start()
    await client.post(f"{site}/mcp")
    await asyncio.sleep(2)
    world.good = None  # the token's second is over
    if restart:
        client = start()
    await client.post(f"{site}/mcp")
    print(f"{name}:", ", ".join(world.seen))


asyncio.run(run("running on"))
asyncio.run(run("after a restart", restart=True))
asyncio.run(run("running on, busy once", busy=[503]))
PYTHON
"$work/env/bin/python" -W ignore "$work/login.py" | tee "$work/seen"
diff - "$work/seen" <<'SEEN'
running on: log in, tools 200, renewal 200, tools 200
after a restart: log in, tools 200, tools 401, log in, tools 200
running on, busy once: log in, tools 200, renewal 503, tools 401, log in, tools 200
SEEN
