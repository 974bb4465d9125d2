"""Sends requests: tokens, retries and errors. Everything else is built on `send`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import httpx

from .._decode import decode
from .._version import VERSION
from .._wire import Call, RetryPolicy, call
from ..errors import (
    APIError,
    NexusError,
    NoConnectionError,
    NotFoundError,
    UnexpectedReplyError,
    error_of_reply,
    signed_out,
)
from ..sessions import MemorySessionStore, SavedSession, SessionStore
from ._io import HTTPClient, HTTPTransport, TokenProvider, sleep
from ._tokens import AsyncTokens

T = TypeVar("T")
S = TypeVar("S", bound="AsyncCore")

_NOTHING_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
_ERROR_LIMIT = 65_536


class AsyncCore:
    """A connection to one server for one person."""

    def __init__(
        self,
        url: str,
        *,
        token: str | TokenProvider | None = None,
        user: str | None = None,
        session_store: SessionStore | None = None,
        retries: RetryPolicy | None = None,
        timeout: float = 30.0,
        transport: HTTPTransport | None = None,
    ) -> None:
        """
        Args:
            url: The address of the server, with `https://` or `http://`.
            token: A token or key, or a function that returns tokens (it takes the refused one). Without it sign in.
            user: Who asks, for a key `read-as-user` or a server that trusts its callers. An app needs no such thing.
            session_store: Keeps the session of a sign-in; in memory by default.
            retries: How requests are repeated that can be repeated without harm.
            timeout: The longest wait for a reply in seconds. Answers and files may take longer.
            transport: Carries the requests, for tests and proxies.
        """
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
            raise ValueError(f"the address of the server needs https:// or http://: {url}")
        headers = {"User-Agent": f"nexus-chat-client/{VERSION}"}
        self._http = HTTPClient(
            base_url=url,
            headers={**headers, "X-Nexus-User": user} if user else headers,
            timeout=timeout,
            transport=transport,
            follow_redirects=False,
            # Sessions are kept by this package, so that no cookie is sent where it is not needed.
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        )
        self._timeout = timeout
        self._retries = retries or RetryPolicy()
        self._tokens = AsyncTokens(token, session_store or MemorySessionStore(), self._refresh)

    async def __aenter__(self: S) -> S:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections. The session stays: `sign_out` ends it."""
        await self._http.aclose()

    async def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool | None = None,
    ) -> Any:
        """Calls a route that this package has no method for, with its tokens, retries and errors.

        Args:
            method: Such as `GET`.
            path: Such as `/v1/devices`; quote ids in it with `urllib.parse.quote(id, safe="")`.
            json: The body.
            query: The parameters.
            headers: More headers, such as `Idempotency-Key`.
            repeatable: Whether the request may be repeated if its reply is lost; by default for all methods but POST.

        Returns:
            The JSON of the reply, `None` for an empty one, the text of another type.
        """
        if not path.startswith("/"):
            raise ValueError("the path begins with /")
        request = call(method.upper(), path, json=json, query=query or {}, headers=headers or {}, repeatable=repeatable)
        return _value(await self._send(request))

    async def _get(self, kind: type[T], request: Call) -> T:
        """Sends a request and reads the reply."""
        return decode(kind, _value(await self._send(request)))

    async def _do(self, request: Call) -> None:
        """Sends a request whose reply does not matter. A repeated deletion that finds nothing is done."""
        attempts = [0]
        try:
            await self._send(request, attempts=attempts)
        except NotFoundError:
            if request.method != "DELETE" or attempts[0] < 2:
                raise

    async def _send(self, request: Call, *, stream: bool = False, attempts: list[int] | None = None) -> httpx.Response:
        """Sends a request, repeats it if that helps, and returns a reply of success."""
        attempt = 0
        while True:
            attempt += 1
            if attempts:
                attempts[0] = attempt
            try:
                return await self._authorized(request, stream)
            except NexusError as error:
                wait = self._retries.wait(request, attempt, error)
                if wait is None:
                    raise
            await sleep(wait)

    async def _authorized(self, request: Call, stream: bool) -> httpx.Response:
        if request.public:
            return await self._once(request, stream, None)
        token = await self._tokens.token()
        try:
            return await self._once(request, stream, token)
        except APIError as error:
            if error.code == "account_disabled":
                raise self._tokens.ended(error) from None
            if error.status != 401:
                raise
            refusal = error
        token = await self._tokens.after_refusal(token, refusal)
        try:
            return await self._once(request, stream, token)
        except APIError as error:
            if error.status != 401:
                raise
            raise signed_out(error) from None

    async def _once(self, request: Call, stream: bool, token: str | None) -> httpx.Response:
        headers = dict(request.headers)
        if token:
            headers["Authorization"] = f"Bearer {token}"
        timeout = request.timeout or self._timeout
        silence = request.silence or timeout
        try:
            reply = await self._http.send(
                self._http.build_request(
                    request.method,
                    request.path,
                    params={name: value for name, value in request.query.items() if value is not None},
                    json=request.json,
                    content=request.content() if request.content else None,
                    headers=headers,
                    timeout=httpx.Timeout(silence, connect=min(10.0, timeout), pool=timeout),
                ),
                stream=True,
            )
        except httpx.HTTPError as error:
            raise _no_connection(error) from error
        try:
            if reply.is_success and stream:
                return reply
            await reply.aread()
        except httpx.HTTPError as error:
            raise _no_connection(error) from error
        finally:
            if not (reply.is_success and stream):
                await reply.aclose()
        if not reply.is_success:
            raise error_of_reply(reply.status_code, reply.content[:_ERROR_LIMIT], reply.headers)
        return reply

    async def _refresh(self, session: SavedSession) -> dict[str, Any]:
        """Renews the session. The server takes the old cookie for 30 s more, so a lost reply does no harm."""
        request = call("POST", "/v1/session/refresh", public=True, repeatable=True, headers=session.header, timeout=5.0)
        return self._session_of(await self._send(request))

    def _session_of(self, reply: httpx.Response) -> dict[str, Any]:
        """Keeps the cookies of a sign-in or a renewal, and returns its JSON with the token's lifetime in seconds."""
        value = _value(reply)
        if not isinstance(value, dict) or not isinstance(cast("dict[str, Any]", value).get("accessToken"), str):
            raise UnexpectedReplyError("the server's reply has no accessToken")
        self._tokens.keep(self._tokens.session.updated(reply.headers.get_list("set-cookie")))
        return {**cast("dict[str, Any]", value), "lifetime": _lifetime(reply, cast("dict[str, Any]", value))}


def _value(reply: httpx.Response) -> Any:
    if not reply.content:
        return None
    kind = reply.headers.get("content-type", "")
    if "json" not in kind or "ndjson" in kind:
        return reply.text
    try:
        return json.loads(reply.content)
    except ValueError:
        raise UnexpectedReplyError("the server's reply is no JSON") from None


@dataclass(frozen=True)
class _Expiry:
    expires_at: datetime


def _lifetime(reply: httpx.Response, value: dict[str, Any]) -> float:
    """How many seconds a token is good by the server's own clock, because this machine's may be wrong."""
    try:
        now = parsedate_to_datetime(reply.headers["date"])
        return (decode(_Expiry, value).expires_at - now).total_seconds()
    except (KeyError, ValueError, TypeError, UnexpectedReplyError):
        return 15 * 60.0


def _no_connection(error: httpx.HTTPError) -> NoConnectionError:
    text = str(error) or type(error).__name__
    return NoConnectionError(text, nothing_sent=isinstance(error, _NOTHING_SENT))
