#!/usr/bin/env bash
# slack-sdk 3.48.0 and zulip 0.9.1 beside mattermostdriver 7.3.2 and python-telegram-bot 22.8, Python 3.11.
#
# A program posts a message in a chat. The server takes it, and its connection ends before the reply, as when a proxy is
# restarted. slack-sdk and zulip send the POST again by themselves, without anything by which a server could know it: the room
# has the message twice, and the program gets one success and the number of the second. zulip does so after a 502 as well, where
# slack-sdk raises. The other two raise, and the program can look before it posts again. Webhooks of slack-sdk repeat, too.
#
# Output (messages that the server has, what the program gets; connection closed, 502):
#   slack-sdk: 2 post 2, 1 SlackApiError
#   slack-sdk webhook: 2 200, 1 502
#   zulip: 2 post 2, 2 post 2
#   mattermostdriver: 1 ConnectionError, 1 HTTPError
#   python-telegram-bot: 1 NetworkError, 1 NetworkError
#
# Most would guess that a request that writes is not repeated unless the program asks for it, or carries a number.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check --no-compile \
    slack-sdk==3.48.0 zulip==0.9.1 mattermostdriver==7.3.2 python-telegram-bot==22.8
cat > "$work/post.py" <<'PYTHON'
import asyncio
import json
import logging
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import mattermostdriver
import slack_sdk
import slack_sdk.webhook
import telegram
import zulip

logging.disable()
posts = []
failure = None


class Chat(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply(200, {"result": "success", "zulip_version": "11.0", "zulip_feature_level": 400})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if "getMe" in self.path:
            return self.reply(200, {"ok": True, "result": {"id": 1, "is_bot": True, "first_name": "b", "username": "b"}})
        posts.append(body)
        if len(posts) == 1:
            if failure == "502":
                return self.reply(502, {})
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        number = len(posts)
        self.reply(200, {"ok": True, "ts": f"post {number}", "result": "success", "id": f"post {number}"})

    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Quiet(ThreadingHTTPServer):
    def handle_error(self, *_):
        pass


server = Quiet(("127.0.0.1", 0), Chat)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"


def by_slack():
    return slack_sdk.WebClient("token", base_url=f"{address}/api/").chat_postMessage(channel="C1", text="hello")["ts"]


def by_webhook():
    return slack_sdk.webhook.WebhookClient(f"{address}/hook").send(text="hello").status_code


def by_zulip():
    client = zulip.Client(email="bot@example.org", api_key="key", site=address)
    return client.send_message({"type": "stream", "to": "quay", "topic": "gate", "content": "hello"})["id"]


def by_mattermost():
    driver = mattermostdriver.Driver({"url": "127.0.0.1", "port": server.server_port, "scheme": "http", "token": "token"})
    return driver.posts.create_post({"channel_id": "quay", "message": "hello"})["id"]


def by_telegram():
    async def send():
        async with telegram.Bot("1:token", base_url=f"{address}/bot") as bot:
            return (await bot.send_message(1, "hello")).message_id
    return asyncio.run(send())


ways = {"slack-sdk": by_slack, "slack-sdk webhook": by_webhook, "zulip": by_zulip, "mattermostdriver": by_mattermost,
        "python-telegram-bot": by_telegram}
seen = {}
for name, way in ways.items():
    results = []
    for failure in ("closed", "502"):
        posts.clear()
        try:
            result = way()
        except Exception as error:
            result = type(error).__name__
        results.append(f"{len(posts)} {result}")
    seen[name] = ", ".join(results)
    print(f"{name}: {seen[name]}")
raise SystemExit(0 if seen == {
    "slack-sdk": "2 post 2, 1 SlackApiError", "slack-sdk webhook": "2 200, 1 502", "zulip": "2 post 2, 2 post 2",
    "mattermostdriver": "1 ConnectionError, 1 HTTPError",
    "python-telegram-bot": "1 NetworkError, 1 NetworkError"} else 1)
PYTHON
"$work/env/bin/python" -W ignore "$work/post.py" 2>/dev/null
