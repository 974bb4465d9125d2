"""A small Slack workspace on loopback, which sends events over HTTP: what the page of connections needs to see."""

import hashlib
import hmac
import json
import threading
import time
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BOT, TEAM, SECRET = "U0NEXUS", "T0CREW", "8f742231b10e8888abcd99yyyzzz85a5"
SETTINGS = ["--set", "slack.bot-token=xoxb-1", "--set", f"slack.signing-secret={SECRET}"]


class Slack:
    def __init__(self, *people):
        self.users = [{
            "id": user, "team_id": TEAM, "name": user.lower(), "profile": {"display_name": user[2:].title()},
            "is_bot": user == BOT} for user in (*people, BOT)]
        self.channels, self.clock, self.count = {}, int(time.time()) - 3600, 0
        workspace = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))

            def do_POST(self):
                length = int(self.headers.get("Content-Length") or 0)
                self.answer(json.loads(self.rfile.read(length) or "{}"))

            def answer(self, arguments):
                method = urllib.parse.urlsplit(self.path).path.removeprefix("/api/").replace(".", "_")
                reply = getattr(workspace, method, lambda _: {"ok": False, "error": "unknown_method"})(arguments)
                body = json.dumps({"ok": True, **reply}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.settings = [*SETTINGS, "--set", f"slack.url=http://127.0.0.1:{self.http.server_port}/api"]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def stop(self):
        self.http.shutdown()

    # What people do.

    def channel(self, id, name, *people):
        self.channels[id] = {"id": id, "name": name, "created": self.clock, "people": [*people, BOT], "messages": []}

    def say(self, channel, user, text, **fields):
        self.clock += 1
        message = {"type": "message", "user": user, "text": text, "ts": f"{self.clock}.000100", **fields}
        self.channels[channel]["messages"].append(message)
        return {**message, "channel": channel}

    def send(self, server, event):
        """Sends an event to Nexus, signed; returns the status."""
        self.count += 1
        body = json.dumps({
            "type": "event_callback", "team_id": TEAM, "event_id": f"Ev{self.count}", "event": event}).encode()
        moment = str(int(time.time()))
        code = hmac.new(SECRET.encode(), f"v0:{moment}:".encode() + body, hashlib.sha256).hexdigest()
        request = urllib.request.Request(f"{server.url}/v1/events/slack", body, {
            "Content-Type": "application/json", "X-Slack-Request-Timestamp": moment,
            "X-Slack-Signature": f"v0={code}"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as reply:
            return reply.status

    # The Web API.

    def auth_test(self, _):
        return {"url": "https://crew.slack.com/", "team": "Crew", "user": "nexus", "team_id": TEAM, "user_id": BOT}

    def users_list(self, _):
        return {"members": self.users}

    def shown(self, channel):
        return {key: channel[key] for key in ("id", "name", "created")}

    def users_conversations(self, _):
        return {"channels": [self.shown(one) for one in self.channels.values()]}

    def conversations_info(self, arguments):
        return {"channel": self.shown(self.channels[arguments["channel"]])}

    def conversations_members(self, arguments):
        return {"members": self.channels[arguments["channel"]]["people"]}

    def conversations_history(self, arguments):
        return {"messages": self.channels[arguments["channel"]]["messages"][::-1], "has_more": False}
