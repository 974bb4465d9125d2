"""Search, questions, past questions and items."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal

from .._decode import decode
from .._wire import UNSET, Call, Unset, body_of, call, given, path
from ..models import (
    Answer,
    Extraction,
    Item,
    ItemChanges,
    ItemPage,
    SearchResults,
    SubjectTimeline,
    Thread,
    Turn,
    TurnPage,
)
from ._answers import AsyncAnswerStream
from ._core import AsyncCore

#: The three lists of things that the assistant finds in a conversation.
ItemKind = Literal["action-items", "decisions", "deadlines"]

#: Content that a message has besides its words.
ContentKind = Literal["file", "image", "audio", "video", "document", "link"]

#: A server waits for a slow model, and an answer may take minutes.
_LONG = 600.0


class AsyncAssistantCalls(AsyncCore):
    """Search, questions, past questions and items."""

    async def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        conversation_ids: Sequence[str] | None = None,
        sender_ids: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: date | datetime | None = None,
        kinds: Sequence[ContentKind] | None = None,
        time_zone: str | None = None,
        cursor: str | None = None,
    ) -> SearchResults:
        """Finds messages that the person may see, best first. No language model is asked.

        `next` of the results is the `cursor` of the next page; everything else stays as it was.
        """
        filters = _filters(top_k, conversation_ids, sender_ids, since, until, as_of, time_zone)
        body = {"query": query, **filters, **given(kinds=None if kinds is None else list(kinds), cursor=cursor)}
        return await self._get(SearchResults, call("POST", "/v1/search", json=body, repeatable=True, timeout=60.0))

    async def timeline(
        self,
        subject: str,
        *,
        conversation_ids: Sequence[str] | None = None,
        sender_ids: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: date | datetime | None = None,
        time_zone: str | None = None,
    ) -> SubjectTimeline:
        """What messages state about a subject, newest first, with what later ones replace."""
        filters = _filters(None, conversation_ids, sender_ids, since, until, as_of, time_zone)
        body = {"subject": subject, **filters}
        return await self._get(SubjectTimeline, call("POST", "/v1/timeline", json=body, repeatable=True, timeout=60.0))

    async def ask(
        self,
        question: str,
        *,
        top_k: int | None = None,
        conversation_ids: Sequence[str] | None = None,
        sender_ids: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: date | datetime | None = None,
        time_zone: str | None = None,
        thread_id: str | None = None,
    ) -> Answer:
        """Answers a question from the messages that the person may see. A repetition gets the first answer."""
        body = {
            **_filters(top_k, conversation_ids, sender_ids, since, until, as_of, time_zone),
            **given(question=question, thread_id=thread_id),
        }
        return await self._get(Answer, _question("/v1/ask", body))

    def ask_stream(
        self,
        question: str,
        *,
        top_k: int | None = None,
        conversation_ids: Sequence[str] | None = None,
        sender_ids: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: date | datetime | None = None,
        time_zone: str | None = None,
        thread_id: str | None = None,
    ) -> AsyncAnswerStream:
        """The same as a stream of events: sources, pieces of text, citations, checked sentences, the whole answer.

        Use it with `async with`, so that leaving early stops the language model.
        """
        body = {
            **_filters(top_k, conversation_ids, sender_ids, since, until, as_of, time_zone),
            **given(question=question, thread_id=thread_id),
        }
        return AsyncAnswerStream(self, _stream("/v1/ask", body))

    async def ask_in_conversation(
        self, conversation_id: str, text: str, *, time_zone: str | None = None, language: str | None = None
    ) -> Answer:
        """Answers from one conversation alone; the question is kept there for the person."""
        place = path("/v1/conversations/{}/assistant", conversation_id)
        return await self._get(Answer, _question(place, given(text=text, time_zone=time_zone, language=language)))

    def ask_in_conversation_stream(
        self, conversation_id: str, text: str, *, time_zone: str | None = None, language: str | None = None
    ) -> AsyncAnswerStream:
        """The same as a stream of events."""
        place = path("/v1/conversations/{}/assistant", conversation_id)
        return AsyncAnswerStream(self, _stream(place, given(text=text, time_zone=time_zone, language=language)))

    # Past questions

    async def turns(
        self, *, limit: int | None = None, before: str | None = None, thread_id: str | None = None
    ) -> TurnPage:
        """The person's past questions, newest first. `outdated` says which answers are no longer true."""
        parameters = given(limit=limit, before=before, thread_id=thread_id)
        return await self._get(TurnPage, call("GET", "/v1/turns", query=parameters))

    async def turn(self, turn_id: str) -> Turn:
        """One past question."""
        return await self._get(Turn, call("GET", path("/v1/turns/{}", turn_id)))

    async def delete_turn(self, turn_id: str) -> None:
        """Forgets a past question."""
        await self._do(call("DELETE", path("/v1/turns/{}", turn_id)))

    async def rate_turn(self, turn_id: str, rating: Literal["up", "down"], *, reason: str | None = None) -> None:
        """Rates an answer; the last rating counts."""
        body = given(rating=rating, reason=reason)
        await self._do(call("POST", path("/v1/turns/{}/feedback", turn_id), json=body, repeatable=True))

    async def create_thread(self, title: str | None = None) -> Thread:
        """Begins a thread: questions asked with its id know the earlier ones."""
        return await self._get(Thread, call("POST", "/v1/threads", json=given(title=title)))

    # Items

    async def items(
        self,
        kind: ItemKind,
        conversation_id: str | None = None,
        *,
        status: Literal["open", "done"] | None = None,
        assignee: str | None = None,
        query: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> ItemPage:
        """A page of items of one conversation or of all. `assignee="me"` is the person; decisions take `query`."""
        parameters = given(status=status, assignee=assignee, q=query, limit=limit, after=after)
        return await self._get(ItemPage, call("GET", _items(kind, conversation_id), query=parameters))

    async def item_changes(
        self, kind: ItemKind, conversation_id: str, after: str | None = None, *, wait: int = 25
    ) -> ItemChanges:
        """What changed since a cursor, waiting up to 25 s for a change. Without a cursor: the whole list."""
        place = f"{_items(kind, conversation_id)}/changes"
        request = call("GET", place, query=given(after=after, wait=wait if after else 0), timeout=wait + 30.0)
        return await self._get(ItemChanges, request)

    async def extract_items(
        self, kind: ItemKind, conversation_id: str, *, time_zone: str | None = None
    ) -> Extraction:
        """Lets the language model read what is new in a conversation."""
        place = f"{_items(kind, conversation_id)}/extract"
        return await self._get(Extraction, call("POST", place, json=given(time_zone=time_zone), timeout=_LONG))

    async def change_item(
        self,
        kind: ItemKind,
        conversation_id: str,
        item_id: str,
        *,
        text: str | Unset = UNSET,
        person: str | None | Unset = UNSET,
        due: datetime | str | None | Unset = UNSET,
        status: Literal["open", "done"] | Unset = UNSET,
        time_zone: str | Unset = UNSET,
    ) -> Item | None:
        """Changes an item. `person` is a member's name or alias; `due` a time, or a date such as `2026-12-01`.

        Returns:
            The item, or `None` for callers who may not read it.
        """
        body = body_of(text=text, person=person, due=due, status=status, time_zone=time_zone)
        place = path("/v1/conversations/{}/{}/{}", conversation_id, kind, item_id)
        value = await self.request("PATCH", place, json=body)
        return None if value is None else decode(Item, value)

    async def remove_item(self, kind: ItemKind, conversation_id: str, item_id: str) -> None:
        """Removes an item; it does not come back."""
        await self._do(call("DELETE", path("/v1/conversations/{}/{}/{}", conversation_id, kind, item_id)))


def _items(kind: ItemKind, conversation_id: str | None) -> str:
    return f"/v1/{kind}" if conversation_id is None else path("/v1/conversations/{}/{}", conversation_id, kind)


def _filters(
    top_k: int | None,
    conversation_ids: Sequence[str] | None,
    sender_ids: Sequence[str] | None,
    since: datetime | None,
    until: datetime | None,
    as_of: date | datetime | None,
    time_zone: str | None,
) -> dict[str, Any]:
    return given(
        top_k=top_k,
        conversation_ids=None if conversation_ids is None else list(conversation_ids),
        sender_ids=None if sender_ids is None else list(sender_ids),
        from_=since,
        to=until,
        as_of=as_of if as_of is None or isinstance(as_of, datetime) else as_of.isoformat(),
        time_zone=time_zone,
    )


def _question(place: str, body: dict[str, Any]) -> Call:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    return call("POST", place, json=body, headers=key, repeatable=True, timeout=_LONG)


def _stream(place: str, body: dict[str, Any]) -> Call:
    return call("POST", place, json=body, headers={"Accept": "text/event-stream"}, silence=60.0)
