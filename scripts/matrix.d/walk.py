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


async def answer_to(client, room, question, seconds=60):
    """Waits for the answer of Nexus in the thread of a question."""
    since = None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        reply = await client.sync(timeout=500, since=since, full_state=False)
        since = reply.next_batch
        joined = reply.rooms.join.get(room)
        for event in joined.timeline.events if joined else []:
            content = event.source["content"]
            relation = content.get("m.relates_to", {})
            if event.sender == BOT and relation.get("event_id") == question:
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

    await ada.room_redact(room, first)
    token, quoted = ada.access_token, answer.replace("$", "%24")
    url = f"{homeserver.url}/_matrix/client/v3/rooms/{room.replace('!', '%21')}/event/{quoted}"
    wait_for(lambda: call("GET", url, token=token)["content"] == {}, "the answer stays")
    done("its source was deleted: the answer is deleted too")

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
