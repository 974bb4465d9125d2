"""The feed: one stream of everything that changes for the person, over broken connections."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Any, cast

import httpx

from .._decode import decode
from .._events import ServerEvent
from .._position import Position
from .._wire import RetryPolicy, call, given
from ..errors import APIError, NexusError, NoConnectionError, SignedOutError, UnexpectedReplyError
from ..events import AnswerPiece, ConnectionChanged, FeedEvent, Frame, PresenceChanged, Snapshot, Typing, read_frame
from ..models import Message, MessagePage
from ..timeline import Timeline
from ._answers import server_events
from ._core import AsyncCore
from ._io import sleep

#: The server says something every 25 s; a connection that is silent for this long is lost.
_SILENCE = 60.0
#: Receipts are sent at most this often.
_RECEIPT = 2.0


class _ConnectAgain(Exception):
    """The server has ended the stream, or a frame is missing."""


_EPHEMERAL: dict[str, type[Any]] = {"presence": PresenceChanged, "typing": Typing, "delta": AnswerPiece}


class AsyncFeed:
    """Iterate over it. `cursor` is the position up to which every event was taken: keep it to continue later.

    Asking for the next event says that the one before it was applied. Broken connections are made again; what was
    missed comes then. A `Snapshot` comes first if there is no cursor, and again when the server no longer knows it.
    The iteration ends by leaving it, with `SignedOutError`, or with an error that connecting again cannot mend.
    """

    def __init__(self, core: AsyncCore, cursor: str | None, device: str | None, receipts: bool) -> None:
        self.cursor = cursor
        self._core = core
        self._device = device
        self._sends_receipts = receipts
        self._backoff = RetryPolicy(first_wait=1.0, longest_wait=30.0)
        self._reply: httpx.Response | None = None
        self._stream: str | None = None
        self._said: dict[str, dict[str, Any]] = {}
        self._received: tuple[str | None, float] = (cursor, 0.0)
        self._gap: str | None = None
        self._events: AsyncGenerator[FeedEvent, None] | None = None

    async def __aenter__(self) -> AsyncFeed:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connection; the person is then away at once."""
        if self._events:
            with suppress(RuntimeError):  # Another task reads: it ends as soon as the reply is closed.
                await self._events.aclose()
        await self._disconnect()

    async def _disconnect(self) -> None:
        self._stream = None
        if self._reply:
            await self._reply.aclose()

    def __aiter__(self) -> AsyncIterator[FeedEvent]:
        if self._events is None:
            self._events = self._run()
        return self._events

    # What the client says

    async def open_conversation(self, conversation_id: str | None) -> None:
        """Says which conversation is on the screen: its typing is then sent. After a break it is said again."""
        await self._say_again("open", given(conversation_id=conversation_id))

    async def watch(self, user_ids: Iterable[str]) -> None:
        """Asks for the presence of at most 200 people who are in a conversation with the person."""
        await self._say_again("watch", {"userIds": list(user_ids)})

    async def set_active(self, active: bool) -> None:
        """Says whether the person is there; `False` means away."""
        await self._say_again("active", {"active": active})

    async def typing(self, conversation_id: str, is_typing: bool = True) -> None:
        """Says that the person types: send it every 5 s. Nothing happens while there is no connection."""
        await self._say({"type": "typing", "conversationId": conversation_id, "typing": is_typing})

    async def _say_again(self, kind: str, fields: dict[str, Any]) -> None:
        self._said[kind] = {"type": kind, **fields}
        await self._say(self._said[kind])

    async def _say(self, message: dict[str, Any]) -> None:
        if self._stream is None:
            return
        body = {**message, "stream": self._stream}
        try:
            await self._core._do(call("POST", "/v1/feed/say", json=body, repeatable=True))
        except NoConnectionError:
            pass  # The stream notices, and what has to be said again is said again.
        except APIError as error:
            if error.code != "stream_not_found":
                raise

    # What the server says

    async def _run(self) -> AsyncGenerator[FeedEvent, None]:
        failures = 0
        while True:
            error: NexusError | None = None
            try:
                async with aclosing(self._connection()) as events:
                    async for event in events:
                        failures = 0
                        yield event
            except _ConnectAgain:
                pass
            except (NoConnectionError, APIError) as caught:
                if _is_final(caught):
                    raise
                error = caught
            finally:
                await self._disconnect()
            failures += 1
            asked = error.retry_after if isinstance(error, APIError) else None
            wait = max(self._backoff.backoff(failures), min(asked or 0.0, 300.0))
            yield ConnectionChanged(is_connected=False, error=error, retry_in=wait)
            await sleep(wait)

    async def _connection(self) -> AsyncGenerator[FeedEvent, None]:
        if self.cursor is None:
            snapshot = await self._core._get(Snapshot, call("GET", "/v1/sync"))
            yield snapshot
            self.cursor = snapshot.cursor
        request = call(
            "GET",
            "/v1/feed",
            query=given(cursor=self.cursor, device=self._device),
            headers={"Accept": "text/event-stream"},
            silence=_SILENCE,
        )
        reply = self._reply = await self._core._send(request, stream=True)
        async with aclosing(server_events(reply)) as events:
            async for event in events:
                typed = self._read(event)
                if typed:
                    yield typed
                if isinstance(typed, Frame):
                    self.cursor, self._gap = typed.cursor, None
                elif isinstance(typed, ConnectionChanged):
                    for said in list(self._said.values()):
                        await self._say(said)
                await self._send_receipt()

    def _read(self, event: ServerEvent) -> FeedEvent | None:
        data = _data(event)
        if event.name == "stream":
            self._stream = str(data.get("stream"))
            return ConnectionChanged(is_connected=True)
        if event.name == "frame":
            return self._frame(data)
        if event.name == "heartbeat":
            self.cursor = str(data.get("cursor"))
        elif event.name == "resync":
            self.cursor = None
            raise _ConnectAgain
        elif event.name == "end":
            # An expired token is renewed with the next connection; a key that is refused is noticed there.
            if data.get("reason") == "user_erased":
                raise SignedOutError(401, "user_erased", "the person was erased")
            raise _ConnectAgain
        elif event.name in _EPHEMERAL:
            return cast(FeedEvent, decode(_EPHEMERAL[event.name], data))
        return None

    def _frame(self, data: dict[str, Any]) -> Frame | None:
        position = Position.read(self.cursor or "")
        place = position.place_of(data) if position else "next"
        if place == "known":
            return None
        if place == "next":
            return read_frame(data)
        # A frame is missing. The server sends it again from the cursor; if it does not, a snapshot has everything.
        self.cursor = None if self._gap == self.cursor else self.cursor
        self._gap = self.cursor
        raise _ConnectAgain

    async def _send_receipt(self) -> None:
        cursor, at = self._received
        if not self._sends_receipts or self.cursor in (None, cursor) or time.monotonic() < at + _RECEIPT:
            return
        self._received = (self.cursor, time.monotonic())
        with suppress(NoConnectionError, APIError):  # The next receipt says it, too.
            await self._core._do(call("POST", "/v1/feed/ack", json={"cursor": self.cursor}, repeatable=True))


class AsyncLiveConversation:
    """The messages of a conversation, again and again: each iteration has the present list, oldest first."""

    def __init__(self, feed: AsyncFeed, load: Any, conversation_id: str, limit: int) -> None:
        self.feed = feed
        self.timeline = Timeline(conversation_id)
        self._load = load
        self._limit = limit

    async def __aenter__(self) -> AsyncLiveConversation:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connection."""
        await self.feed.aclose()

    async def load_older(self) -> None:
        """Loads one more page of older messages; the next list has them."""
        oldest = next(iter(self.timeline.messages), None)
        if oldest and self.timeline.has_older:
            self.timeline.add_older(await self._page(oldest.id))

    async def __aiter__(self) -> AsyncIterator[list[Message]]:
        timeline = self.timeline
        async for event in self.feed:
            changed = False
            if isinstance(event, Snapshot):
                await self.feed.open_conversation(timeline.conversation_id)
                changed = await self._reload()
            elif isinstance(event, Frame):
                changed = timeline.apply(event)
                if timeline.conversation_id in event.limited:
                    changed = await self._reload()
            if changed:
                yield timeline.messages
            if timeline.is_gone:
                return

    async def _reload(self) -> bool:
        self.timeline.reset(await self._page(None))
        return True

    async def _page(self, before: str | None) -> MessagePage:
        return cast(MessagePage, await self._load(self.timeline.conversation_id, limit=self._limit, before=before))


def _data(event: ServerEvent) -> dict[str, Any]:
    try:
        value = json.loads(event.data)
    except ValueError:
        raise UnexpectedReplyError("an event of the feed is no JSON") from None
    if not isinstance(value, dict):
        raise UnexpectedReplyError("an event of the feed is no object")
    return cast("dict[str, Any]", value)


def _is_final(error: NexusError) -> bool:
    """Whether connecting again is of no use: the request is refused for another reason than the moment."""
    if isinstance(error, SignedOutError):
        return True
    return isinstance(error, APIError) and error.status < 500 and error.status not in (408, 425, 429)
