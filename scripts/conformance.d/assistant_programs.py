"""The programs of assistants_client.py: `assistant_programs.py NAME` runs one of them through all that it can do.

Each program starts as a person would start it: it knows only the address, has a folder that keeps its tokens, and
listens on a separate port for the browser. `assistant_programs.py NAME FOLDER` is a second start of the program that
shares the folder, for two refreshes at the same moment.
"""
import asyncio
import contextlib
import dataclasses
import http.server
import importlib
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from assistant_person import PERSON, URL, Browser, assistants, check, end_assistants, send

ADDRESS = URL + "/mcp"
QUESTION = "When does the Hamburg pilot go live, and why was it moved?"
EVIDENCE = "general-074"
MESSAGE = f"nexus://conversations/general/messages/{EVIDENCE}"
SEARCH = ("search_messages", {"query": QUESTION, "topK": 5})
PROGRAMS = {}
REVISIONS = set()


class ToolError(Exception):
    """A tool's error, as the program shows it to a model."""


@dataclasses.dataclass
class Started:
    """A program that has started: how it calls tools, lists them and reads resources."""

    call: object
    tools: object
    read: object
    # Returns the access token and the refresh token.
    tokens: object
    # Makes the program believe that its access token has expired.
    expire: object


def program(name, listed_as, browser=Browser):
    """Registers a program under a name, with the name under which Nexus lists it, and its browser."""
    def register(start):
        PROGRAMS[name] = (contextlib.asynccontextmanager(start), listed_as, browser)
        return start
    return register


# MARK: - What every program does


async def ten_calls(started):
    found = await started.call(*SEARCH)
    check("search_messages", EVIDENCE in found, found)
    begin = time.monotonic()
    results = await asyncio.gather(*[started.call("search_messages", {"query": word, "topK": 3}) for word in ["pilot", "launch", "invoice", "venue"]])
    check(f"four calls at once ({time.monotonic() - begin:.2f} s)", all("messageId" in result for result in results), results)
    check("ask", EVIDENCE in await started.call("ask", {"question": QUESTION}))
    check("list_conversations", "general" in await started.call("list_conversations", {}))
    around = {"conversationId": "general", "around": EVIDENCE, "limit": 3}
    check("get_conversation", EVIDENCE in await started.call("get_conversation", around))
    check("list_decisions", "items" in await started.call("list_decisions", {}))
    check("list_action_items", "items" in await started.call("list_action_items", {"conversationId": "general"}))
    check("resources/read", EVIDENCE in await started.read(MESSAGE))
    try:
        found = await started.call("get_conversation", {"conversationId": "nowhere"})
    except ToolError as error:
        found = f"error: {error}"
    check("an error reaches the program", "error: " in found and "conversation_" in found, found)


async def use(name, folder):
    """Takes a program through sign-in, calls, step-up, refresh, new starts, refresh by two at once, and an end."""
    start, listed_as, make_browser = PROGRAMS[name]
    browser = make_browser(folder)
    async with start(folder, browser) as started:
        tools = await started.tools()
        check("tools", {"search_messages", "ask", "post_message"} <= set(tools), tools)
        check("one sign-in, for the standard scopes", [wish["scopes"] for wish in browser.wishes] == [["read", "ask"]], browser.wishes)
        await ten_calls(started)
        check("still one sign-in", browser.count == 1, browser.count)
        await step_up(started, browser)
        before = started.tokens()
        await started.expire()
        await started.call("list_conversations", {})
        check("the token is refreshed", before != started.tokens() and browser.count == 2, browser.count)
    async with start(folder, browser) as started:
        check("a new start", EVIDENCE in await started.call(*SEARCH))
        check("it needs no sign-in", browser.count == 2, browser.count)
    refresh_together(name, folder)
    async with start(folder, browser) as started:
        check("a start after that", EVIDENCE in await started.call(*SEARCH))
        check("it needs no sign-in either", browser.count == 2, browser.count)
        await end_in_the_middle(started, browser, listed_as)
    end_assistants()
    check("nothing is left", assistants() == [])
    print("revisions:", *sorted(REVISIONS), flush=True)


async def step_up(started, browser):
    """Posts, which needs one more scope: the person is asked for it, and what was granted before stays."""
    posted = await started.call("post_message", {"conversationId": "general", "text": "Posted by a program."})
    check("the step-up asks once", browser.count == 2 and "write" in browser.wishes[1]["scopes"], browser.wishes)
    check("the message is posted", "created" in posted or "messageId" in posted, posted)
    check("the other scopes stay", EVIDENCE in await started.call("ask", {"question": QUESTION}) and browser.count == 2)


async def end_in_the_middle(started, browser, listed_as):
    """Ends the program between two calls: its token is worth nothing at once, and it signs in again."""
    token, _ = started.tokens()
    check("it is listed and ended", (ended := end_assistants()) == [listed_as], ended)
    status = send("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, token)[0]
    check("its token is worth nothing", status == 401, status)
    found = await again(started.call, *SEARCH)
    check("an ended program signs in again", EVIDENCE in found and browser.count == 3, browser.count)


async def again(call, *arguments):
    """Calls a tool; mcp-stdio signs in beside the call, and answers until then that one has to try again."""
    for _ in range(100):
        try:
            return await call(*arguments)
        except ToolError as error:
            if "re-authorizing" not in str(error):
                raise
            await asyncio.sleep(0.2)
    return "no sign-in"


def refresh_together(name, folder):
    """Lets two starts of a program refresh the token of one folder at the same moment."""
    command = [sys.executable, __file__, name, folder]
    pair = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in pair:
        check("a second start", "ready\n" in iter(process.stdout.readline, ""))
    for process in pair:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in pair:
        rest = process.communicate(timeout=120)[0]
        check("a refresh of two at once", process.returncode == 0 and rest.endswith("refreshed\n"), rest)


async def share(name, folder):
    """The second start of a program for `refresh_together`."""
    start, _, make_browser = PROGRAMS[name]
    browser = make_browser(folder)
    async with start(folder, browser) as started:
        await started.call("list_conversations", {})
        before, count = started.tokens(), browser.count
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await started.expire()
        found = await started.call(*SEARCH)
        check("other tokens, without a sign-in", before != started.tokens() and browser.count == count, browser.count)
        check("search_messages", EVIDENCE in found, found)
        print("refreshed", flush=True)


# MARK: - Both lines of `mcp`, and programs that take its OAuth object


class Loopback:
    """Listens on a separate port for what the browser brings back."""

    def __init__(self):
        fields = self.fields = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                fields.put(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"You can close this window.")

            def log_message(self, *arguments):
                pass

        self.server = http.server.HTTPServer(("localhost", 0), Handler)
        self.address = f"http://localhost:{self.server.server_port}/callback"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    async def answer(self):
        return await asyncio.to_thread(self.fields.get, timeout=60)


class FileStorage:
    """Keeps the tokens of a program in a folder."""

    def __init__(self, folder):
        from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
        self.folder = pathlib.Path(folder)
        self.kinds = {"tokens": OAuthToken, "client": OAuthClientInformationFull}

    def get(self, name):
        file = self.folder / f"{name}.json"
        return self.kinds[name].model_validate_json(file.read_text()) if file.exists() else None

    def set(self, name, value):
        draft = self.folder / f"{name}.{os.getpid()}"
        draft.write_text(value.model_dump_json())
        draft.replace(self.folder / f"{name}.json")

    async def get_tokens(self):
        return self.get("tokens")

    async def set_tokens(self, tokens):
        self.set("tokens", tokens)

    async def get_client_info(self):
        return self.get("client")

    async def set_client_info(self, client):
        self.set("client", client)


def oauth_provider(folder, browser, name):
    """Makes the OAuth object of whichever line of `mcp` is here."""
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import OAuthClientMetadata

    loopback = Loopback()

    async def answer():
        fields = await loopback.answer()
        try:
            from mcp.shared.auth import AuthorizationCodeResult
        except ImportError:
            return fields["code"], fields["state"]
        return AuthorizationCodeResult(code=fields["code"], state=fields["state"], iss=fields["iss"])

    async def open_browser(url):
        await asyncio.to_thread(browser.open, url)

    metadata = OAuthClientMetadata(
        client_name=name, redirect_uris=[loopback.address], grant_types=["authorization_code", "refresh_token"],
        response_types=["code"])
    return OAuthClientProvider(ADDRESS, metadata, FileStorage(folder), open_browser, answer)


def started(call, tools, read, provider):
    """A program whose tokens the OAuth object of `mcp` keeps."""
    def tokens():
        return provider.context.current_tokens.access_token, provider.context.current_tokens.refresh_token

    async def expire():
        provider.context.token_expiry_time = time.time() - 10
    return Started(call, tools, read, tokens, expire)


def text_of(content):
    """The text of a result's content."""
    return "\n".join(getattr(part, "text", "") for part in content)


def result_text(result):
    """The text of a result of either line of `mcp`."""
    if getattr(result, "is_error", None) or getattr(result, "isError", None):
        raise ToolError(text_of(result.content))
    return text_of(result.content)


def note_revisions(library):
    """Notes the revisions of the protocol that this process names in its requests to /mcp."""
    original = library.AsyncClient.send

    async def send(self, request, **options):
        if request.url.path == "/mcp" and "mcp-protocol-version" in request.headers:
            REVISIONS.add(request.headers["mcp-protocol-version"])
        return await original(self, request, **options)
    library.AsyncClient.send = send


def register_mcp_2(mode):
    @program(f"mcp-2-{mode}", "Program two")
    async def start(folder, browser):
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        provider = oauth_provider(folder, browser, "Program two")
        async with httpx2.AsyncClient(auth=provider, timeout=60, trust_env=False) as http_client:
            async with Client(streamable_http_client(ADDRESS, http_client=http_client), mode=mode) as client:
                async def call(name, arguments):
                    result = await client.call_tool(name, arguments)
                    return result_text(result)

                async def tools():
                    return [tool.name for tool in (await client.list_tools()).tools]

                async def read(uri):
                    return text_of((await client.read_resource(uri)).contents)

                yield started(call, tools, read, provider)


for mode in ["auto", "2026-07-28", "legacy"]:
    register_mcp_2(mode)


@program("mcp-1", "Program one")
async def start_mcp_1(folder, browser):
    import httpx
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    provider = oauth_provider(folder, browser, "Program one")
    async with httpx.AsyncClient(auth=provider, timeout=60, trust_env=False) as http_client:
        async with streamable_http_client(ADDRESS, http_client=http_client) as (read_stream, write_stream, _):
            async with ClientSession(read_stream, write_stream) as client:
                check("initialize", (await client.initialize()).protocolVersion == "2025-11-25")

                async def call(name, arguments):
                    return result_text(await client.call_tool(name, arguments))

                async def tools():
                    return [tool.name for tool in (await client.list_tools()).tools]

                async def read(uri):
                    return text_of((await client.read_resource(uri)).contents)

                yield started(call, tools, read, provider)


@program("langchain", "A chain")
async def start_langchain(folder, browser):
    from langchain_core.tools import ToolException
    from langchain_mcp_adapters.client import MultiServerMCPClient

    provider = oauth_provider(folder, browser, "A chain")
    client = MultiServerMCPClient({"nexus": {"transport": "streamable_http", "url": ADDRESS, "auth": provider}})
    by_name = {tool.name: tool for tool in await client.get_tools()}

    async def call(name, arguments):
        message = await by_name[name].ainvoke({"name": name, "args": arguments, "id": "1", "type": "tool_call"})
        text = message.content if isinstance(message.content, str) else "\n".join(part.get("text", "") for part in message.content)
        if message.status == "error":
            raise ToolError(text)
        return text

    async def tools():
        return list(by_name)

    async def read(uri):
        return "\n".join(blob.as_string() for blob in await client.get_resources("nexus", uris=[uri]))

    yield started(call, tools, read, provider)


@program("openai-agents", "An agent")
async def start_openai_agents(folder, browser):
    from agents.mcp import MCPServerStreamableHttp

    provider = oauth_provider(folder, browser, "An agent")
    parameters = {"url": ADDRESS, "auth": provider, "timeout": 60}
    async with MCPServerStreamableHttp(parameters, client_session_timeout_seconds=60) as server:
        async def call(name, arguments):
            return result_text(await server.call_tool(name, arguments))

        async def tools():
            await agent_of_openai(server)
            return [tool.name for tool in await server.list_tools()]

        async def read(uri):
            return text_of((await server.read_resource(uri)).contents)

        yield started(call, tools, read, provider)


async def agent_of_openai(server):
    """Runs an agent whose model is a script: it searches, then repeats what it found."""
    from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    class Script(Model):
        async def get_response(self, system_instructions, input, model_settings, tools, *arguments, **named):
            found = [item for item in input if isinstance(item, dict) and item.get("type") == "function_call_output"]
            if not found:
                check("the model sees the tools", "search_messages" in [tool.name for tool in tools])
                step = ResponseFunctionToolCall(call_id="1", name=SEARCH[0], arguments=json.dumps(SEARCH[1]), type="function_call")
            else:
                text = ResponseOutputText(text=str(found[0]["output"]), type="output_text", annotations=[])
                step = ResponseOutputMessage(id="1", content=[text], role="assistant", status="completed", type="message")
            return ModelResponse(output=[step], usage=Usage(), response_id=None)

        def stream_response(self, *arguments, **named):
            raise NotImplementedError

    agent = Agent(name="Finder", instructions="Find it.", mcp_servers=[server], model=Script())
    result = await Runner.run(agent, QUESTION, run_config=RunConfig(tracing_disabled=True))
    check("an agent's model reads the messages", EVIDENCE in str(result.final_output), result.final_output)


# MARK: - Programs with the OAuth of fastmcp


def fastmcp_oauth(folder, browser):
    import webbrowser

    from fastmcp.client.auth import OAuth
    from key_value.aio.stores.filetree import FileTreeStore, FileTreeV1CollectionSanitizationStrategy, FileTreeV1KeySanitizationStrategy

    def browse(url):
        threading.Thread(target=browser.open, args=[url], daemon=True).start()
        return True

    webbrowser.open = browse
    place = pathlib.Path(folder)
    return OAuth(ADDRESS, token_storage=FileTreeStore(
        data_directory=place, key_sanitization_strategy=FileTreeV1KeySanitizationStrategy(place),
        collection_sanitization_strategy=FileTreeV1CollectionSanitizationStrategy(place)))


@program("fastmcp", "FastMCP Client")
async def start_fastmcp(folder, browser):
    from fastmcp import Client

    provider = fastmcp_oauth(folder, browser)
    async with Client(ADDRESS, auth=provider) as client:
        async def call(name, arguments):
            return result_text(await client.call_tool(name, arguments, raise_on_error=False))

        async def tools():
            return [tool.name for tool in await client.list_tools()]

        async def read(uri):
            return text_of(await client.read_resource(uri))

        yield started(call, tools, read, provider)


@program("pydantic-ai", "FastMCP Client")
async def start_pydantic_ai(folder, browser):
    from pydantic_ai.exceptions import ModelRetry
    from pydantic_ai.mcp import MCPToolset

    provider = fastmcp_oauth(folder, browser)
    toolset = MCPToolset(ADDRESS, auth=provider)
    async with toolset:
        async def call(name, arguments):
            try:
                return json.dumps(await toolset.direct_call_tool(name, arguments))
            except ModelRetry as error:
                raise ToolError(error.message) from error

        async def tools():
            await agent_of_pydantic(toolset)
            return [tool.name for tool in await toolset.list_tools()]

        async def read(uri):
            return str(await toolset.read_resource(uri))

        yield started(call, tools, read, provider)


async def agent_of_pydantic(toolset):
    """Runs an agent whose model is a script: it searches, then repeats what it found."""
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    def script(messages, info):
        found = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
        if found:
            return ModelResponse(parts=[TextPart(str(found[0].content))])
        check("the model sees the tools", "search_messages" in [tool.name for tool in info.function_tools])
        return ModelResponse(parts=[ToolCallPart(*SEARCH)])

    result = await Agent(FunctionModel(script), toolsets=[toolset]).run(QUESTION)
    check("an agent's model reads the messages", EVIDENCE in result.output, result.output)


# MARK: - mcp-stdio, which a local program starts


class CommandBrowser:
    """A browser that a program starts as a command; see `assistant_person.py`."""

    def __init__(self, folder):
        self.log = pathlib.Path(folder) / "browser.log"
        here = pathlib.Path(__file__).with_name("assistant_person.py")
        self.environment = {"ASSISTANTS_BROWSER_LOG": str(self.log), "BROWSER": f"{sys.executable} {here} %s &"}

    @property
    def wishes(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    @property
    def count(self):
        return len(self.wishes)


class Stdio:
    """Starts a command, and speaks MCP over its standard input and output."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **environment})
        self.last, self.waiting, self.errors = 0, {}, []
        threading.Thread(target=self.listen, daemon=True).start()
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") in self.waiting:
                self.waiting[message["id"]].put(message)
        for box in self.waiting.values():
            box.put({"error": {"message": "mcp-stdio has ended: " + "".join(self.errors)}})

    def write(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    async def ask(self, method, parameters):
        self.last += 1
        box = self.waiting[self.last] = queue.Queue()
        self.write({"id": self.last, "method": method, "params": parameters})
        message = await asyncio.to_thread(box.get, timeout=60)
        if "error" in message:
            raise ToolError(message["error"]["message"])
        return message["result"]

    async def call(self, name, arguments):
        result = await self.ask("tools/call", {"name": name, "arguments": arguments})
        text = "\n".join(part.get("text", "") for part in result["content"])
        if result.get("isError"):
            raise ToolError(text)
        return text

    async def begin(self):
        start = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "local program", "version": "1"}}
        welcome = await self.ask("initialize", start)
        check("initialize", welcome["serverInfo"]["name"] == "nexus", welcome)
        self.write({"method": "notifications/initialized"})

    async def tools(self):
        return [tool["name"] for tool in (await self.ask("tools/list", {}))["tools"]]

    async def read(self, uri):
        return (await self.ask("resources/read", {"uri": uri}))["contents"][0]["text"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)


def register_stdio(era):
    @program(f"mcp-stdio-{era}", "mcp-stdio", CommandBrowser)
    async def start(folder, browser):
        home = pathlib.Path(folder)
        file = home / ".config/mcp-stdio/tokens.json"
        command = [sys.executable, "-m", "mcp_stdio", "--oauth", "--protocol-era", era, ADDRESS]
        environment = {**browser.environment, "HOME": str(home)}
        running = []

        async def begin():
            running.append(Stdio(command, environment))
            await running[-1].begin()

        def tokens():
            [kept] = json.loads(file.read_text()).values()
            return kept["access_token"], kept["refresh_token"]

        async def expire():
            # It looks at the time when it starts, and by a timer.
            running[-1].end()
            kept = json.loads(file.read_text())
            for entry in kept.values():
                entry["expires_at"] = time.time() - 10
            draft = file.with_name(f"tokens.{os.getpid()}")
            draft.write_text(json.dumps(kept))
            draft.replace(file)
            await begin()

        await begin()
        try:
            yield Started(
                lambda *arguments: running[-1].call(*arguments), lambda: running[-1].tools(),
                lambda uri: running[-1].read(uri), tokens, expire)
        finally:
            running[-1].end()


for era in ["legacy", "modern", "auto"]:
    register_stdio(era)


# MARK: - `nexus mcp`, which the stdio clients of both lines start


@contextlib.asynccontextmanager
async def local_client():
    """Starts `nexus mcp` with whichever line of `mcp` is here; yields its client and the revision."""
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command = StdioServerParameters(
        command=os.environ["CONFORMANCE_NEXUS"], args=["mcp", "--data", os.environ["ASSISTANTS_DATA"], "--user", PERSON])
    try:
        from mcp import Client
    except ImportError:
        from mcp import ClientSession
        async with stdio_client(command) as streams, ClientSession(*streams) as client:
            yield client, (await client.initialize()).protocolVersion
    else:
        async with Client(stdio_client(command)) as client:
            yield client, client.protocol_version


async def use_locally():
    """Lets a local program make its ten calls, and post, without any sign-in."""
    async with local_client() as (client, revision):
        async def call(name, arguments):
            return result_text(await client.call_tool(name, arguments))

        async def read(uri):
            return text_of((await client.read_resource(uri)).contents)

        tools = [tool.name for tool in (await client.list_tools()).tools]
        check("tools", {"search_messages", "ask", "post_message"} <= set(tools), tools)
        await ten_calls(Started(call, None, read, None, None))
        posted = await call("post_message", {"conversationId": "general", "text": "Posted by a command."})
        check("the message is posted", "created" in posted or "messageId" in posted, posted)
    print("revisions:", revision, flush=True)


async def main():
    name, folder = sys.argv[1], sys.argv[2:]
    for library in ["httpx", "httpx2"]:
        with contextlib.suppress(ImportError):
            note_revisions(importlib.import_module(library))
    if name == "nexus-mcp":
        return await use_locally()
    if folder:
        return await share(name, folder[0])
    with tempfile.TemporaryDirectory() as folder:
        await use(name, folder)


asyncio.run(main())
