"""A small server in memory: it answers requests from a list of replies, and notes what it was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from nexus_chat import Nexus, RetryPolicy

Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


def reply(status: int = 200, body: Any = None, **headers: str) -> httpx.Response:
    """A reply with JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is None:
        return httpx.Response(status, headers=named)
    return httpx.Response(status, json=body, headers=named)


def problem(status: int, code: str, **headers: str) -> httpx.Response:
    """A refusal."""
    return reply(status, {"code": code, "detail": f"about {code}", "status": status}, **headers)


def stream(*events: tuple[str, Any] | str) -> httpx.Response:
    """A stream of server-sent events."""
    texts = [
        event if isinstance(event, str) else f"event: {event[0]}\ndata: {json.dumps(event[1])}\n\n" for event in events
    ]
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content="".join(texts).encode())


def signed_in(token: str, cookie: str = "c1") -> httpx.Response:
    """The reply of a sign-in or a renewal."""
    user = {"userId": "ada", "name": "Ada", "role": "member", "hasPassword": True}
    return reply(
        200,
        {"accessToken": token, "expiresAt": "2026-11-29T12:15:00.000Z", "user": user},
        Date="Sun, 29 Nov 2026 12:00:00 GMT",
        Set_Cookie=f"nexus-session={cookie}; Path=/v1/session; HttpOnly; SameSite=Strict",
    )


class FakeServer(httpx.MockTransport):
    """Answers `METHOD /path` with the next reply of its list; the last one is repeated."""

    def __init__(self) -> None:
        super().__init__(self._handle)
        self.routes: dict[str, list[Answer]] = {}
        self.requests: list[httpx.Request] = []

    def on(self, route: str, *answers: Answer) -> None:
        self.routes[route] = list(answers)

    def asked(self, route: str) -> list[httpx.Request]:
        return [request for request in self.requests if f"{request.method} {request.url.raw_path.decode().split('?')[0]}" == route]

    def bodies(self, route: str) -> list[Any]:
        return [json.loads(request.content) for request in self.asked(route)]

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        route = f"{request.method} {request.url.raw_path.decode().split('?')[0]}"
        answers = self.routes.get(route)
        if not answers:
            return problem(404, "not_found")
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx.Response):
            # A response can be read once: a repeated one is made again.
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
        return answer(request)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def nexus(server: FakeServer) -> Nexus:
    return client(server, token="t0")


def client(server: FakeServer, **options: Any) -> Nexus:
    """A client that does not wait long between two attempts."""
    retries = RetryPolicy(first_wait=0.001, longest_wait=0.001)
    return Nexus("http://chat.test", transport=server, retries=retries, **options)
