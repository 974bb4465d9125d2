import ChatCore
import Foundation
import Synchronization
import TestSupport

/// The API of the server.
extension StubMattermost {
    func respond(_ request: StubRequest) -> StubResponse {
        guard request.header("authorization") == "Bearer \(Self.token)" else {
            return Self.failure(401, "api.context.session_expired.app_error")
        }
        let fault = state.withLock { state -> Fault? in
            let call = "\(request.method) \(request.target)"
            return state.faults.firstIndex { call.contains($0.path) }.map { state.faults.remove(at: $0).fault }
        }
        switch fault {
        case .status(let status)?: return Self.failure(status, "api.stub.fault")
        case .closes?: return .closes
        case .breaks?:
            return StubResponse(steps: [
                .bytes(StubResponse.head(200, [("Content-Length", "20000")])), .bytes(Data("half".utf8)), .close,
            ])
        case .limited(let seconds)?:
            return .text(
                "limit exceeded", status: 429,
                headers: [("X-Ratelimit-Reset", "\(seconds)"), ("Retry-After", "\(seconds)")])
        case nil: break
        }
        let path = request.target.split(separator: "?")[0].split(separator: "/").dropFirst(2).map(String.init)
        return route(request, path, Self.query(request.target))
    }

    private func route(_ request: StubRequest, _ path: [String], _ query: [String: String]) -> StubResponse {
        switch (request.method, path.first, path.count) {
        case ("GET", "config", _): return .json(["SiteURL": "https://chat.test"])
        case ("GET", "users", _): return users(path, query)
        case ("POST", "users", 2): return usersByID(request)
        case ("GET", "channels", 2): return channel(path[1])
        case ("GET", "channels", 3): return posts(of: path[1], query)
        case ("POST", "posts", 1): return create(request)
        case ("POST", "posts", 2): return postsByID(request)
        case ("GET", "posts", 2): return post(path[1])
        case ("GET", "posts", 3): return thread(path[1])
        case ("PUT", "posts", 3): return patch(path[1], request)
        case ("GET", "files", _): return file(path)
        case ("DELETE", "posts", 2):
            // The server says the same of a post that is not there.
            guard isThere(path[1]) else { return Self.failure(403, "api.context.permissions.app_error") }
            delete(path[1])
            return .json(["status": "OK"])
        default: return Self.failure(404, "api.context.404.app_error")
        }
    }

    private func users(_ path: [String], _ query: [String: String]) -> StubResponse {
        state.withLock { state in
            switch path.dropFirst().joined(separator: "/") {
            case "me": return Self.reply(state.users[Self.bot].map(Self.wire) ?? .null)
            case "me/teams": return .json([["id": Self.team, "name": "crew", "display_name": "Crew"]])
            case "me/channels":
                let channels = state.channels.values.filter { $0.members.contains(Self.bot) }
                guard !channels.isEmpty else {
                    // The server has sent the beginning of the list before it looks.
                    let code = "app.channel.get_channels.not_found.app_error"
                    return .text(#"[{"id":"\#(code)","message":"refused","status_code":404}"#)
                }
                return Self.reply(.array(channels.map(Self.wire)))
            default:
                guard let channel = query["in_channel"].flatMap({ state.channels[$0] }) else {
                    return Self.failure(403, "api.context.permissions.app_error")
                }
                let size = Int(query["per_page"] ?? "") ?? 60
                let page = channel.members.sorted().dropFirst((Int(query["page"] ?? "") ?? 0) * size).prefix(size)
                return Self.reply(.array(page.compactMap { state.users[$0].map(Self.wire) }))
            }
        }
    }

    private func usersByID(_ request: StubRequest) -> StubResponse {
        let ids = Self.texts(request)
        return state.withLock { state in Self.reply(.array(ids.compactMap { state.users[$0].map(Self.wire) })) }
    }

    private func channel(_ id: String) -> StubResponse {
        state.withLock { state in
            guard let channel = state.channels[id] else {
                return Self.failure(404, "app.channel.get.existing.app_error")
            }
            guard isReadable(id, state) else { return Self.failure(403, "api.context.permissions.app_error") }
            return Self.reply(Self.wire(channel))
        }
    }

    /// A public channel can be read by everybody of the team.
    private func isReadable(_ channel: String, _ state: State) -> Bool {
        state.channels[channel].map { $0.type == "O" || $0.members.contains(Self.bot) } ?? false
    }

    private func posts(of channel: String, _ query: [String: String]) -> StubResponse {
        guard state.withLock({ isReadable(channel, $0) }) else {
            return Self.failure(403, "api.context.permissions.app_error")
        }
        let list = state.withLock { state -> JSONValue in
            let all = state.posts.filter { $0.channel == channel }
            if let since = query["since"].flatMap({ Int64($0) }), since > 0 {
                let changed = all.filter { $0.changedAt > since }.prefix(state.changeLimit)
                return Self.list(Array(changed), earlier: nil)
            }
            let size = Int(query["per_page"] ?? "") ?? 60
            var visible = all.filter { $0.deletedAt == 0 }
            if let before = query["before"] {
                // A row that is gone is before nothing.
                let time = all.first { $0.id == before }?.createdAt ?? .min
                visible = visible.filter { $0.createdAt < time }
            }
            let sorted = visible.sorted { $0.createdAt > $1.createdAt }
            let page = sorted.dropFirst((Int(query["page"] ?? "") ?? 0) * size).prefix(size)
            let oldest = page.last?.createdAt ?? .min
            return Self.list(Array(page), earlier: all.last { $0.deletedAt == 0 && $0.createdAt < oldest }?.id)
        }
        if query["since"] == nil {
            let onPage = state.withLock { state in
                defer { state.onPage = nil }
                return state.onPage
            }
            onPage?(self)
        }
        return Self.reply(list)
    }

    private static func list(_ posts: [Post], earlier: String?) -> JSONValue {
        .object([
            "order": .array(posts.map { .string($0.id) }),
            "posts": .object(Dictionary(posts.map { ($0.id, wire($0)) }) { first, _ in first }),
            "prev_post_id": .string(earlier ?? ""), "next_post_id": .string(""),
        ])
    }

    /// A file of a post that is not deleted, or what is known of it.
    private func file(_ path: [String]) -> StubResponse {
        state.withLock { state in
            let post = state.posts.last { $0.deletedAt == 0 && $0.files.contains { $0.id == path[1] } }
            guard let post, let found = state.uploads[path[1]], let content = found.content else {
                return Self.failure(404, "app.file_info.get.app_error")
            }
            guard isReadable(post.channel, state) else { return Self.failure(403, "api.context.permissions.app_error") }
            guard path.count == 2 else { return Self.reply(Self.wire(found)) }
            return StubResponse(headers: [("Content-Type", "application/octet-stream")], body: content)
        }
    }

    private func create(_ request: StubRequest) -> StubResponse {
        guard case .object(let fields)? = try? JSONParser.parse(Array(request.body)),
            case .string(let channel)? = fields["channel_id"], case .string(let text)? = fields["message"]
        else { return Self.failure(400, "api.context.invalid_body_param.app_error") }
        let pending: String? = if case .string(let id)? = fields["pending_post_id"] { id } else { nil }
        if let known = pending.flatMap({ id in state.withLock { $0.pending[id] } }) { return post(known, status: 201) }
        let root: String = if case .string(let id)? = fields["root_id"] { id } else { "" }
        let isThere = state.withLock { state in
            root.isEmpty || state.posts.contains { $0.id == root && $0.deletedAt == 0 && $0.root.isEmpty }
        }
        guard isThere else { return Self.failure(400, "api.post.create_post.root_id.app_error") }
        var properties: [String: JSONValue] = ["from_bot": .string("true")]
        if case .object(let given)? = fields["props"] { properties.merge(given) { first, _ in first } }
        let id = say(text, by: Self.bot, in: channel, root: root, properties: properties)
        if let pending { state.withLock { $0.pending[pending] = id } }
        let onCreation = state.withLock { state in
            defer { state.onCreation = nil }
            return state.onCreation
        }
        if let onCreation {
            onCreation(self)
            return Self.failure(502, "api.stub.lost")
        }
        return post(id, status: 201)
    }

    private func isThere(_ id: String) -> Bool {
        state.withLock { state in state.posts.contains { $0.id == id && $0.deletedAt == 0 } }
    }

    private func patch(_ id: String, _ request: StubRequest) -> StubResponse {
        guard isThere(id) else { return Self.failure(403, "api.context.permissions.app_error") }
        guard let text = request.json["message"] as? String else {
            return Self.failure(400, "api.context.invalid_body_param.app_error")
        }
        edit(id, text)
        return post(id)
    }

    private func post(_ id: String, status: Int = 200) -> StubResponse {
        state.withLock { state in
            guard let post = state.posts.first(where: { $0.id == id && $0.deletedAt == 0 }) else {
                return Self.failure(404, "app.post.get.app_error")
            }
            guard isReadable(post.channel, state) else { return Self.failure(403, "api.context.permissions.app_error") }
            return Self.reply(Self.wire(post), status: status)
        }
    }

    private func postsByID(_ request: StubRequest) -> StubResponse {
        let ids = Set(Self.texts(request))
        return state.withLock { state in
            let found = state.posts.filter { ids.contains($0.id) && isReadable($0.channel, state) }
            return Self.reply(.array(found.map(Self.wire)))
        }
    }

    private func thread(_ id: String) -> StubResponse {
        state.withLock { state in
            let posts = state.posts.filter { ($0.id == id || $0.root == id) && $0.deletedAt == 0 }
            guard posts.contains(where: { $0.id == id }) else { return Self.failure(404, "app.post.get.app_error") }
            return Self.reply(Self.list(posts, earlier: nil))
        }
    }

    private static func texts(_ request: StubRequest) -> [String] {
        (try? JSONSerialization.jsonObject(with: request.body)) as? [String] ?? []
    }
}
