"""Retries, errors and paths."""

from __future__ import annotations

from datetime import date, datetime, timezone

import httpx
import pytest
from conftest import FakeServer, client, problem, reply

from nexus_chat import (
    APIError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    Nexus,
    NoConnectionError,
    NotFoundError,
    RateLimitedError,
    RetryPolicy,
    UnexpectedReplyError,
)

MESSAGES = "POST /v1/conversations/pier/messages"
POSTED = {"messageId": "m1", "localId": "x", "seq": 1, "status": "inserted"}


def test_a_message_that_is_sent_again_keeps_its_local_id(server: FakeServer, nexus: Nexus) -> None:
    server.on(MESSAGES, httpx.ReadError("lost"), httpx.ReadTimeout("slow"), reply(201, POSTED))

    assert nexus.post("pier", "hello").seq == 1

    ids = [body["localId"] for body in server.bodies(MESSAGES)]
    assert len(ids) == 3 and len(set(ids)) == 1 and ids[0]


def test_two_messages_have_two_local_ids(server: FakeServer, nexus: Nexus) -> None:
    server.on(MESSAGES, reply(201, POSTED))
    nexus.post("pier", "hello")
    nexus.post("pier", "hello")
    first, second = server.bodies(MESSAGES)
    assert first["localId"] != second["localId"]


def test_a_group_is_made_once_although_a_reply_is_lost(server: FakeServer, nexus: Nexus) -> None:
    time = "2026-11-29T12:00:00.000Z"
    group = {"id": "g", "kind": "group", "visibility": "members", "history": "all", "createdAt": time, "updatedAt": time}
    server.on("POST /v1/conversations", httpx.ReadError("lost"), reply(201, group))

    nexus.create_conversation("Pier", ["ada", "ben"])

    keys = {request.headers["Idempotency-Key"] for request in server.asked("POST /v1/conversations")}
    assert len(server.requests) == 2 and len(keys) == 1


def test_what_may_not_be_repeated_is_sent_once(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/threads", httpx.ReadError("lost"))
    with pytest.raises(NoConnectionError) as caught:
        nexus.create_thread()
    assert len(server.requests) == 1 and not caught.value.nothing_sent


def test_what_did_not_reach_the_server_is_always_repeated(server: FakeServer, nexus: Nexus) -> None:
    time = "2026-11-29T12:00:00.000Z"
    thread = {"id": "t", "title": "", "turnCount": 0, "createdAt": time, "updatedAt": time}
    server.on("POST /v1/threads", httpx.ConnectError("refused"), reply(201, thread))
    assert nexus.create_thread().id == "t"


def test_the_number_of_attempts_is_bounded(server: FakeServer, nexus: Nexus) -> None:
    server.on(MESSAGES, httpx.ReadError("lost"))
    with pytest.raises(NoConnectionError):
        nexus.post("pier", "hello")
    assert len(server.requests) == 4


def test_a_server_that_asks_for_a_moment_gets_it(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/turns", problem(503, "overloaded", Retry_After="0"), reply(200, {"turns": []}))
    assert nexus.turns().turns == []


def test_a_fault_that_stays_is_not_repeated(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/ask", problem(503, "model_not_configured"))
    with pytest.raises(APIError) as caught:
        nexus.ask("When?")
    assert caught.value.code == "model_not_configured" and len(server.requests) == 1


def test_a_long_wait_is_left_to_the_caller(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/turns", problem(429, "too_many_requests", Retry_After="3600"))
    with pytest.raises(RateLimitedError) as caught:
        nexus.turns()
    assert caught.value.retry_after == 3600 and len(server.requests) == 1


def test_waits_grow_and_are_bounded() -> None:
    policy = RetryPolicy(first_wait=1.0, longest_wait=8.0)
    waits = [policy.backoff(attempt) for attempt in (1, 2, 3, 4, 50)]
    for wait, longest in zip(waits, (1, 2, 4, 8, 8), strict=True):
        assert longest / 2 <= wait <= longest


def test_a_deletion_whose_reply_was_lost_is_done(server: FakeServer, nexus: Nexus) -> None:
    server.on("DELETE /v1/conversations/pier/messages/m1", httpx.ReadError("lost"), problem(404, "message_not_found"))
    nexus.delete_message("pier", "m1")


def test_deleting_nothing_is_an_error(server: FakeServer, nexus: Nexus) -> None:
    with pytest.raises(NotFoundError):
        nexus.delete_message("pier", "m1")


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, InvalidRequestError), (403, ForbiddenError), (404, NotFoundError), (409, ConflictError), (500, APIError)],
)
def test_errors_have_types_codes_and_details(
    server: FakeServer, nexus: Nexus, status: int, kind: type[APIError]
) -> None:
    server.on("GET /v1/settings", problem(status, "some_code", X_Request_Id="r1"))
    with pytest.raises(kind) as caught:
        nexus.request("GET", "/v1/settings")
    error = caught.value
    assert (error.status, error.code, error.detail, error.request_id) == (status, "some_code", "about some_code", "r1")


def test_the_page_of_a_proxy_is_an_error_without_a_code(server: FakeServer) -> None:
    server.on("GET /v1/turns", httpx.Response(502, text="<html>Bad gateway</html>"))
    with pytest.raises(APIError) as caught:
        client(server, token="t").turns()
    assert caught.value.code == "status_502" and len(server.requests) == 4


def test_a_callable_error_is_read_too(server: FakeServer, nexus: Nexus) -> None:
    body = {"error": {"status": "INVALID_ARGUMENT", "message": "m", "details": {"code": "invalid_field", "field": "q"}}}
    server.on("POST /ragQuery", reply(400, body))
    with pytest.raises(InvalidRequestError) as caught:
        nexus.request("POST", "/ragQuery", json={"data": {}})
    assert (caught.value.code, caught.value.field, caught.value.detail) == ("invalid_field", "q", "m")


def test_another_server_is_noticed(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/sync", httpx.Response(200, text="<html>", headers={"Content-Type": "text/html"}))
    with pytest.raises(UnexpectedReplyError):
        nexus.sync()


@pytest.mark.parametrize("id", ["..", ".", "a/../../v1/status", "a?b", "a#b", "ä b", "%2e%2e"])
def test_an_id_never_changes_the_route(server: FakeServer, nexus: Nexus, id: str) -> None:
    with pytest.raises(NotFoundError):
        nexus.conversation(id)
    path = server.requests[0].url.raw_path.decode()
    assert path.startswith("/v1/conversations/") and path.count("/") == 3 and "?" not in path


def test_an_empty_id_is_refused(nexus: Nexus) -> None:
    with pytest.raises(ValueError):
        nexus.conversation("")


def test_filters_are_sent_under_their_names(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/search", reply(200, {"results": [], "noAnswerReason": "nothing_in_scope"}))
    nexus.search("crane", top_k=3, conversation_ids=["pier"], since=datetime(2026, 10, 1, tzinfo=timezone.utc))
    assert server.bodies("POST /v1/search") == [
        {"query": "crane", "topK": 3, "conversationIds": ["pier"], "from": "2026-10-01T00:00:00Z"}
    ]


def test_a_timeline_is_read_as_of_a_day(server: FakeServer, nexus: Nexus) -> None:
    entry = {
        "conversationId": "pier", "conversationName": "Pier", "messageId": "m1", "senderId": "ada", "senderName": "Ada",
        "timestamp": "2026-10-01T09:00:00.000Z", "excerpt": "The launch is on 12 October.", "start": 0, "end": 28,
        "states": [{"kind": "date", "text": "12 October", "value": "2026-10-12"}],
        "replacedBy": {"conversationId": "pier", "messageId": "m2"},
    }
    server.on("POST /v1/timeline", reply(200, {"entries": [entry], "noAnswerReason": "none", "asOf": "2026-10-08"}))
    timeline = nexus.timeline("launch", as_of=date(2026, 10, 8), time_zone="Europe/Berlin")
    assert server.bodies("POST /v1/timeline") == [
        {"subject": "launch", "asOf": "2026-10-08", "timeZone": "Europe/Berlin"}
    ]
    (found,) = timeline.entries
    assert timeline.as_of == "2026-10-08"
    assert found.states[0].value == "2026-10-12"
    assert found.replaced_by is not None and found.replaced_by.message_id == "m2"


def test_the_next_page_of_a_search_is_asked_for_with_the_cursor(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/search", reply(200, {"results": [], "noAnswerReason": "none", "next": "abc"}))
    page = nexus.search("crane", kinds=["image", "link"])
    nexus.search("crane", kinds=["image", "link"], cursor=page.next)
    assert server.bodies("POST /v1/search") == [
        {"query": "crane", "kinds": ["image", "link"]},
        {"query": "crane", "kinds": ["image", "link"], "cursor": "abc"},
    ]


def test_messages_are_saved_and_listed(server: FakeServer, nexus: Nexus) -> None:
    place = "/v1/conversations/pier/messages/m1/saved"
    server.on(f"PUT {place}", reply(201, {"savedAt": "2026-10-01T00:00:00Z"}))
    server.on(f"DELETE {place}", reply(204))
    server.on("GET /v1/saved", reply(200, {"messages": [], "next": 7}))
    nexus.save("pier", "m1")
    nexus.end_saving("pier", "m1")
    assert nexus.saved(limit=2).next == 7
    assert [request.method for request in server.requests] == ["PUT", "DELETE", "GET"]


def test_reminders_are_set_and_ended(server: FakeServer, nexus: Nexus) -> None:
    route = "PUT /v1/conversations/pier/messages/m1/saved"
    server.on(route, reply(200, {"savedAt": "2026-10-01T00:00:00Z"}))
    nexus.save("pier", "m1", remind_at=datetime(2026, 10, 2, tzinfo=timezone.utc))
    nexus.save("pier", "m1", remind_at=None)
    assert server.bodies(route) == [{"remindAt": "2026-10-02T00:00:00Z"}, {"remindAt": None}]


def test_messages_are_scheduled(server: FakeServer, nexus: Nexus) -> None:
    value = {
        "id": "s1",
        "conversationId": "pier",
        "text": "tea?",
        "sendAt": "2026-10-02T00:00:00Z",
        "createdAt": "2026-10-01T00:00:00Z",
        "refusedReason": "missed",
    }
    server.on("POST /v1/conversations/pier/scheduled", reply(201, value))
    server.on("PATCH /v1/scheduled/s1", reply(200, value))
    server.on("GET /v1/scheduled", reply(200, {"messages": [value], "limit": 100}))
    server.on("POST /v1/scheduled/s1/send", reply(201, {"messageId": "s1", "status": "inserted", "seq": 1}))
    server.on("DELETE /v1/scheduled/s1", reply(204))
    at = datetime(2026, 10, 2, tzinfo=timezone.utc)
    nexus.schedule("pier", "tea?", at, id="s1", reply_to="m1")
    nexus.change_scheduled("s1", text="coffee?")
    assert [message.refused_reason for message in nexus.scheduled()] == ["missed"]
    nexus.send_scheduled("s1")
    nexus.delete_scheduled("s1")
    assert server.bodies("POST /v1/conversations/pier/scheduled") == [
        {"id": "s1", "text": "tea?", "sendAt": "2026-10-02T00:00:00Z", "replyTo": "m1"}
    ]
    assert server.bodies("PATCH /v1/scheduled/s1") == [{"text": "coffee?"}]


def test_a_time_without_a_zone_is_refused(nexus: Nexus) -> None:
    with pytest.raises(ValueError):
        nexus.search("crane", since=datetime(2026, 10, 1))


def test_null_resets_and_what_is_not_named_stays(server: FakeServer, nexus: Nexus) -> None:
    route = "PATCH /v1/conversations/pier/preferences"
    server.on(route, reply(200, {"muted": True, "pinned": False, "archived": False}))
    nexus.change_preferences("pier", muted=True, notifications=None)
    assert server.bodies(route) == [{"muted": True, "notifications": None}]


def test_an_address_needs_its_scheme() -> None:
    with pytest.raises(ValueError, match="https://"):
        Nexus("chat.example.com")


def test_all_pages_are_read(server: FakeServer, nexus: Nexus) -> None:
    def page(request: httpx.Request) -> httpx.Response:
        first = 3 if request.url.params.get("before") is None else 1
        messages = [message(f"m{number}", number) for number in (first, first - 1) if number > 0]
        return reply(200, {"messages": messages, "hasOlder": first == 3, "hasNewer": False})

    server.on("GET /v1/conversations/pier/messages", page)
    assert [found.id for found in nexus.all_messages("pier")] == ["m3", "m2", "m1"]


def message(id: str, seq: int, text: str = "hello", conversation: str = "pier") -> dict[str, object]:
    """The JSON of a message."""
    return {
        "id": id, "conversationId": conversation, "senderId": "ada", "senderName": "Ada", "text": text, "kind": "text",
        "timestamp": "2026-11-29T12:00:00.000Z", "seq": seq, "attachments": [], "reactions": [],
    }  # fmt: skip
