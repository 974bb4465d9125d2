"""Signing in, renewing, and being signed out."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import httpx
import pytest
from conftest import FakeServer, client, problem, reply, signed_in

from nexus_chat import (
    FileSessionStore,
    MemorySessionStore,
    NoConnectionError,
    SavedSession,
    SignedOutError,
    SignInFailedError,
)

TURNS: dict[str, list[str]] = {"turns": []}


def tokens(server: FakeServer) -> list[str | None]:
    return [request.headers.get("Authorization") for request in server.asked("GET /v1/turns")]


def test_a_sign_in_gives_the_token_and_keeps_the_cookie(server: FakeServer) -> None:
    store = MemorySessionStore()
    nexus = client(server, session_store=store)
    server.on("POST /v1/session", signed_in("a1"))
    server.on("GET /v1/turns", reply(200, TURNS))

    assert nexus.sign_in("ada", "correct horse").name == "Ada"
    nexus.turns()

    assert tokens(server) == ["Bearer a1"] and store.session == SavedSession(session="c1")
    # The cookie goes to the paths of sessions only.
    assert "Cookie" not in server.asked("GET /v1/turns")[0].headers


def test_a_wrong_password_is_no_end_of_a_session(server: FakeServer) -> None:
    server.on("POST /v1/session", problem(401, "sign_in_failed"))
    with pytest.raises(SignInFailedError):
        client(server).sign_in("ada", "wrong")
    assert len(server.requests) == 1


def test_an_invitation_is_taken_as_its_link_or_its_code(server: FakeServer) -> None:
    server.on("POST /v1/invitations/abc-1", signed_in("a1"))
    for invitation in ("https://chat.test/#/invitation/abc-1", "abc-1"):
        client(server).accept_invitation(invitation, "correct horse")
    assert len(server.asked("POST /v1/invitations/abc-1")) == 2


def test_a_kept_session_signs_in_by_itself(server: FakeServer) -> None:
    store = MemorySessionStore(SavedSession(session="c0", device="d0"))
    nexus = client(server, session_store=store)
    server.on("POST /v1/session/refresh", signed_in("a2", "c1"))
    server.on("GET /v1/turns", reply(200, TURNS))

    nexus.turns()

    assert server.asked("POST /v1/session/refresh")[0].headers["Cookie"] == "nexus-session=c0; nexus-device=d0"
    assert tokens(server) == ["Bearer a2"] and store.session == SavedSession(session="c1", device="d0")


def test_a_refused_token_is_renewed_once(server: FakeServer) -> None:
    nexus = client(server)
    server.on("POST /v1/session", signed_in("a1"))
    server.on("POST /v1/session/refresh", signed_in("a2", "c2"))
    server.on("GET /v1/turns", problem(401, "token_expired"), reply(200, TURNS))
    nexus.sign_in("ada", "correct horse")

    nexus.turns()

    assert tokens(server) == ["Bearer a1", "Bearer a2"]


def test_an_ended_session_is_signed_out_with_the_reason(server: FakeServer) -> None:
    store = MemorySessionStore(SavedSession(session="c0", device="d0"))
    nexus = client(server, session_store=store)
    server.on("POST /v1/session/refresh", problem(401, "session_ended"))

    for _ in range(2):
        with pytest.raises(SignedOutError) as caught:
            nexus.turns()
        assert caught.value.reason == "session_ended"

    assert len(server.requests) == 1 and not nexus.is_signed_in
    assert store.session == SavedSession(device="d0")


def test_a_server_that_is_away_signs_nobody_out(server: FakeServer) -> None:
    store = MemorySessionStore(SavedSession(session="c0"))
    nexus = client(server, session_store=store)
    server.on("POST /v1/session/refresh", httpx.ConnectError("refused"))
    with pytest.raises(NoConnectionError):
        nexus.turns()
    assert nexus.is_signed_in and store.session == SavedSession(session="c0")


def test_a_disabled_account_is_signed_out(server: FakeServer) -> None:
    nexus = client(server, token="jwt")
    server.on("GET /v1/turns", problem(403, "account_disabled"))
    with pytest.raises(SignedOutError) as caught:
        nexus.turns()
    assert caught.value.reason == "account_disabled"


def test_a_fixed_token_that_is_refused_is_not_sent_again(server: FakeServer) -> None:
    server.on("GET /v1/turns", problem(401, "token_expired"))
    with pytest.raises(SignedOutError):
        client(server, token="jwt").turns()
    assert len(server.requests) == 1


def test_a_provider_is_asked_for_another_token(server: FakeServer) -> None:
    refused: list[str | None] = []

    def provider(old: str | None) -> str:
        refused.append(old)
        return f"jwt{len(refused)}"

    server.on("GET /v1/turns", problem(401, "token_expired"), reply(200, TURNS))
    nexus = client(server, token=provider)
    nexus.turns()
    nexus.turns()
    assert refused == [None, "jwt1"] and tokens(server) == ["Bearer jwt1", "Bearer jwt2", "Bearer jwt2"]


def test_a_provider_that_has_no_other_token_means_signed_out(server: FakeServer) -> None:
    server.on("GET /v1/turns", problem(401, "token_expired"))
    with pytest.raises(SignedOutError):
        client(server, token=lambda old: "same").turns()
    assert len(server.requests) == 1


def test_requests_that_wait_for_a_token_share_one_renewal(server: FakeServer) -> None:
    nexus = client(server, session_store=MemorySessionStore(SavedSession(session="c0")))
    server.on("POST /v1/session/refresh", signed_in("a1"))
    server.on("GET /v1/turns", reply(200, TURNS))
    gate = threading.Barrier(8)

    def ask() -> None:
        gate.wait()
        nexus.turns()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(server.asked("POST /v1/session/refresh")) == 1
    assert tokens(server) == ["Bearer a1"] * 8


def test_signing_out_ends_the_session_and_forgets_it(server: FakeServer) -> None:
    store = MemorySessionStore(SavedSession(session="c0"))
    nexus = client(server, session_store=store)
    server.on("DELETE /v1/session", reply(204))
    nexus.sign_out()
    assert server.requests[0].headers["Cookie"] == "nexus-session=c0"
    assert store.session is None and not nexus.is_signed_in


def test_signing_out_without_a_network_forgets_the_session_too(server: FakeServer) -> None:
    store = MemorySessionStore(SavedSession(session="c0"))
    nexus = client(server, session_store=store)
    server.on("DELETE /v1/session", httpx.ConnectError("refused"))
    with pytest.raises(NoConnectionError):
        nexus.sign_out()
    assert store.session is None


def test_a_file_keeps_the_session_for_its_owner_only(tmp_path: Path) -> None:
    store = FileSessionStore(tmp_path / "session")
    assert store.load() is None
    for session in (SavedSession(session="c0"), SavedSession(session="c1", device="d")):
        store.save(session)
        assert store.load() == session
    assert stat.S_IMODE(store.file.stat().st_mode) == 0o600
    store.file.write_text("{")
    assert store.load() is None
    store.save(None)
    assert list(tmp_path.iterdir()) == []
