"""Twenty calls with a client that a generator made, and what the feed sends: run by generators_client.py.

Usage: generated_calls.py GENERATOR, with the generated package on the path.
"""

import datetime
import io
import json
import os
import sys
import time
import urllib.request

URL = os.environ["CONFORMANCE_URL"]
USER = "gen-" + sys.argv[1] + "-" + str(time.time_ns())
SINCE = datetime.datetime(2026, 9, 1, tzinfo=datetime.timezone.utc)
BYTES = b"\x00\xffplan\r\n"


class Calls:
    """The calls, each with the words of one generator."""

    def __init__(self):
        self.count = 0

    def __call__(self, value):
        """Counts a call; None is what a generated client returns for a reply that it cannot read."""
        assert value is not None
        self.count += 1
        return value


def frames(cursor):
    """The JSON of the frames of the feed, until the message `Edited` comes."""
    request = urllib.request.Request(f"{URL}/v1/feed?cursor={cursor}", headers={"X-Nexus-User": USER})
    found = []
    with urllib.request.urlopen(request, timeout=30) as reply:
        for line in reply:
            assert not line.startswith(b"event: heartbeat"), "the message does not come"
            if line.startswith(b"data: ") and b'"changes"' in line:
                found.append(json.loads(line[6:]))
                if '"Edited"' in json.dumps(found[-1]):
                    return found
    raise AssertionError("the feed ended")


def see(found):
    """Checks that the changes of frames have their content, whatever the generator calls its types."""
    changes = [change for frame in found for change in frame]
    texts = [change.message.text for change in changes if getattr(change, "message", None)]
    assert "Edited" in texts and len(changes) > len(texts), changes


def openapi_python_client():
    """Calls with the package of openapi-python-client."""
    from importlib import import_module

    from nexus_client import Client, models
    from nexus_client.types import File

    client = Client(base_url=URL, raise_on_unexpected_status=True)
    call = Calls()

    def run(tag, operation, *arguments, as_user=True, **options):
        user = {"x_nexus_user": USER} if as_user else {}
        reply = import_module(f"nexus_client.api.{tag}.{operation}").sync_detailed(*arguments, client=client, **user, **options)
        assert reply.status_code in (200, 201, 204), (operation, reply.status_code, reply.content)
        call(reply.parsed if reply.content else True)
        return reply.parsed

    assert run("server", "health", as_user=False).status == "ok"
    cursor = run("live_chat", "sync").cursor
    group = run("conversations", "create_conversation", body=models.NewConversation(
        name="Gen", members=[models.NewMember(user_id=USER, name="Gen"), models.NewMember(user_id="ben", name="Ben")]))
    run("live_chat", "open_direct", body=models.NewDirect(with_="ben"))
    assert run("conversations", "get_conversation", group.id).name == "Gen"
    assert len(run("conversations", "list_conversations").conversations) >= 2
    assert len(run("conversations", "list_members", group.id).members) == 2
    message = models.NewMessage(text="Hello", local_id="g1")
    posted = run("messages", "post_messages", group.id, body=message)
    assert run("messages", "post_messages", group.id, body=message).message_id == posted.message_id
    run("messages", "post_messages", group.id, body=models.NewMessages(messages=[models.NewMessage(text="Two")]))
    run("messages", "edit_message", group.id, posted.message_id, body=models.MessageChange(text="Edited"))
    run("live_chat", "add_reaction", group.id, posted.message_id, "👍")
    assert run("messages", "get_message", group.id, posted.message_id).reactions[0].emoji == "👍"
    run("live_chat", "mark_read", group.id, body=models.ReadMark(up_to=posted.message_id))
    assert run("live_chat", "change_preferences", group.id, body=models.PreferencesChange(muted=True)).muted
    assert run("live_chat", "make_ticket").ticket
    stored = run("live_chat", "upload_file", body=File(payload=io.BytesIO(BYTES)), name="plan.bin")
    assert stored.byte_count == len(BYTES)
    run("messages", "post_messages", group.id, body=models.NewMessage(attachments=[stored.id]))
    assert run("live_chat", "get_file", stored.id).payload.read() == BYTES
    found = run("questions", "search", body=models.Search(query="Hamburg pilot", top_k=2, from_=SINCE)).results
    assert isinstance(found, list)
    answer = run("questions", "ask", body=models.Question(question="When does the Hamburg pilot go live?"))
    assert answer.turn_id and run("turns_and_threads", "list_turns").turns[0].turn_id == answer.turn_id
    see([models.FeedFrame.from_dict(frame).changes for frame in frames(cursor)])
    run("messages", "delete_message", group.id, posted.message_id)
    return call.count


def openapi_generator():
    """Calls with the package of openapi-generator's Python."""
    import openapi_client as api

    client = api.ApiClient(api.Configuration(host=URL), header_name="X-Nexus-User", header_value=USER)
    call = Calls()
    assert call(api.ServerApi(client).health()).status == "ok"
    live, chats, messages = api.LiveChatApi(client), api.ConversationsApi(client), api.MessagesApi(client)
    cursor = call(live.sync()).cursor
    group = call(chats.create_conversation(api.NewConversation(
        name="Gen", members=[api.NewMember(userId=USER, name="Gen"), api.NewMember(userId="ben", name="Ben")])))
    call(live.open_direct(api.NewDirect.from_dict({"with": "ben"})))
    assert call(chats.get_conversation(group.id)).name == "Gen"
    assert len(call(chats.list_conversations()).conversations) >= 2
    assert len(call(chats.list_members(group.id)).members) == 2
    message = api.PostMessagesRequest(api.NewMessage(text="Hello", localId="g1"))
    posted = call(messages.post_messages(group.id, message))
    again = call(messages.post_messages(group.id, message)).actual_instance
    assert again.message_id == posted.message_id
    several = api.NewMessages(messages=[api.NewMessage(text="Two")])
    call(messages.post_messages(group.id, api.PostMessagesRequest(several)))
    call(messages.edit_message(group.id, posted.message_id, api.MessageChange(text="Edited")))
    call(live.add_reaction(group.id, posted.message_id, "👍"))
    assert call(messages.get_message(group.id, posted.message_id)).reactions[0].emoji == "👍"
    call(live.mark_read(group.id, api.ReadMark(upTo=posted.message_id)))
    assert call(live.change_preferences(group.id, api.PreferencesChange(muted=True))).muted
    assert call(live.make_ticket()).ticket
    stored = call(live.upload_file(BYTES, name="plan.bin"))
    assert stored.byte_count == len(BYTES)
    attached = api.NewMessage.from_dict({"attachments": [stored.id]})
    call(messages.post_messages(group.id, api.PostMessagesRequest(attached)))
    assert bytes(call(live.get_file(stored.id))) == BYTES
    questions = api.QuestionsApi(client)
    search = api.Search.from_dict({"query": "Hamburg pilot", "topK": 2, "from": SINCE})
    assert isinstance(call(questions.search(search)).results, list)
    answer = call(questions.ask(api.Question(question="When does the Hamburg pilot go live?")))
    assert call(api.TurnsAndThreadsApi(client).list_turns()).turns[0].turn_id == answer.turn_id
    found = [api.FeedFrame.from_dict(frame).changes for frame in frames(cursor)]
    see([[change.actual_instance for change in changes] for changes in found])
    messages.delete_message(group.id, posted.message_id)
    return call.count


def datamodel_code_generator():
    """Replies and frames, read with the models of datamodel-code-generator; the requests are plain JSON."""
    import httpx
    import nexus_models as models

    client = httpx.Client(base_url=URL, headers={"X-Nexus-User": USER}, timeout=60)
    call = Calls()

    def run(method, path, kind, body=None, **options):
        reply = client.request(method, path, json=body, **options)
        reply.raise_for_status()
        return call(kind.model_validate_json(reply.content))

    models.Alive.model_validate_json(client.get("/health").content)
    cursor = run("GET", "/v1/sync", models.Sync).cursor
    members = [models.NewMember(userId=USER, name="Gen"), models.NewMember(userId="ben", name="Ben")]
    new = models.NewConversation(name="Gen", members=members).model_dump(exclude_none=True, mode="json")
    group = run("POST", "/v1/conversations", models.Conversation, new)
    place = f"/v1/conversations/{group.id}"
    run("POST", "/v1/direct", models.Conversation, {"with": "ben"})
    run("GET", place, models.Conversation)
    run("GET", "/v1/conversations", models.OwnConversationPage)
    run("GET", f"{place}/members", models.MemberPage)
    message = models.NewMessage(text="Hello", localId="g1").model_dump(exclude_none=True, mode="json")
    posted = run("POST", f"{place}/messages", models.MessageOutcome, message)
    run("POST", f"{place}/messages", models.MessageOutcomes, {"messages": [{"text": "Two"}]})
    run("PATCH", f"{place}/messages/{posted.messageId}", models.Message, {"text": "Edited"})
    run("PUT", f"{place}/messages/{posted.messageId}/reactions/👍", models.Message)
    run("GET", f"{place}/messages", models.MessagePage)
    run("GET", f"{place}/messages/{posted.messageId}/reactions", models.ReactionList)
    run("POST", f"{place}/read", models.Receipt, {"upTo": posted.messageId})
    run("GET", f"{place}/receipts", models.ReceiptList)
    run("PATCH", f"{place}/preferences", models.Preferences, {"muted": True})
    run("POST", "/v1/feed/ticket", models.Ticket)
    run("POST", "/v1/files?name=plan.bin", models.StoredFile, content=BYTES)
    run("POST", "/v1/search", models.SearchResults, {"query": "Hamburg pilot"})
    run("POST", "/v1/ask", models.Answer, {"question": "When does the Hamburg pilot go live?"})
    run("GET", "/v1/turns", models.TurnPage)
    found = [models.FeedFrame.model_validate(frame).changes for frame in frames(cursor)]
    see([[getattr(change, "root", change) for change in changes] for changes in found])
    return call.count


count = {
    "openapi-python-client": openapi_python_client,
    "openapi-generator": openapi_generator,
    "datamodel-code-generator": datamodel_code_generator,
}[sys.argv[1]]()
assert count >= 20, count
print(f"{sys.argv[1]}: {count} calls")
