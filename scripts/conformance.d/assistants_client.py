"""Programs of others sign a person in with OAuth and call tools: both lines of `mcp`, and `fastmcp`.

Each runs in a separate environment against a new server on which people sign in, knows only the address, and lets
the person decide at the page's own route. `assistants_client.py NAME` runs as one of the programs.
"""
import asyncio
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

PROGRAMS = {"mcp-2": "mcp==2.3.0", "mcp-1": "mcp==1.30.0", "fastmcp": "fastmcp==4.2.3"}
PERSON, PASSWORD = "mara", "correct horse battery"
QUESTION = "When does the Hamburg pilot go live, and why was it moved?"
EVIDENCE = "general-074"
ROOT = pathlib.Path(__file__).resolve().parents[2]
URL = os.environ.get("ASSISTANTS_URL", "")


def check(name, condition, found=""):
    """Ends the run with what was found unless the condition holds."""
    if not condition:
        raise SystemExit(f"FAILED {name}: {found}")
    print(f"ok {name}", flush=True)


class Stay(urllib.request.HTTPRedirectHandler):
    """Shows redirects instead of following them."""

    def redirect_request(self, *args):
        return None


def send(method, path, body=None, token=None, redirects=True):
    """Sends a request to the server, and returns status, headers and JSON."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = "Bearer " + token
    url = path if "://" in path else URL + path
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), *([] if redirects else [Stay]))
    try:
        reply = opener.open(request, timeout=60)
    except urllib.error.HTTPError as error:
        reply = error
    text = reply.read()
    try:
        return reply.status, reply.headers, json.loads(text or b"null")
    except ValueError:
        return reply.status, reply.headers, None


def person_token():
    """Signs the person in, and returns a token of the session."""
    status, _, reply = send("POST", "/v1/session", {"userId": PERSON, "password": PASSWORD})
    check("the person signs in", status == 200, reply)
    return reply["accessToken"]


def consent(url):
    """Does what the page does for a person who allows everything; returns the address to go back to."""
    status, headers, _ = send("GET", url, redirects=False)
    place = headers.get("Location", "")
    check("the browser is sent to the page", status == 302 and place.startswith("/#/connect?"), (status, place))
    request = {"request": place.split("?", 1)[1]}
    token = person_token()
    status, _, wish = send("POST", "/authorize", request, token)
    check("the page shows the wish", status == 200 and wish["scopes"] and wish["isLocal"], wish)
    status, _, reply = send("POST", "/authorize", {**request, "consent": "allow"}, token)
    check("the person allows it", status == 200, reply)
    return reply["redirectTo"]


def end_assistants():
    """Ends every assistant of the person, as the settings do; returns their names."""
    token = person_token()
    sessions = [item for item in send("GET", "/v1/sessions", token=token)[2]["sessions"] if item.get("assistant")]
    for item in sessions:
        check("an assistant is ended", send("DELETE", "/v1/sessions/" + item["id"], token=token)[0] == 204)
    return [item["assistant"]["name"] for item in sessions]


class Storage:
    """Keeps the tokens of a program."""

    def __init__(self):
        self.tokens, self.client = None, None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Browser:
    """Stands for the person's browser: counts the sign-ins, and gives back what the redirect said."""

    def __init__(self):
        self.count, self.fields = 0, {}

    async def open(self, url):
        self.count += 1
        place = await asyncio.to_thread(consent, url)
        self.fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(place).query))


async def use(session_of, browser, name):
    """What is checked of each `mcp` line: sign-in, calls at once, refresh, a new start, an end."""
    storage = Storage()
    async with session_of(storage) as (call, provider):
        found = await call("search_messages", {"query": QUESTION, "topK": 5})
        check("search_messages", EVIDENCE in str(found), found)
        check("one sign-in", browser.count == 1, browser.count)
        results = await asyncio.gather(*[call("search_messages", {"query": word, "topK": 3}) for word in ["pilot", "launch", "invoice", "venue"]])
        check("four calls at once", all("never instructions" in str(result) for result in results))
        answer = await call("ask", {"question": QUESTION})
        check("ask", EVIDENCE in str(answer), answer)
        before = storage.tokens.refresh_token
        provider.context.token_expiry_time = time.time() - 10
        await call("list_conversations", {})
        check("the token is refreshed", storage.tokens.refresh_token != before and browser.count == 1, browser.count)
    async with session_of(storage) as (call, provider):
        await call("list_conversations", {})
        check("a new start needs no sign-in", browser.count == 1, browser.count)
        check("it is listed and ended", end_assistants() == [name])
        await call("list_conversations", {})
        check("an ended assistant signs in again", browser.count == 2, browser.count)
    end_assistants()


def run_mcp_2():
    import contextlib

    import httpx2
    from mcp import Client
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

    for mode in ["auto", "2026-07-28", "legacy"]:
        browser = Browser()

        async def answer():
            fields = browser.fields
            return AuthorizationCodeResult(code=fields["code"], state=fields["state"], iss=fields["iss"])

        @contextlib.asynccontextmanager
        async def session(storage):
            metadata = OAuthClientMetadata(
                client_name="Program two", redirect_uris=["http://localhost:3999/callback"],
                grant_types=["authorization_code", "refresh_token"], response_types=["code"])
            provider = OAuthClientProvider(URL + "/mcp", metadata, storage, browser.open, answer)
            async with httpx2.AsyncClient(auth=provider, timeout=60, trust_env=False) as http:
                async with Client(streamable_http_client(URL + "/mcp", http_client=http), mode=mode) as client:
                    check("tools", len((await client.list_tools()).tools) >= 8)

                    async def call(name, arguments):
                        result = await client.call_tool(name, arguments)
                        check("no error of " + name, not result.is_error, result.content)
                        return result.structured_content, result.content
                    yield call, provider

        asyncio.run(use(session, browser, "Program two"))
        print(f"ok mode {mode}")


def run_mcp_1():
    import contextlib

    import httpx
    from mcp import ClientSession
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import OAuthClientMetadata

    browser = Browser()

    async def answer():
        return browser.fields["code"], browser.fields["state"]

    @contextlib.asynccontextmanager
    async def session(storage):
        metadata = OAuthClientMetadata(
            client_name="Program one", redirect_uris=["http://localhost:3998/callback"],
            grant_types=["authorization_code", "refresh_token"], response_types=["code"])
        provider = OAuthClientProvider(URL + "/mcp", metadata, storage, browser.open, answer)
        async with httpx.AsyncClient(auth=provider, timeout=60, trust_env=False) as http:
            async with streamable_http_client(URL + "/mcp", http_client=http) as (read, write, _):
                async with ClientSession(read, write) as client:
                    check("initialize", (await client.initialize()).protocolVersion == "2025-11-25")
                    check("tools", len((await client.list_tools()).tools) >= 8)

                    async def call(name, arguments):
                        result = await client.call_tool(name, arguments)
                        check("no error of " + name, not result.isError, result.content)
                        return result.structuredContent, result.content
                    yield call, provider

    asyncio.run(use(session, browser, "Program one"))


def run_fastmcp():
    import webbrowser

    from fastmcp import Client
    from fastmcp.client.auth import OAuth
    from key_value.aio.stores.memory import MemoryStore

    opened = []

    def follow(url):
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(consent(url), timeout=60).read()

    def browse(url):
        opened.append(url)
        threading.Thread(target=follow, args=[url], daemon=True).start()
        return True

    webbrowser.open = browse

    async def run():
        store = MemoryStore()
        for start in [1, 2]:
            async with Client(URL + "/mcp", auth=OAuth(token_storage=store)) as client:
                check("tools", len(await client.list_tools()) >= 8)
                result = await client.call_tool("search_messages", {"query": QUESTION, "topK": 5})
                check("search_messages", EVIDENCE in str(result), result)
                check("one sign-in for two starts", len(opened) == 1, len(opened))
        check("it is listed and ended", end_assistants() == ["FastMCP Client"])
        async with Client(URL + "/mcp", auth=OAuth(token_storage=store)) as client:
            await client.call_tool("list_conversations", {})
        check("an ended assistant signs in again, from another port", len(opened) == 2, len(opened))
        end_assistants()

    asyncio.run(run())


def environment(name):
    """Makes the environment of a program, and returns its Python."""
    folder = ROOT / ".build/conformance-programs" / name
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PROGRAMS[name]], check=True)
    return python


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    nexus = os.environ["CONFORMANCE_NEXUS"]
    with tempfile.TemporaryDirectory() as work:
        settings = ["--data", work + "/data", "--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]
        sample = ROOT / "eval/datasets/harbor"
        quiet = ["--log-level", "warning"]
        subprocess.run([nexus, "import", *settings, *quiet, sample / "conversations.jsonl", sample / "messages.jsonl"], check=True)
        subprocess.run([nexus, "ingest", *settings, *quiet], check=True)
        invited = subprocess.run([nexus, "accounts", "invite", PERSON, "--administrator", "--data", work + "/data"], check=True, capture_output=True, text=True)
        code = re.search(r"#/invitation/([\w-]+)", invited.stdout).group(1)
        port = free_port()
        global URL
        URL = os.environ["ASSISTANTS_URL"] = f"http://127.0.0.1:{port}"
        server = subprocess.Popen([nexus, "serve", *settings, *quiet, "--set", "http.host=127.0.0.1", "--port", str(port)])
        try:
            for _ in range(100):
                try:
                    if send("GET", "/ready")[0] == 200:
                        break
                except OSError:
                    time.sleep(0.1)
            status, _, reply = send("POST", "/v1/invitations/" + code, {"password": PASSWORD})
            check("the account is made", status == 200, reply)
            for name in PROGRAMS:
                print("--", PROGRAMS[name], flush=True)
                subprocess.run([environment(name), __file__, name], check=True, env={**os.environ, "NO_PROXY": "127.0.0.1,localhost"})
        finally:
            server.terminate()
            server.wait()


if len(sys.argv) > 1:
    {"mcp-2": run_mcp_2, "mcp-1": run_mcp_1, "fastmcp": run_fastmcp}[sys.argv[1]]()
else:
    main()
