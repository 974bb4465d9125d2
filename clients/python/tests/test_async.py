"""The other client is the same code: here is what differs, with asyncio and with trio."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import httpx
import pytest
from conftest import FakeServer, reply, signed_in, stream
from test_answers import ANSWER, SOURCE
from test_feed import OPENED, frame, posted, sync
from test_requests import POSTED, message

import nexus_chat
from nexus_chat import AsyncNexus, MemorySessionStore, RetryPolicy, SavedSession

Body = Callable[[], Awaitable[None]]


@pytest.fixture(params=["asyncio", "trio"])
def run(request: pytest.FixtureRequest) -> Callable[[Body], None]:
    return lambda body: anyio.run(body, backend=request.param)


def client(server: FakeServer, **options: object) -> AsyncNexus:
    retries = RetryPolicy(first_wait=0.001, longest_wait=0.001)
    return AsyncNexus("http://chat.test", transport=server, retries=retries, **{"token": "t", **options})  # type: ignore[arg-type]


def test_the_client_for_threads_is_made_from_this_one() -> None:
    tool = Path(__file__).parent.parent / "tools" / "unasync.py"
    assert subprocess.run([sys.executable, tool, "--check"], check=False).returncode == 0


def test_both_clients_have_the_same_methods() -> None:
    def names(kind: type[object]) -> set[str]:
        return {name.removeprefix("a") if name == "aclose" else name for name in dir(kind) if not name.startswith("_")}

    assert names(nexus_chat.AsyncNexus) == names(nexus_chat.Nexus)
    assert names(nexus_chat.AsyncFeed) == names(nexus_chat.Feed)


def test_a_message_is_sent_again_and_a_conversation_shown(server: FakeServer, run: Callable[[Body], None]) -> None:
    page = {"messages": [message("m1", 1)], "hasOlder": False, "hasNewer": False}
    server.on("POST /v1/conversations/pier/messages", httpx.ReadError("lost"), reply(201, POSTED))
    server.on("GET /v1/conversations/pier/messages", reply(200, page))
    server.on("GET /v1/sync", sync("log-0"))
    server.on("POST /v1/feed/say", reply(204))
    server.on("GET /v1/feed", stream(OPENED, frame(0, 1, posted("m2", 2))))
    shown: list[list[str]] = []

    async def body() -> None:
        async with client(server) as nexus:
            await nexus.post("pier", "hello")
            async with nexus.watch_conversation("pier") as live:
                async for messages in live:
                    shown.append([found.id for found in messages])
                    if len(shown) == 2:
                        break

    run(body)
    assert shown == [["m1"], ["m1", "m2"]]


def test_an_answer_is_streamed_and_can_be_left(server: FakeServer, run: Callable[[Body], None]) -> None:
    events = [("retrieval", {"sources": [SOURCE]}), ("delta", {"text": "On"}), ("done", ANSWER)]
    server.on("POST /v1/ask", stream(*events))
    texts: list[str] = []

    async def body() -> None:
        async with client(server) as nexus:
            async with nexus.ask_stream("When?") as answer:
                async for _ in answer:
                    break
            async with nexus.ask_stream("When?") as answer:
                texts.append((await answer.complete()).answer)

    run(body)
    assert texts == ["On Friday. [1]"]


def test_tasks_share_one_renewal_and_providers_may_wait(server: FakeServer, run: Callable[[Body], None]) -> None:
    server.on("POST /v1/session/refresh", signed_in("a1"))
    server.on("GET /v1/turns", reply(200, {"turns": []}))
    asked: list[str | None] = []

    async def provider(refused: str | None) -> str:
        asked.append(refused)
        await anyio.sleep(0)
        return "jwt"

    async def ask_eight(nexus: AsyncNexus) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(nexus.turns)

    async def body() -> None:
        store = MemorySessionStore(SavedSession(session="c0"))
        async with client(server, token=None, session_store=store) as nexus:
            await ask_eight(nexus)
        async with client(server, token=provider) as nexus:
            await ask_eight(nexus)

    run(body)
    assert len(server.asked("POST /v1/session/refresh")) == 1 and asked == [None]


def test_files_go_up_and_down(server: FakeServer, run: Callable[[Body], None], tmp_path: Path) -> None:
    stored = {"id": "f1", "name": "a", "mediaType": "text/plain", "byteCount": 4, "sha256": "00"}
    server.on("POST /v1/files", lambda request: reply(201, {**stored, "name": request.content.decode()}))
    server.on("GET /v1/files/f1", httpx.Response(200, content=b"plan"))
    (tmp_path / "up").write_bytes(b"plan")
    names: list[str] = []

    async def body() -> None:
        async with client(server) as nexus:
            names.append((await nexus.upload(tmp_path / "up")).name)
            await nexus.download_to("f1", tmp_path / "down")

    run(body)
    assert names == ["plan"] and (tmp_path / "down").read_bytes() == b"plan"
