import ChatCore
import Foundation
import Histories
import Synchronization

/// An event of the live connection has another number than the one that comes next.
struct MattermostGap: Error {}

extension MattermostConnector {
    /// Opens a live connection, or resumes the last one, and takes its events until it ends.
    ///
    /// The server keeps some events of a connection that was lost. It sends them if the token is in the handshake;
    /// otherwise it begins a new connection, and everything is read again that may have changed.
    ///
    /// - Throws: ``ConnectorError``, ``RepositoryError``, `CancellationError`, or an error of the connection.
    package func follow() async throws {
        _ = try await identity()
        var address = settings.url + "/api/v4/websocket"
        if let stream = state.withLock({ $0.stream }) {
            address += "?connection_id=\(MessageLink.encoded(stream.connection))&sequence_number=\(stream.next)"
        }
        let socket = try await sockets.open(address, headers: ["Authorization": "Bearer \(settings.token.reveal())"])
        defer { state.withLock { $0.isLive = false } }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while let text = try await socket.next() { try await self.take(text) }
                }
                if let interval = settings.pingInterval {
                    group.addTask { try await Self.probe(socket, every: interval) }
                }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            await socket.close()
            throw error
        }
        await socket.close()
    }

    private static func probe(_ socket: any ConnectorSocket, every interval: Duration) async throws {
        for number in 1... {
            try await Task.sleep(for: interval)
            try await socket.send(#"{"seq":\#(number),"action":"ping"}"#)
        }
    }

    /// Takes a message of the live connection: an event, or a reply, which has no number.
    private func take(_ text: String) async throws {
        guard let event = MattermostEvent(text) else {
            let reply = JSONFields(object: try? JSONParser.parse(Array(text.utf8)))
            if reply?.text("status") == "OK" { state.withLock { $0.isLive = true } }
            return
        }
        if event.type == "hello", let connection = event.data.text("connection_id") {
            begin(connection, after: event.number)
            return
        }
        guard let next = state.withLock({ $0.stream?.next }) else { return }
        // It was taken before.
        guard event.number >= next else { return }
        guard event.number == next else { throw MattermostGap() }
        state.withLock { $0.isLive = true }
        try await take(event)
        state.withLock { $0.stream?.next = next + 1 }
    }

    /// Begins a new connection: whatever happened before may have been missed.
    private func begin(_ connection: String, after number: Int64) {
        state.withLock { state in
            let isNew = state.stream?.connection != connection
            state.stream = (connection, number + 1)
            state.isLive = true
            guard isNew else { return }
            (state.fresh, state.comparedAt) = ([], nil)
            for channel in state.channels.keys { state.touched[channel] = [.members, .posts] }
        }
        work.signal()
    }

    private func take(_ event: MattermostEvent) async throws {
        switch event.type {
        case "posted", "post_edited":
            if let post = MattermostPost(text: event.data.text("post")) {
                try await take(post, isNew: event.type == "posted")
            }
        case "post_deleted":
            if let post = MattermostPost(text: event.data.text("post")) { try await takeDeletion(of: post) }
        case "reaction_added", "reaction_removed":
            if let channel = event.channel { touch(channel, .posts) }
        case "user_removed":
            if let person = event.person, let channel = event.channel { try await remove(person, from: [channel]) }
        case "leave_team":
            if let person = event.person, let team = event.team {
                let channels = state.withLock { $0.channels.values.filter { $0.team == team }.map(\.id) }
                try await remove(person, from: channels)
            }
        case "user_updated": try await takeChange(of: event.data.object("user").flatMap { MattermostUser($0) })
        case "user_added", "direct_added", "group_added", "channel_created":
            if let channel = event.channel { touch(channel, [.members, .posts]) }
        case "channel_updated", "channel_converted", "channel_deleted", "channel_restored", "channel_member_updated":
            if let channel = event.channel { touch(channel, .members) }
        case "user_role_updated", "memberrole_updated", "user_activation_status_change", "guests_deactivated":
            try await touchMembers()
        default: break
        }
    }
}

// MARK: - Posts

extension MattermostConnector {
    /// Whether posts of a channel can be stored as they come: its members are stored.
    ///
    /// Otherwise the channel is read, its members first.
    private func isReady(_ channel: String) async throws -> Bool {
        let isFresh = state.withLock { state in
            state.fresh.contains(channel) && state.touched[channel]?.contains(.members) != true
        }
        let progress = try await rooms.room(channel).map { MattermostProgress($0.progress) }
        guard isFresh, let progress, !progress.hasLeft else {
            touch(channel, [.members, .posts])
            return false
        }
        return true
    }

    private func take(_ post: MattermostPost, isNew: Bool) async throws {
        guard try await isReady(post.channel) else { return }
        try await knowAuthors(of: [post])
        guard let mapping = try await mapping(of: post.channel) else { return }
        try await store.take(mapping.page([post], isWhole: false), at: now())
        state.withLock { state in
            let seen = state.seenUntil[post.channel] ?? 0
            state.seenUntil[post.channel] = max(seen, post.changedAt.milliseconds)
        }
        if isNew { status.stored(post.createdAt, at: now()) }
    }

    /// Deletes a post at once; the replies of a thread are deleted with its first post, without events of their own.
    private func takeDeletion(of post: MattermostPost) async throws {
        guard try await rooms.room(post.channel) != nil, let mapping = try await mapping(of: post.channel) else {
            return touch(post.channel, [.members, .posts])
        }
        let identity = try await identity()
        guard post.author != identity.userID else { return }
        var page = ConnectorPage(source: MattermostSettings.source, room: post.channel)
        mapping.addDeletion(of: post, to: &page)
        try await store.take(page, at: now())
        if post.root == nil { touch(post.channel, .posts) }
    }
}

// MARK: - People

extension MattermostConnector {
    /// Ends memberships at once; the next list of the server decides again.
    private func remove(_ person: String, from channels: [String]) async throws {
        let identity = try await identity()
        for channel in channels {
            if person == identity.userID {
                try await rooms.removeAll(from: channel, readAt: now())
            } else {
                let name = state.withLock { $0.users[person]?.name } ?? person
                try await rooms.remove(naming.user(person), named: name, from: channel)
            }
            state.withLock { _ = $0.fresh.remove(channel) }
            touch(channel, .members)
        }
    }

    /// Follows another name or kind of a person; one whose account was deactivated reads nothing from now on.
    private func takeChange(of person: MattermostUser?) async throws {
        guard let person, let known = state.withLock({ $0.users[person.id] }), known != person else { return }
        guard person.isActive || !known.isActive else {
            return try await remove(person.id, from: try await rooms.all().map(\.id))
        }
        try await touchMembers()
    }

    private func touchMembers() async throws {
        for room in try await rooms.all() { touch(room.id, .members) }
    }
}

/// An event of the live connection.
struct MattermostEvent {
    let type: String
    let number: Int64
    let data: JSONFields
    private let broadcast: JSONFields?

    /// The channel that it is about.
    var channel: String? { data.text("channel_id") ?? broadcast?.text("channel_id") }
    /// The team that it is about.
    var team: String? { data.text("team_id") ?? broadcast?.text("team_id") }
    /// The person that it is about.
    var person: String? { data.text("user_id") ?? broadcast?.text("user_id") }

    init?(_ text: String) {
        guard let fields = JSONFields(object: try? JSONParser.parse(Array(text.utf8))),
            let type = fields.text("event"), let number = fields.integer("seq"),
            (0..<Int64(1) << 53).contains(number), let data = fields.object("data")
        else { return nil }
        (self.type, self.number, self.data, broadcast) = (type, number, data, fields.object("broadcast"))
    }
}
