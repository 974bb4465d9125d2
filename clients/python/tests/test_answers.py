"""Answers as a whole and as streams."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from conftest import FakeServer, problem, reply, stream

from nexus_chat import APIError, Nexus, NoConnectionError, RateLimitedError
from nexus_chat.events import (
    AnswerChecked,
    Answered,
    CitationAdded,
    Progress,
    Reading,
    SourcesFound,
    TextAdded,
)

SOURCE = {
    "conversationId": "pier", "conversationName": "Pier", "messageId": "m1", "senderName": "Ada", "rank": 1,
    "relevanceScore": 1, "excerpt": "On Friday.", "timestamp": "2026-11-29T12:00:00.5Z",
    "replacedBy": {"conversationId": "pier", "messageId": "m7"},
}  # fmt: skip
CITATION = {"number": 1, "conversationId": "pier", "messageId": "m1", "start": 11, "end": 14, "support": "supported"}
SENTENCE = {"start": 0, "end": 14, "needsSource": True, "support": "supported", "score": 1, "reasons": ["date"]}
ANSWER: dict[str, Any] = {
    "answer": "On Friday. [1]", "sources": [{**SOURCE, "number": 1}], "citations": [CITATION],
    "noAnswerReason": "none", "notices": [], "turnId": "t1", "queryTime": "2026-11-29T12:00:00.000Z",
    "sentences": [SENTENCE], "newer": {"than": "this package"},
}  # fmt: skip
CHECKED = {"answer": "On Friday. [1]", "citations": [CITATION], "sentences": [SENTENCE]}


def test_an_answer_has_sources_citations_and_support(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/ask", httpx.ReadError("lost"), reply(200, ANSWER))

    answer = nexus.ask("When?", thread_id="th")

    assert answer.sources[0].replaced_by and answer.sources[0].replaced_by.message_id == "m7"
    assert answer.sources[0].timestamp.microsecond == 500_000 and answer.sources[0].relevance_score == 1.0
    assert answer.citations[0].support == "supported" and answer.sentences and answer.sentences[0].reasons == ["date"]
    # The repetition gets the first answer.
    assert len({request.headers["Idempotency-Key"] for request in server.asked("POST /v1/ask")}) == 1
    assert server.bodies("POST /v1/ask")[0] == {"question": "When?", "threadId": "th"}


def test_the_events_of_a_stream_are_typed_and_add_up(server: FakeServer, nexus: Nexus) -> None:
    server.on(
        "POST /v1/ask",
        stream(
            ("progress", {"part": 1, "parts": 2}), ("retrieval", {"sources": [SOURCE]}), ("reading", {"share": 1}),
            ("newer", {}), ": still there\n\n", ("delta", {"text": "On "}), ("delta", {"text": "Friday. [1]"}),
            ("citation", CITATION), ("support", CHECKED), ("done", ANSWER), ("delta", {"text": "behind the end"}),
        ),
    )  # fmt: skip
    kinds: list[type[Any]] = []
    texts: list[str] = []
    with nexus.ask_stream("When?") as answer:
        for event in answer:
            kinds.append(type(event))
            texts.append(answer.text)
    assert kinds == [
        Progress, SourcesFound, Reading, TextAdded, TextAdded, CitationAdded, AnswerChecked, Answered
    ]  # fmt: skip
    assert texts[3:5] == ["On ", "On Friday. [1]"]
    assert answer.answer and answer.answer.turn_id == "t1" and answer.sources[0].number == 1
    assert server.requests[0].headers["Accept"] == "text/event-stream"


def test_an_error_in_a_stream_is_the_same_error(server: FakeServer, nexus: Nexus) -> None:
    fault = {"code": "model_busy", "detail": "too busy", "status": 503}
    server.on("POST /v1/ask", stream(("delta", {"text": "On"}), ("error", fault)))
    with nexus.ask_stream("When?") as answer, pytest.raises(APIError) as caught:
        answer.complete()
    assert (caught.value.status, caught.value.code) == (503, "model_busy") and answer.text == "On"


def test_a_stream_that_breaks_off_is_not_asked_again(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/ask", stream(("delta", {"text": "On"})))
    with nexus.ask_stream("When?") as answer, pytest.raises(NoConnectionError):
        answer.complete()
    assert len(server.requests) == 1


def test_a_refusal_before_a_stream_is_an_ordinary_error(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/ask", problem(429, "daily_tokens_used_up", Retry_After="7000"))
    with nexus.ask_stream("When?") as answer, pytest.raises(RateLimitedError):
        answer.complete()


def test_all_kinds_of_items_have_the_same_fields(server: FakeServer, nexus: Nexus) -> None:
    item = {
        "id": "i1", "conversationId": "pier", "messageId": "m1", "task": "Order", "text": "Order", "assignee": None,
        "person": "Ben", "personId": "ben", "due": "2026-12-01T22:59:59.000Z", "allDay": True, "status": "open",
        "quote": "order it", "sentAt": "2026-11-29T12:00:00Z", "supersededBy": None, "priority": "high",
    }  # fmt: skip
    server.on("GET /v1/conversations/pier/action-items", reply(200, {"items": [item]}))
    (found,) = nexus.items("action-items", "pier", status="open", assignee="me").items
    assert found.person == "Ben" and found.due and found.due.year == 2026
    assert dict(server.requests[0].url.params) == {"status": "open", "assignee": "me"}


def test_an_item_is_changed_and_reset(server: FakeServer, nexus: Nexus) -> None:
    route = "PATCH /v1/conversations/pier/deadlines/i1"
    server.on(route, reply(204))
    assert nexus.change_item("deadlines", "pier", "i1", due=None, status="done") is None
    assert server.bodies(route) == [{"due": None, "status": "done"}]
