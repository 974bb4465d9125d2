"""A Mattermost server in memory, in the shapes of its public API description and of its public source.

It is not the server of the tests in Swift: both were written from the source, and here mattermostdriver, which was not made
for Nexus, uses the same routes. What surprises is as there: the list of changes has no order and a limit of 1,000, it
holds deleted posts and earlier texts; a page begins before the time of a given post; replies are deleted without events;
a live connection is resumed only with the token in the handshake."""

import asyncio
import json
import secrets
import string
import threading
import time

from aiohttp import WSMsgType, web

KEPT_EVENTS = 128
CHANGES = 1000


def new_id():
    return "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(26))


class Refusal(Exception):
    def __init__(self, status, code):
        self.status, self.code = status, code


def reply(value, status=200, headers=None):
    # The clients want this content type to the letter, without a character set.
    return web.Response(
        body=json.dumps(value).encode(), status=status, headers={"Content-Type": "application/json", **(headers or {})})


class Connection:
    """A live connection, which outlives its socket."""

    def __init__(self, user):
        self.id, self.user, self.next, self.kept, self.socket = new_id(), user, 0, [], None

    def event(self, kind, data, broadcast):
        event = {"event": kind, "data": data, "broadcast": broadcast, "seq": self.next}
        self.next += 1
        self.kept = [*self.kept, event][-KEPT_EVENTS:]
        return event


class Mattermost:
    def __init__(self, port):
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.users, self.tokens, self.channels, self.posts, self.files = {}, {}, {}, {}, {}
        self.connections, self.resumed, self.clock = {}, 0, 0
        self.team = {"id": new_id(), "name": "crew", "display_name": "Crew", "type": "O", "delete_at": 0}
        self.loop = asyncio.new_event_loop()

    # What happens beside the API.

    def add_user(self, username, password=None, is_bot=False):
        """Makes an account; returns its id, and the token of a bot."""
        user = {
            "id": new_id(), "username": username, "nickname": "" if is_bot else username.title(), "first_name": "",
            "last_name": "", "roles": "system_user", "is_bot": is_bot, "delete_at": 0, "password": password,
        }
        self.users[user["id"]] = user
        token = secrets.token_hex(13)
        self.tokens[token] = user["id"]
        return user["id"], token

    def cut(self, forgets=False):
        """Cuts all live connections; a server that starts again has forgotten them."""
        asyncio.run_coroutine_threadsafe(self._cut(forgets), self.loop).result()

    async def _cut(self, forgets):
        sockets = [connection.socket for connection in self.connections.values() if connection.socket]
        if forgets:
            self.connections = {}
        for socket in sockets:
            await socket.close()

    def is_live(self, user):
        """Whether a user has a live connection."""
        return any(one.user == user and one.socket for one in list(self.connections.values()))

    def moment(self):
        self.clock = max(self.clock + 1, int(time.time() * 1000))
        return self.clock

    # Serving.

    def start(self):
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._serve())
        self.loop.run_forever()

    async def _serve(self):
        runner = web.AppRunner(self.application())
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port).start()

    def application(self):
        @web.middleware
        async def refusals(request, handler):
            try:
                return await handler(request)
            except Refusal as refusal:
                return reply({
                    "id": refusal.code, "message": "refused", "detailed_error": "", "status_code": refusal.status,
                }, refusal.status)

        application = web.Application(middlewares=[refusals])
        api = "/api/v4"
        application.add_routes([
            web.get(f"{api}/websocket", self.websocket),
            web.get(f"{api}/config/client", self.config),
            web.post(f"{api}/users/login", self.login),
            web.get(f"{api}/users", self.users_of_channel),
            web.post(f"{api}/users/ids", self.users_by_id),
            web.get(f"{api}/users/{{user}}", self.one_user),
            web.get(f"{api}/users/{{user}}/teams", self.teams),
            web.get(f"{api}/users/{{user}}/channels", self.channels_of_user),
            web.post(f"{api}/channels", self.create_channel),
            web.get(f"{api}/channels/{{channel}}", self.one_channel),
            web.post(f"{api}/channels/{{channel}}/members", self.add_member),
            web.delete(f"{api}/channels/{{channel}}/members/{{user}}", self.remove_member),
            web.get(f"{api}/channels/{{channel}}/posts", self.posts_of_channel),
            web.post(f"{api}/posts", self.create_post),
            web.post(f"{api}/posts/ids", self.posts_by_id),
            web.get(f"{api}/posts/{{post}}", self.one_post),
            web.get(f"{api}/posts/{{post}}/thread", self.thread),
            web.put(f"{api}/posts/{{post}}/patch", self.patch_post),
            web.delete(f"{api}/posts/{{post}}", self.delete_post),
            web.post(f"{api}/reactions", self.add_reaction),
            web.post(f"{api}/files", self.upload),
            web.get(f"{api}/files/{{file}}", self.file),
            web.get(f"{api}/files/{{file}}/info", self.file_info),
        ])
        return application

    def me(self, request):
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        user = self.tokens.get(token) if scheme.lower() == "bearer" else None
        if not user:
            raise Refusal(401, "api.context.session_expired.app_error")
        return user

    def channel_of(self, request, user):
        channel = self.channels.get(request.match_info["channel"])
        if not channel:
            raise Refusal(404, "app.channel.get.existing.app_error")
        if channel["type"] != "O" and user not in channel["members"]:
            raise Refusal(403, "api.context.permissions.app_error")
        return channel

    # People and channels.

    async def config(self, _):
        return reply({"SiteURL": "https://chat.example.org", "Version": "10.5.0"})

    async def login(self, request):
        body = await request.json()
        for token, user in self.tokens.items():
            account = self.users[user]
            if account["username"] == body.get("login_id") and account["password"] == body.get("password"):
                return reply(self.shown(account), headers={"Token": token})
        raise Refusal(401, "api.user.login.invalid_credentials_email_username")

    @staticmethod
    def shown(account):
        return {key: value for key, value in account.items() if key != "password"}

    async def one_user(self, request):
        me = self.me(request)
        account = self.users.get(me if request.match_info["user"] == "me" else request.match_info["user"])
        if not account:
            raise Refusal(404, "app.user.missing_account.const")
        return reply(self.shown(account))

    async def users_by_id(self, request):
        self.me(request)
        return reply([self.shown(self.users[user]) for user in await request.json() if user in self.users])

    async def users_of_channel(self, request):
        me = self.me(request)
        channel = self.channels.get(request.query.get("in_channel", ""))
        if not channel or me not in channel["members"]:
            raise Refusal(403, "api.context.permissions.app_error")
        page, size = int(request.query.get("page", 0)), int(request.query.get("per_page", 60))
        accounts = sorted((self.users[user] for user in channel["members"]), key=lambda user: user["username"])
        return reply([self.shown(account) for account in accounts[page * size:(page + 1) * size]])

    async def teams(self, request):
        self.me(request)
        return reply([self.team])

    async def channels_of_user(self, request):
        me = self.me(request)
        found = [self.bare(channel) for channel in self.channels.values() if me in channel["members"]]
        if not found:
            # The server has sent the beginning of the list before it looks.
            refusal = {"id": "app.channel.get_channels.not_found.app_error", "message": "refused", "status_code": 404}
            return web.Response(body=b"[" + json.dumps(refusal).encode(), headers={"Content-Type": "application/json"})
        return reply(found)

    @staticmethod
    def bare(channel):
        return {key: value for key, value in channel.items() if key != "members"}

    async def create_channel(self, request):
        me, body = self.me(request), await request.json()
        moment = self.moment()
        channel = {
            "id": new_id(), "team_id": body["team_id"], "type": body["type"], "name": body["name"],
            "display_name": body["display_name"], "create_at": moment, "update_at": moment, "delete_at": 0,
            "members": [me],
        }
        self.channels[channel["id"]] = channel
        await self.join_post(channel, me, "system_join_channel", "joined")
        return reply(self.bare(channel), 201)

    async def one_channel(self, request):
        return reply(self.bare(self.channel_of(request, self.me(request))))

    async def add_member(self, request):
        me = self.me(request)
        channel, user = self.channel_of(request, me), (await request.json())["user_id"]
        channel["members"].append(user)
        await self.join_post(channel, user, "system_add_to_channel", "added")
        await self.send(
            "user_added", {"user_id": user, "team_id": channel["team_id"]}, {"channel_id": channel["id"]},
            channel["members"])
        return reply({"channel_id": channel["id"], "user_id": user, "roles": "channel_user"}, 201)

    async def remove_member(self, request):
        me, user = self.me(request), request.match_info["user"]
        channel = self.channel_of(request, me)
        await self.join_post(channel, user, "system_remove_from_channel", "removed")
        channel["members"].remove(user)
        await self.send(
            "user_removed", {"user_id": user, "remover_id": me}, {"channel_id": channel["id"]}, channel["members"])
        await self.send("user_removed", {"channel_id": channel["id"], "remover_id": me}, {"user_id": user}, [user])
        return reply({"status": "OK"})

    async def join_post(self, channel, user, kind, word):
        await self.post(channel, user, f"{self.users[user]['username']} {word}", kind=kind)

    # Posts.

    async def post(self, channel, user, message, root="", kind="", props=None, files=()):
        moment = self.moment()
        infos = [self.files[file][0] for file in files]
        post = {
            "id": new_id(), "create_at": moment, "update_at": moment, "edit_at": 0, "delete_at": 0, "is_pinned": False,
            "user_id": user, "channel_id": channel["id"], "root_id": root, "original_id": "", "message": message,
            "type": kind, "props": props or {}, "hashtags": "", "file_ids": list(files), "pending_post_id": "",
            "metadata": {"files": infos} if infos else {},
        }
        for info in infos:
            info["post_id"] = post["id"]
        if self.users[user]["is_bot"]:
            post["props"]["from_bot"] = "true"
        self.posts[post["id"]] = post
        await self.send("posted", {
            "channel_display_name": channel["display_name"], "channel_name": channel["name"],
            "channel_type": channel["type"], "post": json.dumps(post), "set_online": True,
            "sender_name": "@" + self.users[user]["username"], "team_id": channel["team_id"],
        }, {"channel_id": channel["id"]}, channel["members"])
        return post

    async def create_post(self, request):
        me, body = self.me(request), await request.json()
        channel = self.channels.get(body["channel_id"])
        if not channel or me not in channel["members"]:
            raise Refusal(403, "api.context.permissions.app_error")
        root = self.posts.get(body.get("root_id") or "")
        if body.get("root_id") and (not root or root["delete_at"] or root["root_id"]):
            raise Refusal(400, "api.post.create_post.root_id.app_error")
        return reply(await self.post(
            channel, me, body["message"], root=body.get("root_id") or "", props=body.get("props"),
            files=body.get("file_ids") or ()), 201)

    def post_of(self, request, user):
        post = self.posts.get(request.match_info["post"])
        if not post or post["delete_at"]:
            raise Refusal(404, "app.post.get.app_error")
        channel = self.channels[post["channel_id"]]
        if channel["type"] != "O" and user not in channel["members"]:
            raise Refusal(403, "api.context.permissions.app_error")
        return post

    async def one_post(self, request):
        return reply(self.post_of(request, self.me(request)))

    async def posts_by_id(self, request):
        me, found = self.me(request), []
        for post in await request.json():
            post = self.posts.get(post)
            if post and (self.channels[post["channel_id"]]["type"] == "O" or me in self.channels[post["channel_id"]]["members"]):
                found.append(post)
        return reply(found)

    async def thread(self, request):
        root = self.post_of(request, self.me(request))["id"]
        return reply(self.list(
            [post for post in self.posts.values() if root in (post["id"], post["root_id"]) and not post["delete_at"]]))

    async def patch_post(self, request):
        me, body = self.me(request), await request.json()
        post = self.post_of(request, me)
        if post["user_id"] != me:
            raise Refusal(403, "api.context.permissions.app_error")
        moment = self.moment()
        earlier = {**post, "id": new_id(), "original_id": post["id"], "delete_at": moment, "update_at": moment}
        self.posts[earlier["id"]] = earlier
        post.update(message=body["message"], edit_at=moment, update_at=moment)
        await self.tell(post, "post_edited", post)
        return reply(post)

    async def delete_post(self, request):
        me = self.me(request)
        post = self.post_of(request, me)
        before, moment = dict(post), self.moment()
        for other in self.posts.values():
            if post["id"] in (other["id"], other["root_id"]) and not other["delete_at"]:
                other.update(delete_at=moment, update_at=moment)
        await self.tell(post, "post_deleted", before)
        return reply({"status": "OK"})

    async def add_reaction(self, request):
        me, body = self.me(request), await request.json()
        post, moment = self.posts[body["post_id"]], self.moment()
        reaction = {
            "user_id": me, "post_id": post["id"], "emoji_name": body["emoji_name"], "create_at": moment,
            "update_at": moment, "delete_at": 0, "channel_id": post["channel_id"],
        }
        post["metadata"].setdefault("reactions", []).append(reaction)
        post["update_at"] = moment
        channel = self.channels[post["channel_id"]]
        await self.send(
            "reaction_added", {"reaction": json.dumps(reaction)}, {"channel_id": channel["id"]}, channel["members"])
        return reply(reaction, 201)

    async def tell(self, post, kind, shown):
        channel = self.channels[post["channel_id"]]
        await self.send(kind, {"post": json.dumps(shown)}, {"channel_id": channel["id"]}, channel["members"])

    async def posts_of_channel(self, request):
        query = request.query
        channel = self.channel_of(request, self.me(request))
        posts = [post for post in self.posts.values() if post["channel_id"] == channel["id"]]
        since = int(query.get("since", 0))
        if since > 0:
            return reply(self.list([post for post in posts if post["update_at"] > since][:CHANGES]))
        page, size = int(query.get("page", 0)), int(query.get("per_page", 60))
        visible = [post for post in posts if not post["delete_at"]]
        if "before" in query:
            anchor = self.posts.get(query["before"])
            visible = [post for post in visible if anchor and post["create_at"] < anchor["create_at"]]
        visible.sort(key=lambda post: -post["create_at"])
        shown = visible[page * size:(page + 1) * size]
        earlier = [post for post in posts if shown and not post["delete_at"] and post["create_at"] < shown[-1]["create_at"]]
        return reply(self.list(shown, earlier[-1]["id"] if earlier else ""))

    @staticmethod
    def list(posts, earlier=""):
        return {
            "order": [post["id"] for post in posts], "posts": {post["id"]: post for post in posts},
            "prev_post_id": earlier, "next_post_id": "", "has_next": False,
        }

    # Files.

    async def upload(self, request):
        me, channel, infos = self.me(request), request.query.get("channel_id"), []
        async for part in await request.multipart():
            if part.name == "channel_id":
                channel = await part.text()
            elif part.name == "files":
                content, moment = await part.read(), self.moment()
                info = {
                    "id": new_id(), "user_id": me, "channel_id": channel, "post_id": "", "name": part.filename,
                    "extension": part.filename.rpartition(".")[2], "size": len(content), "create_at": moment,
                    "update_at": moment, "delete_at": 0,
                    "mime_type": part.headers.get("Content-Type", "application/octet-stream"),
                }
                self.files[info["id"]] = (info, content)
                infos.append(info)
        if me not in self.channels.get(channel, {"members": []})["members"]:
            raise Refusal(403, "api.context.permissions.app_error")
        return reply({"file_infos": infos, "client_ids": []}, 201)

    def file_of(self, request):
        me = self.me(request)
        info, content = self.files.get(request.match_info["file"], (None, None))
        post = self.posts.get(info["post_id"]) if info else None
        if not info or (post and post["delete_at"]):
            raise Refusal(404, "app.file_info.get.app_error")
        if me != info["user_id"] and me not in self.channels[info["channel_id"]]["members"]:
            raise Refusal(403, "api.context.permissions.app_error")
        return info, content

    async def file_info(self, request):
        return reply(self.file_of(request)[0])

    async def file(self, request):
        info, content = self.file_of(request)
        return web.Response(body=content, headers={"Content-Type": info["mime_type"]})

    # Live connections.

    async def send(self, kind, data, broadcast, users):
        for connection in list(self.connections.values()):
            if connection.user not in users:
                continue
            event = connection.event(kind, data, broadcast)
            if connection.socket and not connection.socket.closed:
                try:
                    await connection.socket.send_str(json.dumps(event))
                except ConnectionError:
                    # It was cut a moment ago; the event is kept.
                    pass

    async def websocket(self, request):
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        try:
            user = self.me(request)
        except Refusal:
            user = None
        known = self.connections.get(request.query.get("connection_id", ""))
        number = int(request.query.get("sequence_number", 0))
        connection = None
        if known and user == known.user and (
                number == known.next or any(event["seq"] == number for event in known.kept)):
            connection, connection.socket = known, socket
            self.resumed += 1
            for event in known.kept:
                if event["seq"] >= number:
                    await socket.send_str(json.dumps(event))
        elif user:
            connection = await self.begin(user, socket)
        async for message in socket:
            if message.type != WSMsgType.TEXT:
                continue
            body = json.loads(message.data)
            if body.get("action") == "authentication_challenge" and not connection:
                user = self.tokens.get(body["data"]["token"])
                if not user:
                    break
                connection = await self.begin(user, socket)
                await socket.send_str(json.dumps({"status": "OK", "seq_reply": body["seq"]}))
            elif body.get("action") == "ping":
                await socket.send_str(json.dumps({
                    "status": "OK", "data": {"text": "pong", "version": "10.5.0"}, "seq_reply": body["seq"]}))
        if connection:
            connection.socket = None
        return socket

    async def begin(self, user, socket):
        connection = Connection(user)
        self.connections[connection.id] = connection
        connection.socket = socket
        hello = connection.event(
            "hello", {"connection_id": connection.id, "server_version": "10.5.0"}, {"user_id": user})
        await socket.send_str(json.dumps(hello))
        return connection
