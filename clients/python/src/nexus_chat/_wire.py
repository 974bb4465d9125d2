"""Requests and rules of retrying as values: nothing here sends anything."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, Final
from urllib.parse import quote

from ._decode import camel, encode_time
from .errors import APIError, NexusError, NoConnectionError

#: Methods whose repetition changes nothing.
_IDEMPOTENT = frozenset({"GET", "HEAD", "PUT", "DELETE", "PATCH"})


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"


#: An argument that was not given, where `None` means "reset".
UNSET: Final = Unset.UNSET


def new_local_id() -> str:
    """Makes an id for a message, to be kept until the server has confirmed it."""
    return str(uuid.uuid4())


def path(template: str, *parts: str) -> str:
    """Fills ids into a path. An id never changes which route is called."""
    return template.format(*(_segment(part) for part in parts))


def _segment(part: str) -> str:
    if not part:
        raise ValueError("an id is empty")
    # HTTP libraries remove segments of dots, as the standard of addresses says.
    return part.replace(".", "%2E") if part in (".", "..") else quote(part, safe="")


def body_of(**fields: Any) -> dict[str, Any]:
    """The JSON of a body: names in camel case, no `UNSET`, times as text."""
    return {camel(name): _json(value) for name, value in fields.items() if value is not UNSET}


def given(**fields: Any) -> dict[str, Any]:
    """The same without `None`."""
    return body_of(**{name: value for name, value in fields.items() if value is not None})


def _json(value: Any) -> Any:
    return encode_time(value) if isinstance(value, datetime) else value


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request. `repeatable` says that carrying it out twice does no harm."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    json: Any = None
    #: Makes a new iterator of bytes for each attempt.
    content: Callable[[], Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = False
    #: Whether it is sent without a token, as a sign-in is.
    public: bool = False
    timeout: float | None = None
    #: The longest silence of a stream, instead of `timeout`.
    silence: float | None = None


def call(method: str, path: str, *, repeatable: bool | None = None, **options: Any) -> Call:
    """Makes a request; those of idempotent methods can be repeated."""
    return Call(
        method=method, path=path, repeatable=method in _IDEMPOTENT if repeatable is None else repeatable, **options
    )


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How often, and after which wait, a request is repeated that can be repeated without harm."""

    #: All attempts, with the first one.
    attempts: int = 4
    first_wait: float = 0.25
    longest_wait: float = 8.0
    #: A server that asks for a longer wait gets no retry: the error says how long.
    longest_retry_after: float = 20.0

    def backoff(self, attempt: int) -> float:
        """The wait after so many failed attempts: doubled each time, with jitter so that clients do not return at once."""
        longest = min(self.first_wait * 2.0 ** min(attempt - 1, 16), self.longest_wait)
        return longest * random.uniform(0.5, 1.0)

    def wait(self, call: Call, attempt: int, error: NexusError) -> float | None:
        """The seconds to wait before the next attempt, or `None` if there is none."""
        if attempt >= self.attempts or not may_repeat(call, error):
            return None
        asked = error.retry_after if isinstance(error, APIError) else None
        if asked is not None and asked > self.longest_retry_after:
            return None
        return max(asked or 0.0, self.backoff(attempt))


def may_repeat(call: Call, error: NexusError) -> bool:
    """Whether a request may be sent once more after this error."""
    if isinstance(error, NoConnectionError):
        return call.repeatable or error.nothing_sent
    if not isinstance(error, APIError):
        return False
    if error.status == 429:  # The server has not begun it.
        return error.retry_after is not None
    if error.code == "idempotency_key_in_work":
        return True
    # A 503 of the server has Retry-After if a retry can help; others come from a proxy.
    is_passing = error.retry_after is not None or error.code.startswith("status_")
    return call.repeatable and is_passing and error.status in (502, 503, 504)
