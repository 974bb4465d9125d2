"""Two people of slack-sdk talk and ask in a Slack workspace in memory; every step is checked."""

import argparse
import json
import logging
import pathlib
import sys
import threading
import time
import urllib.error
import urllib.request

from slack_sdk import WebClient
from slack_sdk.socket_mode import SocketModeClient
from slack_bolt import App as BoltApp
from slack_bolt import BoltRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from server import Slack

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "connectors.d"))

from nexus import Nexus, check, done, free_port, wait_for  # noqa: E402


logging.disable(logging.ERROR)


class Person:
    """Somebody with slack-sdk's client of the Web API."""

    def __init__(self, server, name):
        self.id, token = server.add_person(name)
        self.web = WebClient(token=token, base_url=f"{server.url}/api/")

    def say(self, channel, text, root=None):
        return self.web.chat_postMessage(channel=channel, text=text, thread_ts=root)["ts"]


class Recorder:
    """Another app, which sees the same events with slack-sdk's client of Socket Mode."""

    def __init__(self, server):
        self.app, self.events = server.add_app("recorder"), []
        client = SocketModeClient(
            app_token=self.app.app_token, ping_interval=2,
            web_client=WebClient(token=self.app.bot_token, base_url=f"{server.url}/api/"))

        def take(client, request):
            client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
            self.events.append(request.payload["event"])

        client.socket_mode_request_listeners.append(take)
        client.connect()


def answer_to(person, channel, question, bot, seconds=60):
    """Waits for the answer of Nexus in the thread of a question."""
    def answer():
        replies = person.web.conversations_replies(channel=channel, ts=question)["messages"]
        return next((one for one in replies if one["user"] == bot), None)

    return wait_for(answer, "no answer came", seconds)


def walk(server, nexus, people, app, recorder):
    ada, bob = people
    # An hour ago.
    server.offset = -3600
    channel = ada.web.conversations_create(name="release", is_private=True)["channel"]["id"]
    ada.web.conversations_invite(channel=channel, users=f"{bob.id},{recorder.app.bot}")
    conversation = f"slack-{channel}"
    first = ada.say(channel, "The release of the harbour app is on 3 March.")
    ada.web.chat_update(channel=channel, ts=first, text="The release of the harbour app is on 4 March.")
    old = bob.say(channel, "The old plan was on paper.")
    reply = ada.say(channel, "It was in the drawer.", root=old)
    bob.say(channel, "And in the binder.", root=old)
    secret = ada.say(channel, "My locker code is 7781.")
    ada.web.chat_delete(channel=channel, ts=secret)
    server.offset = 0
    check(nexus.texts(ada.id, conversation) == [], "not invited: nothing is read")
    ada.web.conversations_invite(channel=channel, users=app.bot)
    wait_for(lambda: len(nexus.texts(ada.id, conversation)) == 4, "the history does not arrive")
    check(
        set(nexus.texts(ada.id, conversation)) == {
            "The release of the harbour app is on 4 March.", "The old plan was on paper.", "It was in the drawer.",
            "And in the binder."},
        "invited: the history is there, with its thread and its edit, and without what was deleted")

    begin = time.monotonic()
    plan = bob.say(channel, "Bob tests the payment on Friday.")
    wait_for(lambda: len(nexus.texts(bob.id, conversation)) == 5, "a live message does not arrive")
    done(f"a live message was there after {time.monotonic() - begin:.1f} s")
    bob.say(channel, "With the old card.", root=plan)
    ada.web.reactions_add(channel=channel, timestamp=plan, name="+1")
    wait_for(lambda: "With the old card." in nexus.texts(bob.id, conversation), "a reply does not arrive")

    opened = app.opened
    server.refresh()
    wait_for(lambda: app.opened == opened + 1, "Nexus opens no new connection when it is asked to")
    bob.say(channel, "On the new connection.")
    wait_for(lambda: "On the new connection." in nexus.texts(ada.id, conversation), "nothing arrives after a refresh")
    check(not app.waiting, "asked for a new connection: everything came, and was acknowledged")
    # The former connection is closed.
    time.sleep(5)
    server.cut()
    bob.say(channel, "The connection was cut.")
    wait_for(lambda: "The connection was cut." in nexus.texts(ada.id, conversation), "nothing arrives after a cut")
    done("the connection was cut, and nothing was lost")

    nexus.kill()
    bob.say(channel, "The demo is in the blue room.")
    ada.web.chat_update(channel=channel, ts=first, text="The release of the harbour app is on 5 March.")
    ada.web.chat_delete(channel=channel, ts=reply)
    bob.web.chat_delete(channel=channel, ts=old)
    server.forget(app)
    nexus.start()
    wait_for(
        lambda: "The demo is in the blue room." in nexus.texts(ada.id, conversation),
        "messages of the time after the kill do not arrive")
    wait_for(
        lambda: "The release of the harbour app is on 5 March." in nexus.texts(ada.id, conversation),
        "an edit of the time after the kill is not found")
    wait_for(
        lambda: not {"The old plan was on paper.", "It was in the drawer."} & set(nexus.texts(ada.id, conversation)),
        "deletions of the time after the kill are not found")
    check(
        "And in the binder." in nexus.texts(ada.id, conversation),
        "killed and started: what was written, edited and deleted in that time is found, in threads too")

    question = bob.say(channel, f"<@{app.bot}> When is the release of the harbour app?")
    answer = answer_to(ada, channel, question, app.bot)
    link = ada.web.chat_getPermalink(channel=channel, message_ts=first)["permalink"]
    check("5 March" in answer["text"] and f"<{link}|" in answer["text"], "the answer cites the right message with a link")
    check(answer["thread_ts"] == question, "it is in the thread of the question")
    wait_for(
        lambda: any(event.get("ts") == answer["ts"] for event in recorder.events),
        "another app does not see the answer on its live connection")
    time.sleep(2)
    answers = [one for one in server.messages(channel) if one["user"] == app.bot and one.get("thread_ts")]
    check(len(answers) == 1, "it was sent once, and Nexus does not answer itself")

    ada.web.chat_update(channel=channel, ts=first, text="The release of the harbour app is on 6 March.")

    def shown():
        replies = ada.web.conversations_replies(channel=channel, ts=question)["messages"]
        return [one["text"] for one in replies if one["user"] == app.bot]

    wait_for(lambda: shown() and not any("5 March" in text for text in shown()), "the answer stays")
    check(
        len(shown()) == 1 and "was withdrawn" in shown()[0]
        and all(one.get("is_deleted") for one in server.messages(channel) if one["ts"] == answer["ts"]),
        "its source was edited: the answer is deleted, and a note is in the thread")
    ada.web.chat_delete(channel=channel, ts=first)
    wait_for(lambda: not shown(), "the note stays")
    done("its source was deleted: the note is deleted too")

    check(nexus.found(bob.id, "Where is the demo?") != [], "Bob finds where the demo is")
    ada.web.conversations_kick(channel=channel, user=bob.id)
    wait_for(lambda: nexus.texts(bob.id, conversation) == [], "Bob still reads the channel")
    check(nexus.found(bob.id, "Where is the demo?") == [], "removed: Bob finds nothing of the channel any more")
    check(nexus.found(ada.id, "Where is the demo?") != [], "Ada still does")

    limited(server, nexus, ada, app)
    for line in nexus.status():
        done(line)


def over_http(server, folder, program, people):
    """Another app, another Nexus: events come over HTTP."""
    ada, bob = people
    app = server.add_app("nexus-http")
    nexus = Nexus(program, folder / "data-http", "slack")
    nexus.connect({
        "slack.bot-token": app.bot_token, "slack.signing-secret": app.signing_secret, "slack.url": f"{server.url}/api"})
    try:
        nexus.start()
        check(server.subscribe(app, f"{nexus.url}/v1/events/slack"), "the Request URL is verified")
        channel = ada.web.conversations_create(name="http", is_private=True)["channel"]["id"]
        conversation = f"slack-{channel}"
        ada.web.conversations_invite(channel=channel, users=bob.id)
        first = ada.say(channel, "The keys of the shed are with Jonas.")
        ada.web.conversations_invite(channel=channel, users=app.bot)
        wait_for(lambda: len(nexus.texts(ada.id, conversation)) == 1, "the history does not arrive")
        begin = time.monotonic()
        bob.say(channel, "The shed is painted on Friday.")
        wait_for(lambda: len(nexus.texts(bob.id, conversation)) == 2, "an event over HTTP does not arrive")
        done(f"an event over HTTP was there after {time.monotonic() - begin:.1f} s")

        # Acknowledged, and killed at once.
        app.answers.clear()
        bob.say(channel, "The paint is green.")
        wait_for(lambda: 200 in app.answers, "the event is not acknowledged")
        nexus.kill()
        ada.web.chat_update(channel=channel, ts=first, text="The keys of the shed are with Mara.")
        wait_for(lambda: 0 in app.answers, "Slack does not notice that Nexus is away")
        nexus.start()
        wait_for(
            lambda: {"The paint is green.", "The keys of the shed are with Mara."}
            <= set(nexus.texts(ada.id, conversation)), "an event of the time around the kill is missing")
        done("killed right after an acknowledgement: nothing was lost, and what came again is there once")
        check(len(nexus.texts(ada.id, conversation)) == 3, "each message is there once")
        question = bob.say(channel, f"<@{app.bot}> Who has the keys of the shed?")
        check("Mara" in answer_to(ada, channel, question, app.bot)["text"], "it answers a question that came over HTTP")
        like_bolt(server, app, nexus)
    finally:
        nexus.stop()


def like_bolt(server, app, nexus):
    """Sends the same requests to slack-bolt and to Nexus."""
    client = WebClient(token=app.bot_token, base_url=f"{server.url}/api/")
    bolt = BoltApp(client=client, signing_secret=app.signing_secret, token_verification_enabled=False)
    bolt.event("message")(lambda: None)
    event = {
        "type": "event_callback", "team_id": "T0OTHER", "api_app_id": app.id, "event_id": "EvBolt",
        "event": {"type": "message", "channel": "C0NOWHERE", "user": "U0ADA", "text": "hi", "ts": "1.000100"}}
    verification = {"type": "url_verification", "challenge": "abc"}
    now = int(time.time())
    other = server.add_app("other")
    cases = [
        (name, body, headers) for name, payload, signer, moment in [
            ("an event", event, app, now), ("a verification", verification, app, now),
            ("an event of 290 seconds ago", event, app, now - 290), ("an event from the near future", event, app, now + 290),
            ("an event of 310 seconds ago", event, app, now - 310), ("an event from the far future", event, app, now + 310),
            ("an event with another secret", event, other, now), ("a verification with another secret", verification, other, now),
        ]
        for body in [json.dumps(payload)] for headers in [server.sign(signer, body, moment)]]
    body = json.dumps(event)
    signed = server.sign(app, body)
    cases += [
        *[(f"an event without {missing}", body, {name: value for name, value in signed.items() if name != missing})
          for missing in ["X-Slack-Signature", "X-Slack-Request-Timestamp"]],
        ("a changed event", body.replace("hi", "ho"), signed)]
    for name, body, headers in cases:
        expected = bolt.dispatch(BoltRequest(body=body, headers={key: [value] for key, value in headers.items()})).status
        request = urllib.request.Request(f"{nexus.url}/v1/events/slack", body.encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                status = reply.status
        except urllib.error.HTTPError as error:
            status = error.code
        check(status == expected, f"{name}: {status}, and slack-bolt answers {expected}")


def limited(server, nexus, ada, app):
    """The limit of apps outside of Slack's directory, with 6 seconds instead of a minute."""
    channel = ada.web.conversations_create(name="long", is_private=False)["channel"]["id"]
    for number in range(40):
        ada.say(channel, f"Line {number} of a long talk.")
    for method in ["conversations.history", "conversations.replies"]:
        server.limit(method, 1, 6, 15)
    ada.web.conversations_invite(channel=channel, users=app.bot)
    line = wait_for(
        lambda: next((line for line in nexus.status() if "waiting until" in line), None), "no wait is shown")
    check("cannot be reached" not in line, "15 messages a request: the limit is shown as a wait, not as an error")
    ada.say(channel, "Written meanwhile.")
    wait_for(
        lambda: "Written meanwhile." in nexus.texts(ada.id, f"slack-{channel}"), "live messages wait for the limit", 5)
    wait_for(lambda: len(nexus.texts(ada.id, f"slack-{channel}")) == 41, "the history does not arrive")
    count = len(server.messages(channel))
    wait_for(
        lambda: any(
            channel in line and f"{count} messages read" in line and "history complete" in line
            for line in nexus.status()),
        "not every message is counted")
    server.limits.clear()
    done(f"all {count} messages of the channel are there and counted")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nexus", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--serve", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    server = Slack(free_port())
    server.start()
    app = server.add_app("nexus")
    nexus = Nexus(options.nexus, folder / "data", "slack")
    nexus.connect({
        "slack.bot-token": app.bot_token, "slack.app-token": app.app_token, "slack.url": f"{server.url}/api"})
    try:
        nexus.start()
        people = [Person(server, "ada"), Person(server, "bob")]
        walk(server, nexus, people, app, Recorder(server))
        over_http(server, folder, options.nexus, people)
        print("Slack works.")
        if options.serve:
            print(f"Slack {server.url} (Ada: {people[0].web.token}), Nexus {nexus.url}; end with Ctrl-C")
            threading.Event().wait()
    except BaseException:
        log = folder / "nexus.log"
        if log.exists():
            print(log.read_text()[-4000:])
        raise
    finally:
        nexus.stop()


main()
