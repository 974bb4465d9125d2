"""Streams of answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from types import TracebackType

import httpx

from .._answers import AnswerSoFar
from .._events import EventParser, ServerEvent
from .._wire import Call
from ..errors import NoConnectionError, UnexpectedReplyError
from ..events import AnswerEvent
from ..models import Answer
from ._core import AsyncCore


async def server_events(reply: httpx.Response) -> AsyncGenerator[ServerEvent, None]:
    """The events of a reply."""
    if not reply.headers.get("content-type", "").startswith("text/event-stream"):
        raise UnexpectedReplyError("the server's reply is no event stream")
    parser = EventParser()
    try:
        async for piece in reply.aiter_bytes():
            for event in parser.feed(piece):
                yield event
    except httpx.HTTPError as error:
        raise NoConnectionError(str(error) or type(error).__name__) from error
    except ValueError as error:
        raise UnexpectedReplyError(str(error)) from error


class AsyncAnswerStream(AnswerSoFar):
    """An answer while it is made: iterate over its events, or take `text`, `sources` and `answer`.

    The question is sent once, with the first event that is asked for. If the connection breaks, ask again:
    the answer that was lost may be among the `turns`.
    """

    def __init__(self, core: AsyncCore, request: Call) -> None:
        super().__init__()
        self._core = core
        self._request = request
        self._reply: httpx.Response | None = None
        self._events: AsyncGenerator[AnswerEvent, None] | None = None

    async def __aenter__(self) -> AsyncAnswerStream:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stops the answer."""
        if self._events:
            with suppress(RuntimeError):  # Another task reads: it ends as soon as the reply is closed.
                await self._events.aclose()
        if self._reply:
            await self._reply.aclose()

    def __aiter__(self) -> AsyncIterator[AnswerEvent]:
        if self._events is None:
            self._events = self._run()
        return self._events

    async def complete(self) -> Answer:
        """Reads to the end, and returns the answer."""
        async for _ in self:
            pass
        if self.answer is None:
            raise NoConnectionError("the stream ended before the answer was complete")
        return self.answer

    async def _run(self) -> AsyncGenerator[AnswerEvent, None]:
        reply = self._reply = await self._core._send(self._request, stream=True)
        try:
            async with aclosing(server_events(reply)) as events:
                async for event in events:
                    typed = self.take(event)
                    if typed:
                        yield typed
                    if self.answer:
                        return
            raise NoConnectionError("the stream ended before the answer was complete")
        finally:
            await reply.aclose()
