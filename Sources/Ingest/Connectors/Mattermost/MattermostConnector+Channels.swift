import ChatCore
import Foundation
import Histories
import Synchronization

extension MattermostConnector {
    /// Touches all channels of the bot account, and closes those that it is no longer a member of.
    func compareChannels() async throws {
        let moment = now()
        let teams = try await client.list("GET", ["users", "me", "teams"]).compactMap { team in
            team.text("id").flatMap { id in team.text("name").map { (id, $0) } }
        }
        let channels = try await channels()
        state.withLock { state in
            state.teams = Dictionary(teams) { first, _ in first }
            for channel in channels { state.channels[channel.id] = channel }
        }
        let present = Set(channels.map(\.id))
        for room in try await rooms.all() where !present.contains(room.id) {
            try await rooms.close(room.id, readAt: moment)
        }
        state.withLock { state in
            for channel in channels { state.touched[channel.id] = [.members, .posts] }
            state.unchecked = present
            state.comparedAt = moment
        }
    }

    /// The channels of the bot account, archived ones included.
    private func channels() async throws -> [MattermostChannel] {
        do {
            return try await client.list(
                "GET", ["users", "me", "channels"], query: [("include_deleted", "true"), ("last_delete_at", "0")]
            ).compactMap { MattermostChannel($0) }
        } catch ConnectorError.refused(404, let code) where code.hasPrefix("app.channel.get_channels") {
            // The server's word for none.
            return []
        }
    }

    /// Reads all channels that were touched.
    func catchUp() async throws {
        while let (channel, touch) = state.withLock({ $0.touched.popFirst() }) {
            do {
                if touch.contains(.members) { try await refresh(channel) }
                if touch.contains(.posts) { try await readChanges(of: channel) }
                // What came meanwhile has touched the channel again.
                if touch.contains(.members) { state.withLock { _ = $0.fresh.insert(channel) } }
            } catch let error as ConnectorError where error.isAboutMembership {
                try await rooms.close(channel, readAt: now())
            } catch {
                self.touch(channel, touch)
                throw error
            }
        }
        try await checkStored()
    }

    /// Reads a channel's name and members, and stores them; begins to read a channel that is new, or was left.
    private func refresh(_ id: String) async throws {
        guard try await !rooms.isClosed(id) else { return }
        let readAt = now()
        let identity = try await identity()
        guard let channel = MattermostChannel(try await client.call("GET", ["channels", id])) else {
            throw ConnectorError.unreadable
        }
        let people = try await people(of: id)
        // A public channel can be read by everybody of the team, but it is followed only if Nexus is a member.
        guard people.contains(where: { $0.id == identity.userID }) else {
            return try await rooms.close(id, readAt: readAt)
        }
        let conversation = naming.conversation(id)
        let known = try await rooms.roster(of: conversation)
        let others = people.filter { $0.id != identity.userID }
        try await know(others)
        try await rooms.store(roster(of: channel, others, readAt: readAt, known: known))
        let isNew = rooms.add(id, conversation)
        let isBack = try await rooms.room(id).map { MattermostProgress($0.progress).hasLeft } ?? false
        try await rooms.update(id) { progress in
            // What changed during the absence was never told, so all of it is read and compared again.
            if isBack { progress = MattermostProgress(mustCheck: true) }
        }
        state.withLock { $0.channels[id] = channel }
        if isBack { state.withLock { _ = $0.unchecked.insert(id) } }
        if isNew || isBack { work.signal() }
    }

    private func people(of channel: String) async throws -> [MattermostUser] {
        let pageSize = 200
        var people: [MattermostUser] = []
        for page in 0... {
            let users = try await client.list(
                "GET", ["users"],
                query: [("in_channel", channel), ("page", "\(page)"), ("per_page", "\(pageSize)")])
            people += users.compactMap { MattermostUser($0) }
            if users.count < pageSize { break }
        }
        return people
    }

    /// The conversation with its present members: everybody reads everything, as in Mattermost.
    private func roster(
        of channel: MattermostChannel, _ people: [MattermostUser], readAt: Timestamp, known: ConversationRoster?
    ) -> ConversationRoster {
        let members = people.filter(\.isActive).map { person in
            Member(
                userID: naming.user(person.id), displayName: person.name, aliases: person.aliases, joinedAt: readAt)
        }
        let teams = state.withLock { $0.teams }
        let team = channel.team.flatMap { teams[$0] }
        let name = teams.count > 1 ? team.map { "\(channel.name) (\($0))" } ?? channel.name : channel.name
        let conversation = Conversation(
            id: naming.conversation(channel.id), kind: channel.isDirect ? .direct : .group, visibility: .members,
            history: .all, name: channel.isDirect ? nil : name, createdAt: channel.createdAt, updatedAt: readAt)
        return rooms.roster(conversation, members, known: known)
    }

    /// Remembers people, and stores those who are new or changed as authors.
    private func know(_ people: [MattermostUser]) async throws {
        let changed = state.withLock { state in people.filter { state.users[$0.id] != $0 } }
        guard !changed.isEmpty else { return }
        try await store.storeAuthors(
            changed.map { $0.author(naming) }, connectedTo: MattermostSettings.source, at: now())
        state.withLock { state in
            for person in changed { state.users[person.id] = person }
        }
    }

    /// Asks for the authors of posts who are not known, such as those who left long ago.
    func knowAuthors(of posts: [MattermostPost]) async throws {
        let unknown = state.withLock { state in
            Set(posts.map(\.author)).filter { state.users[$0] == nil }
        }.sorted()
        for start in stride(from: 0, to: unknown.count, by: 100) {
            let ids = unknown[start..<min(start + 100, unknown.count)]
            let users = try await client.list(
                "POST", ["users", "ids"], body: .array(ids.map { .string($0) }))
            try await know(users.compactMap { MattermostUser($0) })
        }
    }

    /// Returns how posts of a channel become messages; nil if the channel is not known.
    func mapping(of channel: String) async throws -> MattermostMapping? {
        let identity = try await identity()
        return state.withLock { state in
            guard let channel = state.channels[channel] else { return nil }
            return MattermostMapping(
                settings: settings, identity: identity, channel: channel, users: state.users,
                team: channel.team.flatMap { state.teams[$0] })
        }
    }
}
