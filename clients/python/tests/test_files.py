"""Files up and down."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from conftest import FakeServer, problem, reply

from nexus_chat import InvalidRequestError, Nexus, NoConnectionError

STORED = {"id": "f1", "name": "plan.txt", "mediaType": "text/plain", "byteCount": 4, "sha256": "00"}


def test_a_file_is_sent_as_it_is(server: FakeServer, nexus: Nexus, tmp_path: Path) -> None:
    plan = tmp_path / "plan.txt"
    plan.write_bytes(b"x" * 100_000)
    seen: list[bytes] = []

    def take(request: httpx.Request) -> httpx.Response:
        seen.append(request.read())
        return reply(201, STORED)

    server.on("POST /v1/files", take)
    progress: list[tuple[int, int]] = []

    assert nexus.upload(plan, on_progress=lambda done, all: progress.append((done, all))).id == "f1"

    assert seen == [plan.read_bytes()] and progress == [(65_536, 100_000), (100_000, 100_000)]
    request = server.requests[0]
    assert request.url.params["name"] == "plan.txt" and request.headers["Content-Length"] == "100000"
    assert "Transfer-Encoding" not in request.headers


def test_an_upload_is_not_repeated_when_its_reply_is_lost(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/files", httpx.ReadError("lost"))
    with pytest.raises(NoConnectionError):
        nexus.upload(b"plan", name="plan.txt")
    assert len(server.requests) == 1


def test_an_upload_without_a_connection_is_repeated_with_all_bytes(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/files", httpx.ConnectError("refused"), lambda request: reply(201, {**STORED, "name": request.read().decode()}))
    assert nexus.upload(b"plan", name="plan.txt").name == "plan"


class Broken(httpx.SyncByteStream):
    """A body that breaks off."""

    def __iter__(self):  # type: ignore[no-untyped-def]
        yield b"pl"
        raise httpx.ReadError("lost")


def test_a_broken_download_continues_where_it_was(server: FakeServer, nexus: Nexus, tmp_path: Path) -> None:
    rest = httpx.Response(206, content=b"an", headers={"ETag": '"e"', "Content-Range": "bytes 2-3/4"})
    broken = {"ETag": '"e"', "Content-Length": "4"}
    server.on("GET /v1/files/f1", lambda _: httpx.Response(200, stream=Broken(), headers=broken), rest)
    progress: list[tuple[int, int]] = []

    nexus.download_to("f1", tmp_path / "plan.txt", on_progress=lambda done, all: progress.append((done, all)))

    assert (tmp_path / "plan.txt").read_bytes() == b"plan" and progress[-1] == (4, 4)
    assert server.requests[1].headers["Range"] == "bytes=2-" and server.requests[1].headers["If-Range"] == '"e"'


def test_a_file_that_changed_meanwhile_is_loaded_from_the_start(
    server: FakeServer, nexus: Nexus, tmp_path: Path
) -> None:
    server.on(
        "GET /v1/files/f1",
        lambda _: httpx.Response(200, stream=Broken(), headers={"ETag": '"e"'}),
        httpx.Response(200, content=b"new", headers={"ETag": '"f"'}),
    )
    nexus.download_to("f1", tmp_path / "plan.txt")
    assert (tmp_path / "plan.txt").read_bytes() == b"new"


def test_a_download_that_fails_leaves_nothing(server: FakeServer, nexus: Nexus, tmp_path: Path) -> None:
    server.on("GET /v1/files/f1", problem(400, "invalid_field"))
    with pytest.raises(InvalidRequestError):
        nexus.download_to("f1", tmp_path / "plan.txt")
    assert list(tmp_path.iterdir()) == []
