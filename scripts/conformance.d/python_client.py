"""The Python client of this repository: its own tests and types, and its examples as a stranger would run them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from nexus_chat import FileSessionStore, Nexus, SignedOutError
from nexus_chat.events import AnswerChecked, Answered, Frame, MessageChanged, Snapshot, SourcesFound, TextAdded

CLIENT = Path(__file__).resolve().parent.parent.parent / "clients" / "python"
PROGRAM = os.environ["CONFORMANCE_NEXUS"]
TEXT = "The launch moves to Friday, the pier is booked."


def check(*command):
    """Runs a tool in the folder of the client."""
    subprocess.run([sys.executable, "-m", *command], cwd=CLIENT, check=True)


class Team:
    """A server with accounts, and a person who runs examples in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.settings = ["--data", str(self.folder / "team"), "--set", "http.host=127.0.0.1", "--log-level", "error"]
        self.settings += ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]
        self.links = {user: self.invite(user) for user in ("ada", "ben")}
        self.log = open(self.folder / "log", "w+")
        self.server = self.serve("0")
        self.url = self.address()

    def invite(self, user):
        command = [PROGRAM, "accounts", "invite", user, "--name", user.title(), *self.settings]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def serve(self, port):
        return subprocess.Popen([PROGRAM, "serve", *self.settings, "--port", port], stdout=self.log, stderr=self.log)

    def address(self):
        for _ in range(600):
            found = re.search(r"listening on (\S+)", (self.folder / "log").read_text())
            if found:
                return found[1]
            assert self.server.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def restart(self):
        """Kills the server, and starts it again on the same port."""
        self.server.kill()
        self.server.wait()
        self.server = self.serve(self.url.rsplit(":", 1)[1])

    def stop(self):
        self.server.kill()
        self.server.wait()
        self.log.close()

    def start(self, person, example, *arguments):
        """Starts an example in the folder of a person."""
        place = self.folder / person
        place.mkdir(exist_ok=True)
        environment = {**os.environ, "NEXUS_URL": self.url, "NEXUS_PASSWORD": f"correct horse {person}"}
        command = [sys.executable, str(CLIENT / "examples" / example), *arguments]
        return subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE, text=True)

    def run(self, person, example, *arguments):
        """Runs an example, and returns what it prints."""
        process = self.start(person, example, *arguments)
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0, f"{example} failed"
        return output


def until(process, text):
    """Reads what a program prints until a line has the text."""
    for line in process.stdout:
        if text in line:
            return
    raise AssertionError(f"the example ended before {text!r}")


def examples(team):
    """The way of the README: sign in, write, see it live, ask; then the other examples."""
    assert "signed in as Ada" in team.run("ada", "sign_in.py", team.links["ada"])
    assert "signed in as Ben" in team.run("ben", "sign_in.py", team.links["ben"])
    assert "signed in as Ada" in team.run("ada", "sign_in.py", "ada")
    written = team.run("ada", "post.py", "Launch", "ben", TEXT)
    launch = written.split()[0]
    assert written.strip().endswith("has message 1"), written

    live, follow = team.start("ben", "live.py", launch), None
    try:
        until(live, f"Ada: {TEXT}")
        team.run("ada", "post.py", "Launch", "ben", "Who brings the rope?")
        until(live, "Who brings the rope?")
    finally:
        live.kill()
    answer = team.run("ada", "ask.py", "When is the launch?")
    assert "messages found" in answer and f"[1] Ada: {TEXT}" in answer, answer

    (team.folder / "ada" / "plan.txt").write_text("Friday")
    team.run("ada", "files.py", launch, "plan.txt")
    assert (team.folder / "ada" / "copy-of-plan.txt").read_text() == "Friday"
    for example, arguments, text in (("items.py", [launch], "0 items changed"), ("follow.py", [], "Snapshot")):
        follow = team.start("ben", example, *arguments)
        try:
            until(follow, text)
        finally:
            follow.kill()
    return launch


def walk(team, launch):
    """What an application does with the client, over a server that is killed meanwhile."""
    ada = Nexus(team.url, session_store=FileSessionStore(team.folder / "ada" / "session.json"))
    ben = Nexus(team.url, session_store=FileSessionStore(team.folder / "ben" / "session.json"))
    assert ada.me().user_id == "ada" and "ada" in [person.user_id for person in ben.find_people("ad")]
    with ben.follow() as feed:
        events = iter(feed)
        assert isinstance(next(events), Snapshot)
        first = ada.post(launch, "before the break", local_id="walk-1")
        see(events, "before the break")
        team.restart()
        posting = threading.Thread(target=post_when_up, args=(ada, launch))
        posting.start()
        see(events, "after the break")
        posting.join()
        assert ada.post(launch, "before the break", local_id="walk-1").message_id == first.message_id
        ada.edit_message(launch, first.message_id, "edited")
        ada.react(launch, first.message_id, "👍")
        see(events, "edited")
    ben.mark_read(launch, first.message_id)
    readers = [receipt.user_id for receipt in ada.receipts(launch) if receipt.read_seq >= (first.seq or 0)]
    assert "ben" in readers, readers
    texts = [message.text for message in ben.all_messages(launch)]
    assert texts.count("edited") == 1 and texts.count("after the break") == 1, texts

    assert ben.search("launch pier").results[0].text == TEXT
    with ben.ask_stream("When is the launch?", conversation_ids=[launch]) as stream:
        kinds = {type(event) for event in stream}
    assert {SourcesFound, TextAdded, Answered} <= kinds and AnswerChecked not in kinds
    assert stream.answer and stream.answer.citations and ben.turns().turns[0].turn_id == stream.answer.turn_id

    ada.delete_message(launch, first.message_id)
    assert first.message_id not in [message.id for message in ben.messages(launch).messages]
    ben.sign_out()
    try:
        Nexus(team.url, session_store=FileSessionStore(team.folder / "ben" / "session.json")).turns()
    except SignedOutError as error:
        assert error.reason == "token_required", error.reason
    else:
        raise AssertionError("a person who signed out can still ask")


def post_when_up(nexus, launch):
    """Sends a message with one id until the server takes it."""
    from nexus_chat import NoConnectionError

    while True:
        try:
            return nexus.post(launch, "after the break", local_id="walk-2")
        except NoConnectionError:
            time.sleep(0.1)


def see(events, text):
    """Reads the feed until a message with the text comes."""
    for event in events:
        for change in event.changes if isinstance(event, Frame) else []:
            if isinstance(change, MessageChanged) and change.message.text == text:
                return


check("pytest", "-p", "no:cacheprovider")
check("mypy", "--strict", "--cache-dir", os.devnull, "src", "tests", "tools", "examples")
folder = tempfile.mkdtemp()
try:
    team = Team(folder)
    try:
        walk(team, examples(team))
    finally:
        team.stop()
finally:
    shutil.rmtree(folder)
print("python client: passed")
