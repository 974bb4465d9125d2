# Made from ../_async by tools/unasync.py: change it there.
"""Signing in and out."""

from __future__ import annotations

from typing import Any

from .._decode import decode
from .._wire import call, given, path
from ..errors import APIError
from ..models import Account
from ._core import Core


class AccountCalls(Core):
    """Signing in and out."""

    @property
    def is_signed_in(self) -> bool:
        """Whether there is a token, or a session that was kept. The server may have ended it meanwhile."""
        return self._tokens.is_signed_in

    def sign_in(self, user_id: str, password: str) -> Account:
        """Signs in with a password of the server. From then on tokens are renewed as needed, for 30 days.

        Raises:
            SignInFailedError: The user or the password is wrong.
            RateLimitedError: Too many attempts; `retry_after` says how long to wait.
        """
        request = call(
            "POST",
            "/v1/session",
            json={"userId": user_id, "password": password},
            public=True,
            headers=self._tokens.session.header,
        )
        return self._signed_in(self._session_of(self._send(request)))

    def accept_invitation(self, invitation: str, password: str, *, name: str | None = None) -> Account:
        """Sets the first or a new password with the link of an invitation, or its code, and signs in."""
        code = invitation.rsplit("/", 1)[-1]
        request = call(
            "POST",
            path("/v1/invitations/{}", code),
            json=given(password=password, name=name),
            public=True,
            headers=self._tokens.session.header,
        )
        return self._signed_in(self._session_of(self._send(request)))

    def me(self) -> Account:
        """Who is signed in. Without accounts, use `request`."""
        value = self.request("GET", "/v1/session")
        return decode(Account, value["user"])

    def sign_out(self) -> None:
        """Ends the session on the server, and forgets it here even if the server cannot be reached."""
        session = self._tokens.session
        self._tokens.forget()
        if not session.session:
            return
        try:
            self._send(call("DELETE", "/v1/session", public=True, headers=session.header))
        except APIError as error:
            if error.status != 401:
                raise

    def _signed_in(self, value: dict[str, Any]) -> Account:
        self._tokens.signed_in(value["accessToken"], value["lifetime"])
        return decode(Account, value["user"])
