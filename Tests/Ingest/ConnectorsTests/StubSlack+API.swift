import ChatCore
import Foundation
import Synchronization
import TestSupport

/// The Web API of the stub.
extension StubSlack {
    func respond(_ request: StubRequest) -> StubResponse {
        let name = String(request.target.split(separator: "?")[0].split(separator: "/").last ?? "")
        let isFile = request.target.contains("/files-pri/")
        let method = isFile ? "download" : name
        if isFile { state.withLock { $0.fileRequestCount += 1 } }
        let fault = state.withLock { state -> Fault? in
            state.faults.firstIndex { $0.method == method }.map { state.faults.remove(at: $0).fault }
        }
        switch fault {
        case .status(let status)?: return .text("<html>Bad gateway</html>", status: status)
        case .error(let code)?: return Self.failure(code)
        case .limited(let seconds)?:
            return .text(
                #"{"ok":false,"error":"ratelimited"}"#, status: 429, headers: [("Retry-After", "\(seconds)")])
        case .emptyPage?:
            return Self.reply(["messages": .array([]), "has_more": .bool(true)], cursor: "empty")
        case .breaks?:
            return StubResponse(steps: [
                .bytes(StubResponse.head(200, [("Content-Length", "20000")])), .bytes(Data("half".utf8)), .close,
            ])
        case nil: break
        }
        if isFile { return file(name, request) }
        let token = method == "apps.connections.open" ? Self.appToken : Self.botToken
        guard request.header("authorization") == "Bearer \(token)" else { return Self.failure("invalid_auth") }
        var arguments = Self.query(request.target)
        for (key, value) in request.json {
            if let text = value as? String { arguments[key] = text }
        }
        return route(method, arguments, request)
    }

    /// A file; somebody without the permission is led to the page for signing in.
    private func file(_ id: String, _ request: StubRequest) -> StubResponse {
        guard request.header("authorization") == "Bearer \(Self.botToken)" else {
            return .text("", status: 302, headers: [("Location", "https://crew.slack.test/")])
        }
        let content = state.withLock { $0.uploads[id]?.content }
        return content.map { StubResponse(body: $0) } ?? .text("<html>", status: 404)
    }

    private func route(_ method: String, _ query: [String: String], _ request: StubRequest) -> StubResponse {
        switch method {
        case "auth.test":
            return Self.reply([
                "url": .string("https://crew.slack.test/"), "team": .string("Crew"), "user": .string("nexus"),
                "team_id": .string(Self.team), "user_id": .string(Self.bot), "bot_id": .string(Self.botID),
            ])
        case "apps.connections.open":
            return state.withLock { state in
                state.count += 1
                state.tickets.insert("t\(state.count)")
                let address = url.replacing("http://", with: "ws://").replacing("/api", with: "/link")
                return Self.reply(["url": .string("\(address)/?ticket=t\(state.count)")])
            }
        case "users.list": return users(query)
        case "files.info":
            return state.withLock { state in
                guard let file = state.uploads[query["file"] ?? ""] else { return Self.failure("file_not_found") }
                guard file.content != nil else { return Self.failure("file_deleted") }
                return Self.reply([
                    "file": Self.wire(file, at: url.replacing("/api", with: "/files-pri/\(file.id)"))
                ])
            }
        case "users.info":
            return state.withLock { state in
                guard let user = state.users[query["user"] ?? ""] else { return Self.failure("user_not_found") }
                return Self.reply(["user": Self.wire(user)])
            }
        case "users.conversations":
            return state.withLock { state in
                let channels = state.channels.values.filter { $0.members.contains(Self.bot) }.map(\.id).sorted()
                let (page, cursor) = Self.page(channels, query)
                return Self.reply(
                    ["channels": .array(page.compactMap { state.channels[$0].map(Self.wire) })], cursor: cursor)
            }
        case "chat.getPermalink":
            guard let id = query["message_ts"], let channel = query["channel"], post(id, channel) != nil else {
                return Self.failure("message_not_found")
            }
            let root = post(id, channel)?.root.map { "?thread_ts=\($0)&cid=\(channel)" } ?? ""
            let link = "https://crew.slack.test/archives/\(channel)/p\(id.replacing(".", with: ""))\(root)"
            return Self.reply(["permalink": .string(link)])
        default: return inChannel(method, query, request)
        }
    }

    private func inChannel(_ method: String, _ query: [String: String], _ request: StubRequest) -> StubResponse {
        guard let id = query["channel"], let channel = state.withLock({ $0.channels[id] }) else {
            return Self.failure("channel_not_found")
        }
        let isMember = channel.members.contains(Self.bot)
        // A public channel is shown to everybody, but read by its members only.
        guard isMember || channel.kind == "channel" else { return Self.failure("channel_not_found") }
        switch method {
        case "conversations.info": return Self.reply(["channel": Self.wire(channel)])
        case "conversations.members":
            let (page, cursor) = Self.page(channel.members.sorted(), query)
            return Self.reply(["members": .array(page.map { .string($0) })], cursor: cursor)
        default: break
        }
        guard isMember else { return Self.failure("not_in_channel") }
        switch method {
        case "conversations.history": return history(of: id, query)
        case "conversations.replies": return replies(of: id, query)
        case "chat.postMessage": return create(in: id, query, request)
        case "chat.update":
            guard let ts = query["ts"], post(ts, id)?.author == Self.bot else {
                return Self.failure("cant_update_message")
            }
            edit(ts, Self.unescaped(query["text"] ?? ""))
            return Self.reply(["ts": .string(ts)])
        case "chat.delete":
            guard let ts = query["ts"], post(ts, id) != nil else { return Self.failure("message_not_found") }
            delete(ts)
            return Self.reply(["ts": .string(ts)])
        default: return Self.failure("unknown_method")
        }
    }

    private func users(_ query: [String: String]) -> StubResponse {
        state.withLock { state in
            // People of other workspaces are in no list.
            let users = state.users.values.filter { $0.team == Self.team }.map(\.id).sorted()
            let (page, cursor) = Self.page(users, query)
            return Self.reply(["members": .array(page.compactMap { state.users[$0].map(Self.wire) })], cursor: cursor)
        }
    }

    private func post(_ id: String, _ channel: String) -> Post? {
        state.withLock { $0.posts.first { $0.id == id && $0.channel == channel && !$0.isDeleted } }
    }

    private func history(of channel: String, _ query: [String: String]) -> StubResponse {
        let response = state.withLock { state -> StubResponse in
            if let cursor = query["cursor"], cursor != "empty" { return Self.failure("invalid_cursor") }
            let isInclusive = query["inclusive"] == "true"
            let (oldest, latest) = (query["oldest"] ?? "", query["latest"] ?? "~")
            let all = state.posts.filter { post in
                let isWithin =
                    post.id > oldest && post.id < latest || isInclusive && (post.id == oldest || post.id == latest)
                return isWithin && post.channel == channel && !post.isDeleted
                    && (post.root == nil || post.subtype == "thread_broadcast")
            }.sorted { $0.id > $1.id }
            let page = all.prefix(min(Int(query["limit"] ?? "") ?? 100, state.pageLimit))
            return Self.reply([
                "messages": .array(page.map { Self.wire($0, state) }), "has_more": .bool(page.count < all.count),
                "is_limited": .bool(state.isLimitedPlan),
            ])
        }
        let onPage = state.withLock { state in
            defer { state.onPage = nil }
            return state.onPage
        }
        onPage?(self)
        return response
    }

    private func replies(of channel: String, _ query: [String: String]) -> StubResponse {
        state.withLock { state in
            guard let id = query["ts"],
                let root = state.posts.first(where: { $0.id == id && $0.channel == channel && !$0.isDeleted })
            else { return Self.failure("thread_not_found") }
            let all = state.posts.filter { $0.root == id && !$0.isDeleted }
            let start = query["cursor"].flatMap { Int($0) } ?? 0
            let size = min(Int(query["limit"] ?? "") ?? 1_000, state.pageLimit)
            let page = all.dropFirst(start).prefix(size)
            let next = start + page.count < all.count ? "\(start + page.count)" : ""
            return Self.reply(
                [
                    "messages": .array(([root] + page).map { Self.wire($0, state) }), "has_more": .bool(!next.isEmpty),
                ], cursor: next)
        }
    }

    private func create(in channel: String, _ query: [String: String], _ request: StubRequest) -> StubResponse {
        guard let text = query["text"], case .object(let body)? = try? JSONParser.parse(Array(request.body)) else {
            return Self.failure("no_text")
        }
        let id = say(
            Self.unescaped(text), by: Self.bot, in: channel, root: query["thread_ts"], metadata: body["metadata"])
        let isLost = state.withLock { state in
            defer { state.losesCreation = false }
            return state.losesCreation
        }
        return isLost ? .text("lost", status: 502) : Self.reply(["ts": .string(id), "channel": .string(channel)])
    }

    /// What people see: links stay as they are.
    private static func unescaped(_ text: String) -> String {
        text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    private static func page(_ ids: [String], _ query: [String: String]) -> ([String], String) {
        let start = query["cursor"].flatMap { Int($0) } ?? 0
        let page = Array(ids.dropFirst(start).prefix(Int(query["limit"] ?? "") ?? 100))
        return (page, start + page.count < ids.count ? "\(start + page.count)" : "")
    }

    static func query(_ target: String) -> [String: String] {
        let items = URLComponents(string: target)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    static func reply(_ fields: [String: JSONValue], cursor: String? = nil) -> StubResponse {
        var fields = fields
        fields["ok"] = .bool(true)
        if let cursor { fields["response_metadata"] = .object(["next_cursor": .string(cursor)]) }
        return StubResponse(
            status: 200, headers: [("Content-Type", "application/json; charset=utf-8")],
            body: Data(text(.object(fields)).utf8))
    }

    static func failure(_ code: String) -> StubResponse {
        .json(["ok": false, "error": code, "needed": "channels:history", "provided": "users:read"])
    }
}
