"""What can go wrong: every exception of this package is a `NexusError`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast


class NexusError(Exception):
    """The base of all errors of this package."""


class NoConnectionError(NexusError):
    """The server was not reached, or the connection broke. It is never raised because somebody is signed out."""

    def __init__(self, message: str, *, nothing_sent: bool = False) -> None:
        super().__init__(message)
        #: Whether it is certain that the server has not seen the request.
        self.nothing_sent = nothing_sent


class UnexpectedReplyError(NexusError):
    """The reply is not what a Nexus server says: perhaps the address belongs to another server."""


class APIError(NexusError):
    """The server refused a request, or could not carry it out."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str = "",
        *,
        field: str | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {detail}" if detail else f"{status} {code}")
        self.status = status
        #: A stable name, such as `conversation_forbidden`.
        self.code = code
        #: A sentence in English for developers.
        self.detail = detail
        #: The field or parameter at fault, if there is one.
        self.field = field
        #: Seconds after which a retry may help, if the server says so.
        self.retry_after = retry_after
        #: The id under which the server's log has the request.
        self.request_id = request_id


class InvalidRequestError(APIError):
    """A field is missing, unknown or unusable (400, 413, 415, 422)."""


class SignedOutError(APIError):
    """The person has to sign in again, or the token is of no use any more."""

    @property
    def reason(self) -> str:
        """Why: `session_ended`, `token_expired`, `account_disabled`, `key_invalid`, `user_erased`, …"""
        return self.code


class SignInFailedError(APIError):
    """The user or the password is wrong (401)."""


class ForbiddenError(APIError):
    """The person may not do this (403). A conversation that does not exist is forbidden, too."""


class NotFoundError(APIError):
    """There is no such thing (404)."""


class ConflictError(APIError):
    """The request contradicts what the server has (409)."""


class RateLimitedError(APIError):
    """Too many requests (429). `retry_after` says when the next one is welcome."""


_KINDS: dict[int, type[APIError]] = {
    400: InvalidRequestError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitedError,
}


def api_error(status: int, problem: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> APIError:
    """Makes the error of a problem document (RFC 9457)."""
    headers = headers or {}
    code = str(problem.get("code") or f"status_{status}")
    kind = _KINDS.get(status, APIError)
    if code == "sign_in_failed":
        kind = SignInFailedError
    elif code in ("account_disabled", "session_ended"):
        kind = SignedOutError
    field = problem.get("field")
    return kind(
        status,
        code,
        str(problem.get("detail") or ""),
        field=field if isinstance(field, str) else None,
        retry_after=_seconds(headers.get("retry-after")),
        request_id=headers.get("x-request-id"),
    )


def error_of_reply(status: int, body: bytes, headers: Mapping[str, str]) -> APIError:
    """Makes the error of a reply. The routes of other protocols nest it under `error`; a proxy may send anything."""
    try:
        value: Any = json.loads(body)
    except ValueError:
        value = None
    problem = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    nested = problem.get("error")
    if isinstance(nested, dict):
        inner = cast("dict[str, Any]", nested)
        details = inner.get("details")
        known = cast("dict[str, Any]", details) if isinstance(details, dict) else {}
        problem = {"code": known.get("code") or inner.get("code"), "detail": inner.get("message"), **known}
    return api_error(status, problem, headers)


def signed_out(error: APIError) -> SignedOutError:
    """The same refusal, as the end of a session."""
    return SignedOutError(
        error.status, error.code, error.detail, field=error.field, request_id=error.request_id
    )


def _seconds(text: str | None) -> float | None:
    try:
        return max(0.0, float(text)) if text else None
    except ValueError:
        return None
