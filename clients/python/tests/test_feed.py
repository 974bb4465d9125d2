"""The feed: resuming, gaps, snapshots; and a conversation that is shown live."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from conftest import Answer, FakeServer, client, problem, reply, stream
from test_requests import message

from nexus_chat import Nexus, RetryPolicy, SignedOutError, UnexpectedReplyError
from nexus_chat._events import EventParser
from nexus_chat._position import Position
from nexus_chat._sync import _feed
from nexus_chat.events import (
    AnswerOutdated,
    ConnectionChanged,
    Frame,
    MessageChanged,
    PresenceChanged,
    Snapshot,
    UnknownChange,
)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    monkeypatch.setattr(_feed, "sleep", waits.append)
    return waits


def sync(cursor: str = "log-0") -> httpx.Response:
    return reply(200, {"cursor": cursor, "conversations": [], "notifications": [], "settings": {}})


def frame(prev: int, pos: int, *changes: dict[str, Any], **more: Any) -> tuple[str, dict[str, Any]]:
    value = {"v": 1, "lane": 0, "prev": prev, "pos": pos, "cursor": f"log-{pos}", "changes": list(changes), **more}
    return "frame", value


def posted(id: str, seq: int, text: str = "hello") -> dict[str, Any]:
    return {"type": "message", "message": message(id, seq, text)}


OPENED = ("stream", {"stream": "s1"})
REFUSED = problem(401, "session_ended")


def events_of(nexus: Nexus, cursor: str | None = None) -> list[Any]:
    """All events until the person is signed out."""
    found: list[Any] = []
    with pytest.raises(SignedOutError), nexus.follow(cursor, receipts=False) as feed:
        for event in feed:
            found.append(event)
    return found


def cursors(server: FakeServer) -> list[str | None]:
    return [request.url.params.get("cursor") for request in server.asked("GET /v1/feed")]


def test_a_snapshot_comes_first_and_the_feed_continues_from_it(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/sync", sync("log-4"))
    server.on("GET /v1/feed", stream(OPENED, frame(4, 5, posted("m1", 1))), REFUSED)

    snapshot, connected, found, lost = events_of(nexus)

    assert isinstance(snapshot, Snapshot) and isinstance(found, Frame)
    assert connected == ConnectionChanged(is_connected=True) and not lost.is_connected
    assert isinstance(found.changes[0], MessageChanged) and found.changes[0].message.text == "hello"
    assert cursors(server) == ["log-4", "log-5"]


def test_what_comes_twice_is_given_once(server: FakeServer, nexus: Nexus) -> None:
    twice = stream(OPENED, frame(0, 1, posted("m1", 1)), frame(0, 1, posted("m1", 1)))
    server.on("GET /v1/feed", twice, stream(OPENED, frame(0, 1, posted("m1", 1)), frame(1, 2)), REFUSED)
    frames = [event for event in events_of(nexus, "log-0") if isinstance(event, Frame)]
    assert [event.cursor for event in frames] == ["log-1", "log-2"]


def test_a_gap_is_asked_for_again_and_then_answered_by_a_snapshot(server: FakeServer, nexus: Nexus) -> None:
    gap = stream(OPENED, frame(7, 8, posted("m8", 8)))
    server.on("GET /v1/sync", sync("log-8"))
    server.on("GET /v1/feed", gap, gap, stream(OPENED, frame(8, 9)), REFUSED)

    events = events_of(nexus, "log-5")

    assert cursors(server) == ["log-5", "log-5", "log-8", "log-9"]
    assert [type(event) for event in events if not isinstance(event, ConnectionChanged)] == [Snapshot, Frame]


def test_a_gap_that_is_filled_needs_no_snapshot(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/feed", stream(OPENED, frame(6, 7)), stream(OPENED, frame(5, 6), frame(6, 7)), REFUSED)
    frames = [event for event in events_of(nexus, "log-5") if isinstance(event, Frame)]
    assert [event.cursor for event in frames] == ["log-6", "log-7"] and not server.asked("GET /v1/sync")


def test_a_cursor_of_another_log_begins_with_a_snapshot(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/sync", sync("new-0"))
    server.on("GET /v1/feed", stream(OPENED, ("resync", {"reason": "cursor_expired"})), REFUSED)
    assert any(isinstance(event, Snapshot) for event in events_of(nexus, "old-9"))
    assert cursors(server) == ["old-9", "new-0"]


def test_a_heartbeat_moves_the_cursor(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/feed", stream(OPENED, ("heartbeat", {"cursor": "log-9"})), REFUSED)
    events_of(nexus, "log-0")
    assert cursors(server) == ["log-0", "log-9"]


def test_a_server_that_is_away_is_tried_again_with_growing_waits(
    server: FakeServer, no_waiting: list[float]
) -> None:
    nexus = client(server, token="t")
    nexus._retries = RetryPolicy(attempts=1)
    away: list[Answer] = [httpx.ConnectError("refused"), httpx.ReadError("lost"), problem(503, "shutting_down", Retry_After="60")]
    server.on("GET /v1/feed", *away, REFUSED)

    events = events_of(nexus, "log-0")

    assert [event.is_connected for event in events] == [False] * 3
    assert no_waiting[0] <= 1 and no_waiting[1] <= 2 and no_waiting[2] == 60


def test_an_expired_token_is_no_end(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/feed", stream(OPENED, ("end", {"reason": "token_expired"})), stream(OPENED), REFUSED)
    assert [event.is_connected for event in events_of(nexus, "log-0")] == [True, False, True, False]


def test_an_erased_person_is_signed_out(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/feed", stream(OPENED, ("end", {"reason": "user_erased"})))
    with pytest.raises(SignedOutError) as caught:
        list(nexus.follow("log-0"))
    assert caught.value.reason == "user_erased"


def test_a_refusal_that_stays_is_an_error(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/feed", problem(403, "role_required"))
    with pytest.raises(Exception, match="role_required"):
        list(nexus.follow("log-0"))


def test_a_frame_that_cannot_be_read_is_no_reason_to_connect_for_ever(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/feed", stream(OPENED, frame(0, 1, {"type": "message", "message": {"id": 1}})))
    with pytest.raises(UnexpectedReplyError, match=r"Message\.id"):
        list(nexus.follow("log-0"))
    assert len(cursors(server)) == 1


def test_changes_are_typed_and_newer_ones_kept(server: FakeServer, nexus: Nexus) -> None:
    by = {"conversationId": "pier", "messageId": "m9"}
    changes: list[dict[str, Any]] = [{"type": "outdated", "turnId": "t1", "by": by}, {"type": "later", "x": 1}]
    people = {"people": [{"userId": "ben", "status": "online"}]}
    server.on("GET /v1/feed", stream(OPENED, frame(0, 1, *changes), ("presence", people), ("newer", {})), REFUSED)

    _, found, presence, _ = events_of(nexus, "log-0")

    outdated, unknown = found.changes
    assert isinstance(outdated, AnswerOutdated) and outdated.by.message_id == "m9"
    assert unknown == UnknownChange(type="later", data=changes[1])
    assert isinstance(presence, PresenceChanged) and presence.people[0].status == "online"


def test_a_frame_counts_when_the_next_event_is_asked_for(server: FakeServer, nexus: Nexus) -> None:
    server.on("GET /v1/feed", stream(OPENED, frame(0, 1), frame(1, 2)))
    with nexus.follow("log-0", receipts=False) as feed:
        for event in feed:
            if isinstance(event, Frame):
                break
    assert feed.cursor == "log-0"


def test_receipts_say_what_arrived(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/feed/ack", reply(204))
    server.on("GET /v1/feed", stream(OPENED, frame(0, 1), frame(1, 2)), REFUSED)
    with pytest.raises(SignedOutError):
        list(nexus.follow("log-0"))
    # At most one in two seconds.
    assert server.bodies("POST /v1/feed/ack") == [{"cursor": "log-1"}]


def test_what_is_on_the_screen_is_said_again_after_a_break(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/feed/say", reply(204))
    server.on("GET /v1/feed", stream(OPENED), stream(("stream", {"stream": "s2"})), REFUSED)
    with pytest.raises(SignedOutError), nexus.follow("log-0", receipts=False) as feed:
        feed.open_conversation("pier")
        feed.typing("pier")  # There is no connection yet.
        list(feed)
    expected = [{"type": "open", "conversationId": "pier", "stream": id} for id in ("s1", "s2")]
    assert server.bodies("POST /v1/feed/say") == expected


def test_a_conversation_is_shown_live(server: FakeServer, nexus: Nexus) -> None:
    page = {"messages": [message("m2", 2), message("m1", 1)], "hasOlder": False, "hasNewer": False}
    server.on("GET /v1/sync", sync("log-0"))
    server.on("GET /v1/conversations/pier/messages", reply(200, page))
    server.on("POST /v1/feed/say", reply(204))
    server.on(
        "GET /v1/feed",
        stream(
            OPENED,
            frame(0, 1, posted("m3", 3, "new")),
            frame(1, 2, {"type": "receipt", "conversationId": "pier", "receipt": receipt()}),
            frame(2, 3, posted("m1", 1, "edited"), {"type": "message", "message": message("x", 1, "?", "other")}),
            frame(3, 4, {"type": "deletion", "conversationId": "pier", "messageId": "m2"}),
            frame(4, 5, {"type": "departure", "conversationId": "pier"}),
        ),
    )
    with nexus.watch_conversation("pier") as live:
        shown = [[f"{found.id} {found.text}" for found in messages] for messages in live]
    assert shown == [
        ["m1 hello", "m2 hello"],
        ["m1 hello", "m2 hello", "m3 new"],
        ["m1 edited", "m2 hello", "m3 new"],
        ["m1 edited", "m3 new"],
        [],
    ]


def test_a_conversation_that_changed_too_much_is_loaded_again(server: FakeServer, nexus: Nexus) -> None:
    first = {"messages": [message("m1", 1)], "hasOlder": False, "hasNewer": False}
    second = {"messages": [message("m900", 900)], "hasOlder": True, "hasNewer": False}
    server.on("GET /v1/sync", sync("log-0"))
    server.on("GET /v1/conversations/pier/messages", reply(200, first), reply(200, second))
    server.on("POST /v1/feed/say", reply(204))
    server.on("GET /v1/feed", stream(OPENED, frame(0, 1, limited=["pier"])), REFUSED)
    shown: list[list[str]] = []
    with pytest.raises(SignedOutError), nexus.watch_conversation("pier") as live:
        for messages in live:
            shown.append([found.id for found in messages])
    assert shown == [["m1"], ["m900"]]


def receipt() -> dict[str, Any]:
    return {"userId": "ben", "deliveredSeq": 1, "readSeq": 1, "joinedSeq": 0}


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_are_read_in_any_pieces(size: int, end: str) -> None:
    text = ":comment\n\nid: 1\nevent: a\ndata: x\u2028y\x85\ndata:z\n\ndata\n\nevent: none\n\nid: 2\ndata: ü\n\ndata: cut"
    data = text.replace("\n", end).encode()
    parser = EventParser()
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    found = [(event.name, event.data, event.id) for piece in pieces for event in parser.feed(piece)]
    assert found == [("a", "x\u2028y\x85\nz", "1"), ("message", "", "1"), ("message", "ü", "2")]


def test_positions_of_several_lanes_are_told_apart() -> None:
    position = Position.read("a-b-3.8")
    assert position == Position("a-b", (3, 8)) and Position.read("nothing") is None and Position.read("a-x") is None
    assert position.place_of({"lane": 1, "prev": 8, "pos": 9}) == "next"
    assert position.place_of({"lane": 0, "prev": 8, "pos": 9}) == "gap"
    assert position.place_of({"prev": 2, "pos": 3}) == "known"
    assert position.place_of({"lane": 5, "prev": 0, "pos": 1}) == "gap"


def test_a_page_instead_of_a_stream_is_noticed(server: FakeServer, nexus: Nexus) -> None:
    server.on("POST /v1/ask", reply(200, {"answer": ""}))
    with pytest.raises(UnexpectedReplyError), nexus.ask_stream("When?") as answer:
        answer.complete()


def test_frames_are_json() -> None:
    parser = EventParser()
    (event,) = parser.feed(f"data: {json.dumps(frame(0, 1)[1])}\n\n".encode())
    assert json.loads(event.data)["pos"] == 1
