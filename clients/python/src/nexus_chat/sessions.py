"""Where the session of a signed-in person is kept between two starts of a program."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSession:
    """The cookies of a sign-in. Keep them as you keep passwords: they sign the person in for 30 days."""

    session: str | None = None
    #: Shows the server that this device is known; it gives no rights and outlives a session.
    device: str | None = None

    def updated(self, set_cookies: list[str]) -> SavedSession:
        """The same with the cookies of a reply; one that is empty is gone."""
        values = {"session": self.session, "device": self.device}
        for text in set_cookies:
            try:
                cookies = SimpleCookie(text)
            except CookieError:
                continue
            for name, key in (("nexus-session", "session"), ("nexus-device", "device")):
                if name in cookies:
                    values[key] = cookies[name].value or None
        return SavedSession(**values)

    @property
    def header(self) -> dict[str, str]:
        """The header `Cookie`, for the paths of sessions only."""
        pairs = [("nexus-session", self.session), ("nexus-device", self.device)]
        text = "; ".join(f"{name}={value}" for name, value in pairs if value)
        return {"Cookie": text} if text else {}


class SessionStore(Protocol):
    """Keeps one session. Each renewal replaces it: save it at once, and use it in one program at a time."""

    def load(self) -> SavedSession | None:
        """The session that was kept, if there is one."""
        ...

    def save(self, session: SavedSession | None) -> None:
        """Keeps a session, or forgets it."""
        ...


class MemorySessionStore:
    """Keeps the session as long as the program runs."""

    def __init__(self, session: SavedSession | None = None) -> None:
        self.session = session

    def load(self) -> SavedSession | None:
        """The session that was kept, if there is one."""
        return self.session

    def save(self, session: SavedSession | None) -> None:
        """Keeps a session, or forgets it."""
        self.session = session


class FileSessionStore:
    """Keeps the session in a file that only its owner can read."""

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.file = Path(file)

    def load(self) -> SavedSession | None:
        """The session that was kept; a file that cannot be read is none."""
        try:
            value = json.loads(self.file.read_text("utf-8"))
            return SavedSession(session=value["session"], device=value["device"])
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def save(self, session: SavedSession | None) -> None:
        """Replaces the file in one step, so that a crash leaves the old or the new session."""
        if session is None:
            self.file.unlink(missing_ok=True)
            return
        new = self.file.with_name(self.file.name + ".new")
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            json.dump(asdict(session), out)
        new.replace(self.file)
