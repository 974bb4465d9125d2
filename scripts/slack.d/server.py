"""A Slack workspace in memory, in the shapes of Slack's public documentation: the Web API and Socket Mode.

It is not the stub of the tests in Swift: both were written from the documentation, and here slack-sdk, which was not made
for Nexus, uses the same methods. What surprises is as there: refusals come with status 200; history has no replies, and
each page of replies begins with the first message; a first message with replies becomes a tombstone; an event that is not
acknowledged within three seconds comes again, and is lost after three repeats; the address of a connection can be used
once; before a connection is closed, the client is asked to open another one. Events over HTTP are signed by slack-sdk's own
code, and come again unless the answer is 200 within three seconds."""

import asyncio
import json
import re
import secrets
import threading
import time

import aiohttp
from aiohttp import WSMsgType, web
from slack_sdk.signature import SignatureVerifier

REPEATS = 3
# Seconds before an event is sent again over HTTP; Slack takes a minute and five instead of the last two.
HTTP_PAUSES = (0, 0, 2, 6)
PAGE = 100


class Refusal(Exception):
    pass


def new_id(letter):
    return letter + secrets.token_hex(5).upper()


class App:
    """An app of the workspace, with its bot user and its live connections."""

    def __init__(self, bot):
        self.id, self.bot = new_id("A"), bot
        self.bot_token, self.app_token = f"xoxb-{secrets.token_hex(8)}", f"xapp-{secrets.token_hex(8)}"
        self.tickets, self.sockets, self.waiting, self.opened, self.is_followed = set(), [], {}, 0, False
        # The address that gets events over HTTP; None for Socket Mode. answers: the status of each request.
        self.signing_secret, self.request_url, self.answers = secrets.token_hex(16), None, []


class Slack:
    def __init__(self, port):
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.team, self.users, self.channels, self.apps, self.tokens = new_id("T"), {}, {}, {}, {}
        self.limits, self.calls, self.clock = {}, {}, 0
        # Seconds that are added to the time of messages.
        self.offset = 0
        self.loop = asyncio.new_event_loop()

    # What happens beside the API.

    def add_person(self, name):
        """Makes an account; returns its id and the token with which the person's programs act."""
        user = self._add_user(name)
        token = f"xoxp-{secrets.token_hex(8)}"
        self.tokens[token] = user
        return user, token

    def add_app(self, name):
        app = App(self._add_user(name, is_bot=True))
        self.apps[app.id] = app
        self.tokens[app.bot_token] = app.bot
        return app

    def _add_user(self, name, is_bot=False):
        user = new_id("U")
        self.users[user] = {
            "id": user, "team_id": self.team, "name": name, "deleted": False, "is_bot": is_bot, "is_restricted": False,
            "profile": {"display_name": name.title(), "real_name": f"{name.title()} Example"},
        }
        return user

    def limit(self, method, count, seconds, size):
        """Allows few requests of a method, and few objects in each reply."""
        self.limits[method] = (count, seconds, size)

    def refresh(self):
        """Asks all clients to open a new connection, and closes the former ones a little later."""
        self._run_soon(self._refresh())

    def cut(self):
        """Closes all live connections without a word before."""
        self._run_soon(self._cut())

    def subscribe(self, app, url):
        """Sends events of an app to an address, if that answers the question as the form of Slack's site asks it."""
        challenge = secrets.token_hex(16)
        answer = self._run_soon(self._post(app, url, {"type": "url_verification", "challenge": challenge}))
        app.request_url, app.is_followed = url, True
        return answer == (200, {"challenge": challenge})

    @staticmethod
    def sign(app, body, moment=None):
        """The headers of a request, signed by slack-sdk."""
        moment = str(moment or int(time.time()))
        return {
            "Content-Type": "application/json", "X-Slack-Request-Timestamp": moment,
            "X-Slack-Signature": SignatureVerifier(app.signing_secret).generate_signature(timestamp=moment, body=body)}

    async def _post(self, app, url, payload, more=None):
        """Sends a request; returns its status, 0 for none, and the body."""
        body = json.dumps(payload)
        headers = {**self.sign(app, body), **(more or {})}
        try:
            async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=3)) as session:
                async with session.post(url, data=body, headers=headers) as reply:
                    return reply.status, await reply.json(content_type=None)
        except (aiohttp.ClientError, asyncio.TimeoutError, ValueError):
            return 0, None

    async def post_event(self, app, payload):
        """Sends an event over HTTP until it is taken."""
        for attempt, pause in enumerate(HTTP_PAUSES):
            await asyncio.sleep(pause)
            more = {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": "http_error"} if attempt else None
            status, _ = await self._post(app, app.request_url, payload, more)
            app.answers.append(status)
            if status == 200:
                return

    @staticmethod
    def forget(app):
        """Drops the events that could not be delivered to an app, as after the last repeat."""
        app.waiting, app.is_followed = {}, False

    def _run_soon(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    async def _refresh(self):
        for app in self.apps.values():
            for socket in list(app.sockets):
                await socket.send_str(json.dumps({
                    "type": "disconnect", "reason": "warning", "debug_info": {"host": "applink-1"}}))
                self.loop.call_later(4, lambda socket=socket: asyncio.ensure_future(socket.close()))

    async def _cut(self):
        for app in self.apps.values():
            for socket in list(app.sockets):
                await socket.close()

    def messages(self, channel):
        """All messages that were ever written in a channel."""
        return self.channels[channel]["messages"]

    def moment(self):
        self.clock = max(self.clock + 1, time.time_ns() // 1000 + self.offset * 1_000_000)
        return f"{self.clock // 1_000_000}.{self.clock % 1_000_000:06}"

    # Serving.

    def start(self):
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._serve())
        self.loop.run_forever()

    async def _serve(self):
        application = web.Application()
        application.add_routes([web.get("/link/", self.link), web.route("*", "/api/{method}", self.api)])
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port).start()

    async def api(self, request):
        method = request.match_info["method"]
        arguments = dict(request.query)
        if request.content_type == "application/json":
            text = await request.text()
            arguments.update(json.loads(text) if text else {})
        elif request.method == "POST":
            arguments.update({key: value for key, value in (await request.post()).items()})
        wait = self.wait_of(method)
        if wait:
            return web.json_response(
                {"ok": False, "error": "ratelimited"}, status=429, headers={"Retry-After": str(wait)})
        try:
            if method == "apps.connections.open":
                return web.json_response({"ok": True, **self.open_connection(request)})
            user = self.tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
            handler = getattr(self, method.replace(".", "_"), None)
            if not user:
                raise Refusal("invalid_auth")
            if not handler or "." not in method:
                raise Refusal("unknown_method")
            return web.json_response({"ok": True, **handler(user, arguments)})
        except Refusal as refusal:
            return web.json_response({"ok": False, "error": str(refusal)})

    def wait_of(self, method):
        """The seconds after which a method may be called again; 0 if it may now."""
        if method not in self.limits:
            return 0
        count, seconds, _ = self.limits[method]
        calls = [at for at in self.calls.get(method, []) if at > time.monotonic() - seconds]
        if len(calls) >= count:
            return max(1, round(calls[0] + seconds - time.monotonic() + 0.5))
        self.calls[method] = [*calls, time.monotonic()]
        return 0

    def page(self, method, items, arguments, default=PAGE):
        size = int(arguments.get("limit") or default)
        if method in self.limits:
            size = min(size, self.limits[method][2])
        start = int(arguments["cursor"].removeprefix("at")) if arguments.get("cursor") else 0
        end = start + size
        return items[start:end], {"next_cursor": f"at{end}" if end < len(items) else ""}

    # People and channels.

    def auth_test(self, user, _):
        app = next((app for app in self.apps.values() if app.bot == user), None)
        return {
            "url": "https://crew.slack.com/", "team": "Crew", "user": self.users[user]["name"], "team_id": self.team,
            "user_id": user, **({"bot_id": f"B{app.id[1:]}"} if app else {}),
        }

    def users_list(self, _, arguments):
        users, metadata = self.page("users.list", sorted(self.users.values(), key=lambda one: one["id"]), arguments)
        return {"members": users, "response_metadata": metadata}

    def users_info(self, _, arguments):
        if arguments.get("user") not in self.users:
            raise Refusal("user_not_found")
        return {"user": self.users[arguments["user"]]}

    def users_conversations(self, user, arguments):
        channels = [self.shown(one, user) for one in self.channels.values() if user in one["members"]]
        channels, metadata = self.page("users.conversations", channels, arguments)
        return {"channels": channels, "response_metadata": metadata}

    @staticmethod
    def shown(channel, user):
        shown = {key: value for key, value in channel.items() if key not in ("members", "messages")}
        return {**shown, "is_member": user in channel["members"]}

    def channel_of(self, user, arguments, is_read=True):
        channel = self.channels.get(arguments.get("channel"))
        if not channel or channel["is_private"] and user not in channel["members"]:
            raise Refusal("channel_not_found")
        if is_read and user not in channel["members"]:
            raise Refusal("not_in_channel")
        return channel

    def conversations_create(self, user, arguments):
        is_private = str(arguments.get("is_private")).lower() in ("1", "true")
        channel = {
            "id": new_id("C"), "name": arguments["name"], "created": int(time.time()), "is_channel": True,
            "is_im": False, "is_mpim": False, "is_private": is_private, "is_archived": False, "members": [],
            "messages": [],
        }
        self.channels[channel["id"]] = channel
        self.join(channel, user)
        return {"channel": self.shown(channel, user)}

    def conversations_info(self, user, arguments):
        return {"channel": self.shown(self.channel_of(user, arguments, is_read=False), user)}

    def conversations_members(self, user, arguments):
        channel = self.channel_of(user, arguments, is_read=False)
        members, metadata = self.page("conversations.members", sorted(channel["members"]), arguments)
        return {"members": members, "response_metadata": metadata}

    def conversations_invite(self, user, arguments):
        channel = self.channel_of(user, arguments)
        for one in arguments["users"].split(","):
            self.join(channel, one)
        return {"channel": self.shown(channel, user)}

    def join(self, channel, user):
        channel["members"].append(user)
        self.write(channel, user, f"<@{user}> has joined the channel", subtype="channel_join")
        self.announce(channel, {
            "type": "member_joined_channel", "user": user, "channel": channel["id"], "channel_type": "C",
            "team": self.team})

    def conversations_kick(self, user, arguments):
        channel = self.channel_of(user, arguments)
        one = arguments["user"]
        self.write(channel, one, f"<@{one}> has left the channel", subtype="channel_leave")
        is_bot = self.users[one]["is_bot"]
        self.announce(channel, {
            "type": "channel_left" if is_bot else "member_left_channel", "user": one, "channel": channel["id"],
            "channel_type": "C", "team": self.team})
        channel["members"].remove(one)
        return {}

    # Messages.

    def chat_postMessage(self, user, arguments):
        channel = self.channel_of(user, arguments)
        message = self.write(
            channel, user, arguments["text"], root=arguments.get("thread_ts"), metadata=arguments.get("metadata"))
        return {"ts": message["ts"], "channel": channel["id"], "message": message}

    def write(self, channel, user, text, root=None, metadata=None, subtype=None):
        message = {"type": "message", "user": user, "text": text, "ts": self.moment(), "team": self.team}
        app = next((app for app in self.apps.values() if app.bot == user), None)
        if app and not subtype:
            message["bot_id"] = f"B{app.id[1:]}"
        if root:
            message["thread_ts"] = root
        if metadata:
            message["metadata"] = json.loads(metadata) if isinstance(metadata, str) else metadata
        if subtype:
            message["subtype"] = subtype
        else:
            message["blocks"] = self.blocks(text)
        channel["messages"].append(message)
        event = {**message, "channel": channel["id"], "channel_type": "channel"}
        self.announce(channel, event)
        for app in self.apps.values():
            if f"<@{app.bot}>" in text and not subtype:
                self.announce(channel, {**event, "type": "app_mention"}, only=app)
        return message

    @staticmethod
    def blocks(text):
        elements = []
        for part in re.split(r"(<[^<>]+>)", text):
            if part.startswith("<@"):
                elements.append({"type": "user", "user_id": part[2:-1]})
            elif part.startswith("<"):
                url, _, label = part[1:-1].partition("|")
                elements.append({"type": "link", "url": url, **({"text": label} if label else {})})
            elif part:
                plain = part.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
                elements.append({"type": "text", "text": plain})
        return [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}]

    def message_of(self, channel, arguments, key="ts"):
        found = [
            one for one in channel["messages"]
            if one["ts"] == arguments.get(key) and not one.get("is_deleted") and one.get("subtype") != "tombstone"]
        if not found:
            raise Refusal("message_not_found")
        return found[0]

    def chat_update(self, user, arguments):
        channel = self.channel_of(user, arguments)
        message = self.message_of(channel, arguments)
        if message["user"] != user:
            raise Refusal("cant_update_message")
        before = dict(message)
        message["text"], message["blocks"] = arguments["text"], self.blocks(arguments["text"])
        message["edited"] = {"user": user, "ts": f"{int(time.time())}.000000"}
        self.announce_change(channel, message, before)
        return {"ts": message["ts"], "channel": channel["id"], "text": message["text"]}

    def announce_change(self, channel, message, before):
        self.announce(channel, {
            "type": "message", "subtype": "message_changed", "hidden": True, "channel": channel["id"],
            "message": message, "previous_message": before, "ts": self.moment(), "channel_type": "channel"})

    def chat_delete(self, user, arguments):
        channel = self.channel_of(user, arguments)
        message = self.message_of(channel, arguments)
        if message["user"] != user:
            raise Refusal("cant_delete_message")
        before = dict(message)
        if self.replies(channel, message["ts"]):
            message.update({"subtype": "tombstone", "text": "This message was deleted.", "user": "USLACKBOT"})
            message.pop("blocks", None)
            self.announce_change(channel, message, before)
        else:
            message["is_deleted"] = True
            self.announce(channel, {
                "type": "message", "subtype": "message_deleted", "hidden": True, "channel": channel["id"],
                "deleted_ts": message["ts"], "previous_message": before, "ts": self.moment(),
                "channel_type": "channel"})
        return {"ts": message["ts"], "channel": channel["id"]}

    def reactions_add(self, user, arguments):
        channel = self.channel_of(user, arguments)
        message = self.message_of(channel, arguments, "timestamp")
        reactions = message.setdefault("reactions", [])
        known = next((one for one in reactions if one["name"] == arguments["name"]), None)
        if known and user in known["users"]:
            raise Refusal("already_reacted")
        if known:
            known["users"].append(user)
        else:
            reactions.append({"name": arguments["name"], "users": [user], "count": 1})
        self.announce(channel, {
            "type": "reaction_added", "user": user, "reaction": arguments["name"], "item_user": message["user"],
            "item": {"type": "message", "channel": channel["id"], "ts": message["ts"]}})
        return {}

    @staticmethod
    def replies(channel, root):
        return [
            one for one in channel["messages"]
            if one.get("thread_ts") == root and one["ts"] != root and not one.get("is_deleted")]

    def whole(self, channel, message):
        replies = self.replies(channel, message["ts"])
        if not replies:
            return message
        return {
            **message, "thread_ts": message["ts"], "reply_count": len(replies), "latest_reply": replies[-1]["ts"]}

    def conversations_history(self, user, arguments):
        channel = self.channel_of(user, arguments)
        found = [
            one for one in reversed(channel["messages"])
            if not one.get("is_deleted") and one.get("thread_ts", one["ts"]) == one["ts"]
            and one["ts"] < (arguments.get("latest") or "~") and one["ts"] > (arguments.get("oldest") or "")]
        messages, metadata = self.page("conversations.history", found, arguments)
        return {
            "messages": [self.whole(channel, one) for one in messages], "has_more": bool(metadata["next_cursor"]),
            "pin_count": 0, "response_metadata": metadata,
        }

    def conversations_replies(self, user, arguments):
        channel = self.channel_of(user, arguments)
        root = [one for one in channel["messages"] if one["ts"] == arguments["ts"] and not one.get("is_deleted")]
        if not root:
            raise Refusal("thread_not_found")
        replies, metadata = self.page(
            "conversations.replies", self.replies(channel, arguments["ts"]), arguments, default=1000)
        return {
            "messages": [self.whole(channel, root[0]), *replies], "has_more": bool(metadata["next_cursor"]),
            "response_metadata": metadata,
        }

    def chat_getPermalink(self, user, arguments):
        channel = self.channel_of(user, arguments)
        message = self.message_of(channel, arguments, "message_ts")
        link = f"https://crew.slack.com/archives/{channel['id']}/p{message['ts'].replace('.', '')}"
        if message.get("thread_ts"):
            link += f"?thread_ts={message['thread_ts']}&cid={channel['id']}"
        return {"channel": channel["id"], "permalink": link}

    # The live connection.

    def open_connection(self, request):
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        app = next((app for app in self.apps.values() if app.app_token == token), None)
        if not app:
            raise Refusal("invalid_auth")
        ticket = secrets.token_hex(8)
        app.tickets.add(ticket)
        return {"url": f"ws://127.0.0.1:{self.port}/link/?ticket={ticket}&app_id={app.id}"}

    async def link(self, request):
        app = self.apps.get(request.query.get("app_id"))
        ticket = request.query.get("ticket")
        if not app or ticket not in app.tickets:
            raise web.HTTPForbidden()
        app.tickets.remove(ticket)
        socket = web.WebSocketResponse(heartbeat=10)
        await socket.prepare(request)
        await socket.send_str(json.dumps({
            "type": "hello", "num_connections": len(app.sockets) + 1, "connection_info": {"app_id": app.id},
            "debug_info": {"host": "applink-1", "approximate_connection_time": 18060}}))
        app.sockets.append(socket)
        app.opened, app.is_followed = app.opened + 1, True
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                app.waiting.pop(json.loads(message.data).get("envelope_id"), None)
        app.sockets.remove(socket)
        return socket

    def announce(self, channel, event, only=None):
        for app in [only] if only else self.apps.values():
            if app.bot in channel["members"] and app.is_followed:
                payload = {
                    "type": "event_callback", "team_id": self.team, "api_app_id": app.id,
                    "event": {**event, "event_ts": self.moment()}, "event_id": new_id("Ev"),
                    "event_time": int(time.time()),
                    "authorizations": [{"team_id": self.team, "user_id": app.bot, "is_bot": True}],
                    "is_ext_shared_channel": False,
                }
                if app.request_url:
                    asyncio.ensure_future(self.post_event(app, payload), loop=self.loop)
                    continue
                envelope = secrets.token_hex(16)
                app.waiting[envelope] = {
                    "type": "events_api", "envelope_id": envelope, "accepts_response_payload": False,
                    "retry_attempt": 0, "retry_reason": "", "payload": payload,
                }
                asyncio.ensure_future(self.send(app, envelope), loop=self.loop)

    async def send(self, app, envelope):
        """Sends an event on the newest connection until it is acknowledged."""
        for attempt in range(REPEATS + 1):
            event = app.waiting.get(envelope)
            if not event:
                return
            event["retry_attempt"], event["retry_reason"] = attempt, "timeout" if attempt else ""
            if app.sockets:
                await app.sockets[-1].send_str(json.dumps(event))
            await asyncio.sleep(3)
        app.waiting.pop(envelope, None)
