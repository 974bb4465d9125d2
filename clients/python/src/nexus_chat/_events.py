"""Reads server-sent events from pieces of bytes, as the HTML standard describes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

#: The largest frame of a server has 8 MiB; more than this is no event stream.
_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """An event, and the id that the stream had with it."""

    name: str
    data: str
    id: str


class EventParser:
    """Takes bytes in any pieces. Only CR, LF and CRLF end a line, whatever `str.splitlines` thinks."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._name = ""
        self._data: list[str] = []
        self._id = ""
        self._after_return = False

    def feed(self, piece: bytes) -> Iterator[ServerEvent]:
        """Yields the events that are complete with this piece."""
        self._buffer += piece
        if len(self._buffer) > _LIMIT:
            raise ValueError("a line of the event stream is too long")
        *lines, rest = self._lines()
        self._buffer = bytearray(rest)
        for line in lines:
            event = self._take(line.decode("utf-8", "replace"))
            if event:
                yield event

    def _lines(self) -> list[bytes]:
        text = bytes(self._buffer)
        if self._after_return and text:
            text = text.removeprefix(b"\n")
            self._after_return = False
        self._after_return = self._after_return or text.endswith(b"\r")
        return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")

    def _take(self, line: str) -> ServerEvent | None:
        if not line:
            event = ServerEvent(self._name or "message", "\n".join(self._data), self._id) if self._data else None
            self._name, self._data = "", []
            return event
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        elif field == "id" and "\0" not in value:
            self._id = value
        return None
