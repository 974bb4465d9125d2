# Made from ../_async by tools/unasync.py: change it there.
"""Which token a request carries, and how a new one is got."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ..errors import APIError, SignedOutError, signed_out
from ..sessions import SavedSession, SessionStore
from ._io import Lock, TokenProvider, provide

#: A token is renewed so many seconds before it expires.
_MARGIN = 30.0


class Tokens:
    """A fixed token, the tokens of a provider, or those of a session. Requests that wait for a token share one renewal."""

    def __init__(
        self,
        token: str | TokenProvider | None,
        store: SessionStore,
        refresh: Callable[[SavedSession], dict[str, Any]],
    ) -> None:
        self._provider = None if token is None or isinstance(token, str) else token
        self._token = token if isinstance(token, str) else None
        self._is_fixed = isinstance(token, str)
        self._expires = float("inf")
        self._store = store
        self._refresh = refresh
        self._lock = Lock()
        self._end: SignedOutError | None = None
        self.session = SavedSession() if token is not None else store.load() or SavedSession()

    @property
    def is_signed_in(self) -> bool:
        """Whether there is something to sign requests with."""
        return self._end is None and bool(self._token or self._provider or self.session.session)

    def signed_in(self, token: str, lifetime: float) -> None:
        """Begins a session, with the access token of a reply."""
        self._provider, self._is_fixed, self._end = None, False, None
        self._token, self._expires = token, time.monotonic() + lifetime

    def keep(self, session: SavedSession) -> None:
        """Keeps the cookies of a reply."""
        if session != self.session:
            self.session = session
            self._store.save(session)

    def forget(self) -> None:
        """Ends the session on this side. The device stays known."""
        self._provider, self._token, self._is_fixed = None, None, False
        self.session = SavedSession(device=self.session.device)
        self._store.save(self.session if self.session.device else None)

    def ended(self, error: APIError) -> SignedOutError:
        """Notes that the server ended the session, and returns the reason as an error."""
        self._end = signed_out(error)
        self.forget()
        return self._end

    def token(self) -> str | None:
        """The token of the next request; `None` if the server trusts its callers."""
        if self._end:
            raise self._end
        if self._token and time.monotonic() < self._expires - _MARGIN:
            return self._token
        if self._provider or self.session.session:
            return self._renewed(self._token)
        return self._token

    def after_refusal(self, refused: str | None, error: APIError) -> str:
        """Another token than the refused one, or the end of the session."""
        if self._provider or self.session.session:
            fresh = self._renewed(refused)
            if fresh != refused:
                return fresh
        if self._is_fixed or self._provider or refused is None:
            raise signed_out(error)
        raise self.ended(error)

    def _renewed(self, old: str | None) -> str:
        with self._lock:
            if self._end:
                raise self._end
            is_old = self._token is None or self._token == old
            if not is_old and self._token:
                return self._token
            if self._provider:
                self._token = provide(self._provider, old)
                return self._token
            try:
                reply = self._refresh(self.session)
            except APIError as error:
                if error.status == 401 or isinstance(error, SignedOutError):
                    raise self.ended(error) from None
                raise
            token = str(reply["accessToken"])
            self.signed_in(token, reply["lifetime"])
            return token
