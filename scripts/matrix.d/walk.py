"""Two people of matrix-nio talk and ask on a real homeserver; every step is checked."""

import argparse
import asyncio
import pathlib
import time

from nio import AsyncClient, RoomPreset

from homeserver import SERVER, Homeserver
from nexus import Nexus, call, check, done, pdf, require_pdf_reader, wait_for

BOT = f"@nexus:{SERVER}"


async def send(client, room, text, **more):
    reply = await client.room_send(room, "m.room.message", {"msgtype": "m.text", "body": text, **more})
    return reply.event_id


async def send_file(client, room, path, kind, caption):
    with open(path, "rb") as file:
        reply, _ = await client.upload(file, content_type=kind, filename=path.name, filesize=path.stat().st_size)
    return await send(
        client, room, caption, msgtype="m.file", filename=path.name, url=reply.content_uri,
        info={"mimetype": kind, "size": path.stat().st_size})


async def answer_to(client, room, question, seconds=60, unlike=None):
    """Waits for the answer of Nexus in the thread of a question; for another one than `unlike`."""
    since = None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        reply = await client.sync(timeout=500, since=since, full_state=False)
        since = reply.next_batch
        joined = reply.rooms.join.get(room)
        for event in joined.timeline.events if joined else []:
            content = event.source["content"]
            relation = content.get("m.relates_to", {})
            if event.sender == BOT and relation.get("event_id") == question and event.event_id != unlike:
                return event.event_id, content
    raise SystemExit("failed: no answer came")


async def walk_file(nexus, people, room, conversation, folder):
    """A PDF is sent, Nexus is killed, and an answer cites a page of it; returns the file."""
    ada, bob = people
    path = folder / "plan.pdf"
    path.write_bytes(pdf("The plan of the harbour.", "The spare keys are in the marigold box.", "Nothing else."))
    event = await send_file(ada, room, path, "application/pdf", "our plan")
    nexus.kill()
    nexus.start()
    file = wait_for(lambda: nexus.file(bob.user_id, conversation, "plan.pdf"), "the words of the PDF are not read")
    check(nexus.bytes(bob.user_id, file["id"]) == path.read_bytes(), "killed and started: the PDF was fetched")
    question = await send(
        bob, room, f"{BOT} Where are the spare keys?", **{"m.mentions": {"user_ids": [BOT]}})
    _, content = await answer_to(bob, room, question)
    link = f"https://matrix.to/#/{room.replace('!', '%21')}/{event.replace('$', '%24')}?via={SERVER}"
    check(
        "marigold box" in content["body"] and "page 2 of plan.pdf" in content["body"] and link in content["body"],
        "the answer cites page 2 of the PDF, with a link to its message")
    return event, file["id"]


def own_texts(homeserver, reader, room, event, word):
    """What Nexus wrote in a room, as its history, the relations of an event and the search for a word show it."""
    url, quoted, token = f"{homeserver.url}/_matrix/client", room.replace("!", "%21"), reader.access_token
    events = call("GET", f"{url}/v3/rooms/{quoted}/messages?dir=b&limit=1000", token=token)["chunk"]
    for relation in ["", "/m.replace", "/m.thread"]:
        related = f"{url}/v1/rooms/{quoted}/relations/{event.replace('$', '%24')}{relation}?limit=100"
        events += call("GET", related, token=token)["chunk"]
    body = {"search_categories": {"room_events": {"search_term": word, "filter": {"limit": 100}}}}
    found = call("POST", f"{url}/v3/search", body, token=token)["search_categories"]["room_events"]["results"]
    events += [one["result"] for one in found]
    return [str(one["content"]) for one in events if one["sender"] == BOT and one["type"] == "m.room.message"]


async def walk_withdrawal(homeserver, nexus, people, room, first):
    """An answer whose source is edited while Nexus is away; an earlier version of Nexus had edited the answer itself."""
    ada, bob = people
    question = await send(
        bob, room, f"{BOT} When is the release of the harbour app?", **{"m.mentions": {"user_ids": [BOT]}})
    answer, content = await answer_to(bob, room, question)
    url = f"{homeserver.url}/_matrix/client/v3/rooms/{room.replace('!', '%21')}"
    for number in range(3):
        text = f"Not the 4 March, {number}"
        call("PUT", f"{url}/send/m.room.message/edit-{number}", {
            "msgtype": "m.notice", "body": f"* {text}", "m.new_content": {"msgtype": "m.notice", "body": text},
            "m.relates_to": {"rel_type": "m.replace", "event_id": answer},
        }, token=homeserver.as_token)
    before = own_texts(homeserver, ada, room, answer, "March")
    check(
        len([text for text in before if "4 March" in text]) >= 10,
        "the answer and its edits are in the history, the relations and the search")
    nexus.kill()
    await send(ada, room, "* The release of the harbour app is on 5 March.", **{
        "m.new_content": {"msgtype": "m.text", "body": "The release of the harbour app is on 5 March."},
        "m.relates_to": {"rel_type": "m.replace", "event_id": first},
    })
    nexus.start()
    note, content = await answer_to(bob, room, question, unlike=answer)
    check(
        "was withdrawn" in content["body"] and content["m.relates_to"]["m.in_reply_to"]["event_id"] == question,
        "its source was edited: a note is in the thread, and answers the question")
    texts = [
        text for event in [answer, note, question] for text in own_texts(homeserver, ada, room, event, "March")]
    check(
        texts and not any("4 March" in text for text in texts),
        "neither the history nor relations nor the search have a text of the answer")
    return note


async def walk_space(homeserver, nexus, people, room, conversation):
    """Nexus is invited to a space with the room, and somebody knocks at the room."""
    ada, bob = people
    url = f"{homeserver.url}/_matrix/client/v3"
    space = call("POST", f"{url}/createRoom", {
        "name": "Harbour", "creation_content": {"type": "m.space"}, "invite": [bob.user_id, BOT],
    }, token=ada.access_token)["room_id"]
    quoted = f"{url}/rooms/{space.replace('!', '%21')}"
    call("PUT", f"{quoted}/state/m.space.child/{room.replace('!', '%21')}", {"via": [SERVER]}, token=ada.access_token)
    wait_for(
        lambda: BOT in call("GET", f"{quoted}/joined_members", token=ada.access_token)["joined"],
        "Nexus does not come to the space")
    await send(ada, space, "Nobody talks in a space.")
    call(
        "PUT", f"{url}/rooms/{room.replace('!', '%21')}/state/m.room.join_rules/", {"join_rule": "knock"},
        token=ada.access_token)
    eve = homeserver.register("eve")
    call("POST", f"{url}/knock/{room.replace('!', '%21')}", {"reason": "May I?"}, token=eve)
    await send(ada, room, "Somebody knocks.")
    wait_for(
        lambda: "Somebody knocks." in nexus.texts(ada.user_id, conversation), "nothing arrives after a knock")
    check(nexus.texts(f"@eve:{SERVER}", conversation) == [], "somebody knocks, and reads nothing")
    call("POST", f"{url}/rooms/{room.replace('!', '%21')}/kick", {"user_id": f"@eve:{SERVER}"}, token=ada.access_token)
    nexus.kill()
    nexus.start()
    await send(ada, room, "Nobody knocks any more.")
    wait_for(
        lambda: "Nobody knocks any more." in nexus.texts(ada.user_id, conversation), "nothing arrives after the start")
    check(nexus.texts(f"@eve:{SERVER}", conversation) == [], "refused: still nothing")
    check(
        not any(space in line for line in nexus.status())
        and nexus.texts(ada.user_id, f"matrix-{space}".replace("!", "%21")) == [],
        "the space is no conversation")


async def walk_upgrade(homeserver, nexus, people, room, conversation):
    """The room is upgraded; Bob, who was removed from the old one, comes to the new one."""
    ada, bob = people
    before = nexus.texts(ada.user_id, conversation)
    url = f"{homeserver.url}/_matrix/client/v3/rooms/{room.replace('!', '%21')}/upgrade"
    new = call("POST", url, {"new_version": "12"}, token=ada.access_token)["replacement_room"]
    await ada.room_invite(new, bob.user_id)
    await bob.join(new)
    await send(ada, new, "We moved to the new room.")
    await ada.room_invite(new, BOT)
    wait_for(
        lambda: "We moved to the new room." in nexus.texts(ada.user_id, conversation),
        "the upgraded room is another conversation")
    check(
        sorted(nexus.texts(ada.user_id, conversation)) == sorted([*before, "We moved to the new room."]),
        "upgraded: both rooms are one conversation")
    wait_for(lambda: nexus.texts(bob.user_id, conversation), "Bob does not read the new room")
    check(
        nexus.texts(bob.user_id, conversation) == ["We moved to the new room."],
        "Bob, who is in the new room only, reads nothing of the old one")


async def walk(homeserver, nexus, people, folder):
    ada, bob = people
    room = (await ada.room_create(
        name="Release", preset=RoomPreset.private_chat, invite=[bob.user_id])).room_id
    await bob.join(room)
    conversation = f"matrix-{room}".replace("!", "%21")
    first = await send(ada, room, "The release of the harbour app is on 3 March.")
    await send(ada, room, "* The release of the harbour app is on 4 March.", **{
        "m.new_content": {"msgtype": "m.text", "body": "The release of the harbour app is on 4 March."},
        "m.relates_to": {"rel_type": "m.replace", "event_id": first},
    })
    secret = await send(ada, room, "My locker code is 7781.")
    await ada.room_redact(room, secret)
    await ada.room_invite(room, BOT)
    wait_for(lambda: len(nexus.texts(ada.user_id, conversation)) == 1, "the history does not arrive")
    check(
        nexus.texts(ada.user_id, conversation) == ["The release of the harbour app is on 4 March."],
        "invited: the history is there, edited, and without what was deleted")

    await send(bob, room, "Bob tests the payment on Friday.")
    wait_for(lambda: len(nexus.texts(bob.user_id, conversation)) == 2, "a live message does not arrive")
    done("a live message arrived")

    nexus.kill()
    lost = await send(bob, room, "Forget this line.")
    kept = await send(bob, room, "The demo is in the blue room.")
    await bob.room_redact(room, lost)
    nexus.start()
    wait_for(
        lambda: "The demo is in the blue room." in nexus.texts(ada.user_id, conversation),
        "messages of the time after the kill do not arrive")
    check(
        "Forget this line." not in nexus.texts(ada.user_id, conversation),
        "killed and started: nothing is lost, and what was deleted meanwhile is gone")

    question = await send(
        bob, room, f"{BOT} When is the release of the harbour app?", **{"m.mentions": {"user_ids": [BOT]}})
    answer, content = await answer_to(bob, room, question)
    link = f"https://matrix.to/#/{room.replace('!', '%21')}/{first.replace('$', '%24')}?via={SERVER}"
    check("4 March" in content["body"] and link in content["body"], "the answer cites the right message")
    check(content["m.relates_to"]["rel_type"] == "m.thread", "it is in the thread of the question")
    check(content["msgtype"] == "m.notice", "it is a notice, which bots do not answer")

    event, file = await walk_file(nexus, people, room, conversation, folder)

    note = await walk_withdrawal(homeserver, nexus, people, room, first)
    await ada.room_redact(room, first)
    token, quoted = ada.access_token, note.replace("$", "%24")
    url = f"{homeserver.url}/_matrix/client/v3/rooms/{room.replace('!', '%21')}/event/{quoted}"
    wait_for(lambda: call("GET", url, token=token)["content"] == {}, "the note stays")
    wait_for(
        lambda: not any("withdrawn" in text for text in own_texts(homeserver, ada, room, note, "withdrawn")),
        "a note stays")
    done("its source was deleted: the note is deleted too")

    check(nexus.found(bob.user_id, "Where is the demo?") != [], "Bob finds where the demo is")
    await ada.room_kick(room, bob.user_id)
    wait_for(lambda: nexus.texts(bob.user_id, conversation) == [], "Bob still reads the room")
    check(
        nexus.found(bob.user_id, "Where is the demo?") == [] and nexus.found(bob.user_id, "spare keys") == []
        and nexus.bytes(bob.user_id, file) is None,
        "removed: Bob finds nothing of the room any more, and gets no file")
    check(len(nexus.texts(ada.user_id, conversation)) >= 2 and nexus.bytes(ada.user_id, file), "Ada still does")

    await ada.room_redact(room, event)
    wait_for(lambda: nexus.bytes(ada.user_id, file) is None, "the file stays")
    check(
        not any("marigold" in str(hit) for hit in nexus.hits(ada.user_id, "Where are the spare keys?")),
        "the message of the PDF was deleted: the file and its words are gone")

    page = await ada.room_messages(room, start="", limit=1000)
    lines = [line for line in nexus.status() if room in line]
    check(lines and f"{len(page.chunk)} events read" in lines[0], f"all {len(page.chunk)} events are counted")
    await walk_space(homeserver, nexus, people, room, conversation)
    await walk_upgrade(homeserver, nexus, people, room, conversation)
    for line in nexus.status():
        done(line)
    return kept


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nexus", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--serve", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    require_pdf_reader()
    nexus = Nexus(options.nexus, folder / "data", "matrix")
    homeserver = Homeserver(folder / "homeserver", nexus.url)
    nexus.connect({
        "matrix.homeserver-url": homeserver.url, "matrix.user": BOT, "matrix.as-token": homeserver.as_token,
        "matrix.hs-token": homeserver.hs_token,
    })
    people = []
    try:
        homeserver.start()
        nexus.start()
        for name in ["ada", "bob"]:
            client = AsyncClient(homeserver.url, f"@{name}:{SERVER}")
            client.user_id, client.access_token = f"@{name}:{SERVER}", homeserver.register(name)
            people.append(client)
        await walk(homeserver, nexus, people, folder)
        print("Matrix works.")
        if options.serve:
            print(f"Homeserver {homeserver.url}, Nexus {nexus.url}; end with Ctrl-C")
            await asyncio.Event().wait()
    except BaseException:
        log = folder / "nexus.log"
        if log.exists():
            print(log.read_text()[-4000:])
        raise
    finally:
        for client in people:
            await client.close()
        nexus.stop()
        homeserver.stop()


asyncio.run(main())
