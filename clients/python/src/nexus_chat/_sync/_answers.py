# Made from ../_async by tools/unasync.py: change it there.
"""Streams of answers."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from types import TracebackType

import httpx

from .._answers import AnswerSoFar
from .._events import EventParser, ServerEvent
from .._wire import Call
from ..errors import NoConnectionError, UnexpectedReplyError
from ..events import AnswerEvent
from ..models import Answer
from ._core import Core


def server_events(reply: httpx.Response) -> Generator[ServerEvent, None, None]:
    """The events of a reply."""
    if not reply.headers.get("content-type", "").startswith("text/event-stream"):
        raise UnexpectedReplyError("the server's reply is no event stream")
    parser = EventParser()
    try:
        for piece in reply.iter_bytes():
            for event in parser.feed(piece):
                yield event
    except httpx.HTTPError as error:
        raise NoConnectionError(str(error) or type(error).__name__) from error
    except ValueError as error:
        raise UnexpectedReplyError(str(error)) from error


class AnswerStream(AnswerSoFar):
    """An answer while it is made: iterate over its events, or take `text`, `sources` and `answer`.

    The question is sent once, with the first event that is asked for. If the connection breaks, ask again:
    the answer that was lost may be among the `turns`.
    """

    def __init__(self, core: Core, request: Call) -> None:
        super().__init__()
        self._core = core
        self._request = request
        self._reply: httpx.Response | None = None
        self._events: Generator[AnswerEvent, None, None] | None = None

    def __enter__(self) -> AnswerStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops the answer."""
        if self._events:
            with suppress(RuntimeError):  # Another task reads: it ends as soon as the reply is closed.
                self._events.close()
        if self._reply:
            self._reply.close()

    def __iter__(self) -> Iterator[AnswerEvent]:
        if self._events is None:
            self._events = self._run()
        return self._events

    def complete(self) -> Answer:
        """Reads to the end, and returns the answer."""
        for _ in self:
            pass
        if self.answer is None:
            raise NoConnectionError("the stream ended before the answer was complete")
        return self.answer

    def _run(self) -> Generator[AnswerEvent, None, None]:
        reply = self._reply = self._core._send(self._request, stream=True)
        try:
            with closing(server_events(reply)) as events:
                for event in events:
                    typed = self.take(event)
                    if typed:
                        yield typed
                    if self.answer:
                        return
            raise NoConnectionError("the stream ended before the answer was complete")
        finally:
            reply.close()
