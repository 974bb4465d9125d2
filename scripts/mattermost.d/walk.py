"""Two people of mattermostdriver talk and ask on a Mattermost server in memory; every step is checked."""

import argparse
import asyncio
import json
import logging
import pathlib
import sys
import threading
import time

from mattermostdriver import Driver
from mattermostdriver.exceptions import ResourceNotFound

from server import Mattermost

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "connectors.d"))

from nexus import Nexus, check, done, free_port, pdf, require_pdf_reader, wait_for  # noqa: E402


# The client logs each refusal, of which some are wanted here.
logging.disable(logging.ERROR)


class Person:
    """Somebody with mattermostdriver, who sees what arrives on the live connection."""

    def __init__(self, server, name):
        self.id, _ = server.add_user(name, password=f"{name}-password")
        self.driver = Driver({
            "url": "127.0.0.1", "port": server.port, "scheme": "http", "login_id": name, "password": f"{name}-password",
            "keepalive": True, "keepalive_delay": 1,
        })
        self.driver.login()
        self.seen = []
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self):
        asyncio.set_event_loop(asyncio.new_event_loop())

        async def take(text):
            event = json.loads(text)
            if event.get("event") == "posted":
                self.seen.append(json.loads(event["data"]["post"]))

        self.driver.init_websocket(take)

    def say(self, channel, text, root="", files=()):
        return self.driver.posts.create_post({
            "channel_id": channel, "message": text, "root_id": root, "file_ids": list(files)})["id"]

    def upload(self, channel, name, content):
        return self.driver.files.upload_file(channel, {"files": (name, content)})["file_infos"][0]["id"]


def answer_to(person, question, bot, seconds=60):
    """Waits for the answer of Nexus in the thread of a question."""
    def answer():
        posts = person.driver.posts.get_thread(question)["posts"].values()
        return next((post for post in posts if post["user_id"] == bot), None)

    return wait_for(answer, "no answer came", seconds)


def is_gone(person, post):
    try:
        person.driver.posts.get_post(post)
    except ResourceNotFound:
        return True
    return False


def walk_files(server, nexus, people, bot, channel, conversation):
    """Two files are sent, Nexus is killed, and an answer cites a page of one; returns their post and the file."""
    ada, bob = people
    plan = pdf("The plan of the harbour.", "The spare keys are in the marigold box.", "Nothing else.")
    files = [ada.upload(channel, "plan.pdf", plan), ada.upload(channel, "list.pdf", pdf("Rope", "Paint"))]
    post = ada.say(channel, "our plan", files=files)
    nexus.kill()
    nexus.start()
    file = wait_for(lambda: nexus.file(bob.id, conversation, "plan.pdf"), "the words of the PDF are not read")
    wait_for(lambda: nexus.file(bob.id, conversation, "list.pdf"), "the second file does not come")
    check(nexus.bytes(bob.id, file["id"]) == plan, "killed and started: both files of a post were fetched")
    question = bob.say(channel, "@nexus Where are the spare keys?")
    answer = answer_to(ada, question, bot)
    check(
        "marigold box" in answer["message"] and "page 2 of plan.pdf" in answer["message"]
        and f"/pl/{post})" in answer["message"], "the answer cites page 2 of the PDF, with a link to its post")
    return post, file["id"]


def walk(server, nexus, people, bot):
    ada, bob = people
    channel = ada.driver.channels.create_channel({
        "team_id": server.team["id"], "name": "release", "display_name": "Release", "type": "P"})["id"]
    ada.driver.channels.add_user(channel, {"user_id": bob.id})
    conversation = f"mattermost-{channel}"
    first = ada.say(channel, "The release of the harbour app is on 3 March.")
    ada.driver.posts.patch_post(first, {"message": "The release of the harbour app is on 4 March."})
    secret = ada.say(channel, "My locker code is 7781.")
    ada.driver.posts.delete_post(secret)
    check(nexus.texts(ada.id, conversation) == [], "not invited: nothing is read")
    ada.driver.channels.add_user(channel, {"user_id": bot})
    wait_for(lambda: len(nexus.texts(ada.id, conversation)) == 1, "the history does not arrive")
    check(
        nexus.texts(ada.id, conversation) == ["The release of the harbour app is on 4 March."],
        "invited: the history is there, edited, and without what was deleted")

    begin = time.monotonic()
    plan = bob.say(channel, "Bob tests the payment on Friday.")
    wait_for(lambda: len(nexus.texts(bob.id, conversation)) == 2, "a live post does not arrive")
    done(f"a live post was there after {time.monotonic() - begin:.1f} s")
    reply = bob.say(channel, "With the old card.", root=plan)
    ada.driver.reactions.create_reaction({"user_id": ada.id, "post_id": plan, "emoji_name": "+1"})
    wait_for(lambda: "With the old card." in nexus.texts(bob.id, conversation), "a reply does not arrive")

    server.cut()
    bob.say(channel, "The connection was cut.")
    wait_for(lambda: "The connection was cut." in nexus.texts(ada.id, conversation), "nothing arrives after a cut")
    check(server.resumed == 1, "the live connection was cut, and resumed without loss")

    nexus.kill()
    kept = bob.say(channel, "The demo is in the blue room.")
    ada.driver.posts.patch_post(first, {"message": "The release of the harbour app is on 5 March."})
    bob.driver.posts.delete_post(plan)
    server.cut(forgets=True)
    nexus.start()
    wait_for(
        lambda: "The demo is in the blue room." in nexus.texts(ada.id, conversation),
        "posts of the time after the kill do not arrive")
    texts = nexus.texts(ada.id, conversation)
    check(
        "The release of the harbour app is on 5 March." in texts and "Bob tests the payment on Friday." not in texts
        and "With the old card." not in texts,
        "killed and started: edits and deletions of that time are found, replies of a deleted thread too")
    check(is_gone(bob, reply), "the server agrees")

    # The driver waits a second before it connects again.
    wait_for(lambda: server.is_live(ada.id), "Ada's live connection does not come back")
    question = bob.say(channel, "@nexus When is the release of the harbour app?")
    answer = answer_to(ada, question, bot)
    link = f"https://chat.example.org/crew/pl/{first}"
    check("5 March" in answer["message"] and link in answer["message"], "the answer cites the right post with a link")
    check(answer["root_id"] == question, "it is in the thread of the question")
    wait_for(
        lambda: any(post["id"] == answer["id"] for post in ada.seen), "Ada does not see the answer on her live connection")
    time.sleep(2)
    answers = [post for post in server.posts.values() if post["user_id"] == bot and post["root_id"]]
    check(len(answers) == 1, "it was sent once, and Nexus does not answer itself")

    post, file = walk_files(server, nexus, people, bot, channel, conversation)

    ada.driver.posts.patch_post(first, {"message": "The release of the harbour app is on 6 March."})
    wait_for(lambda: is_gone(ada, answer["id"]), "the answer stays")
    note = answer_to(ada, question, bot)
    check(
        "was withdrawn" in note["message"]
        and not [post for post in server.posts.values() if post["user_id"] == bot and post["original_id"]],
        "its source was edited: the answer is deleted, a note is in the thread, and no post keeps an earlier text")
    ada.driver.posts.delete_post(first)
    wait_for(lambda: is_gone(ada, note["id"]), "the note stays")
    done("its source was deleted: the note is deleted too")

    check(nexus.found(bob.id, "Where is the demo?") != [], "Bob finds where the demo is")
    ada.driver.channels.remove_channel_member(channel, bob.id)
    wait_for(lambda: nexus.texts(bob.id, conversation) == [], "Bob still reads the channel")
    check(
        nexus.found(bob.id, "Where is the demo?") == [] and nexus.found(bob.id, "spare keys") == []
        and nexus.bytes(bob.id, file) is None,
        "removed: Bob finds nothing of the channel any more, and gets no file")
    check(nexus.found(ada.id, "Where is the demo?") != [] and nexus.bytes(ada.id, file), "Ada still does")

    ada.driver.posts.delete_post(post)
    wait_for(lambda: nexus.bytes(ada.id, file) is None, "the file stays")
    check(
        not any("marigold" in str(hit) for hit in nexus.hits(ada.id, "Where are the spare keys?")),
        "the post of the PDF was deleted: the file and its words are gone")

    count = len([
        post for post in server.posts.values() if post["channel_id"] == channel and not post["original_id"]])
    lines = [line for line in nexus.status() if channel in line]
    # Nexus sees what was deleted before it came only if that was a moment ago.
    check(
        lines and any(f"{number} posts read" in lines[0] for number in (count, count - 1)),
        f"all {count} posts are counted, except what was deleted before")
    for line in nexus.status():
        done(line)
    return kept


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nexus", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--serve", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    require_pdf_reader()
    server = Mattermost(free_port())
    server.start()
    bot, token = server.add_user("nexus", is_bot=True)
    nexus = Nexus(options.nexus, folder / "data", "mattermost")
    nexus.connect({"mattermost.url": server.url, "mattermost.token": token})
    try:
        nexus.start()
        walk(server, nexus, [Person(server, "ada"), Person(server, "bob")], bot)
        print("Mattermost works.")
        if options.serve:
            print(f"Mattermost {server.url} (ada, ada-password), Nexus {nexus.url}; end with Ctrl-C")
            threading.Event().wait()
    except BaseException:
        log = folder / "nexus.log"
        if log.exists():
            print(log.read_text()[-4000:])
        raise
    finally:
        nexus.stop()


main()
