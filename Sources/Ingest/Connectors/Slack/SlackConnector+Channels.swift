import ChatCore
import Histories
import Synchronization

extension SlackConnector {
    /// Touches all channels of the bot user, and closes those that it is no longer a member of.
    func compareChannels() async throws {
        let moment = now()
        let hasGap = state.withLock { state in
            defer { state.hasGap = false }
            return state.hasGap
        }
        do {
            try await readPeople()
            let channels = try await channels()
            let present = Set(channels.map(\.id))
            for room in try await rooms.all() where !present.contains(room.id) {
                try await rooms.close(room.id, readAt: moment)
            }
            client.forgetScopes()
            state.withLock { state in
                for channel in channels { Self.know(channel, &state) }
                state.touched.formUnion(present)
                (state.refused, state.comparedAt) = ([], moment)
            }
            for id in present { try await beginCheck(of: id, hasGap: hasGap) }
        } catch {
            if hasGap { state.withLock { $0.hasGap = true } }
            throw error
        }
    }

    private static func know(_ channel: SlackChannel, _ state: inout State) {
        state.channels[channel.id] = channel
        if let name = channel.name { state.reading?.nameChannel(channel.id, name) }
    }

    /// Begins to compare what is stored of a channel, if something may have been missed.
    private func beginCheck(of id: String, hasGap: Bool) async throws {
        let isLive = state.withLock { self.isLive($0) }
        let moment = now()
        try await rooms.update(id) { progress in
            // Nothing was read yet.
            guard !progress.hasLeft, progress.history?.before != nil || progress.isComplete else { return }
            let isOld =
                progress.checkedAt.map {
                    moment - Timestamp(microseconds: $0) >= settings.checkInterval
                } ?? true
            guard hasGap || progress.check == nil && (isOld || !isLive) else { return }
            (progress.check, progress.checkedAt) = (SlackProgress.Place(), moment.microseconds)
        }
    }

    /// Reads everybody of the workspace: who was renamed, deactivated or made a guest.
    private func readPeople() async throws {
        let users = try await client.list("users.list", [("limit", "\(settings.pageSize)")], "members")
        try await know(users.compactMap { JSONFields(object: $0).flatMap { SlackPerson($0) } })
    }

    /// The channels of the bot user, archived ones included.
    private func channels() async throws -> [SlackChannel] {
        let channels = try await client.list(
            "users.conversations",
            [
                ("types", "public_channel,private_channel,mpim,im"), ("exclude_archived", "false"),
                ("limit", "\(settings.pageSize)"),
            ], "channels")
        return channels.compactMap { JSONFields(object: $0).flatMap { SlackChannel($0) } }.filter { isWanted($0.id) }
    }

    private func isWanted(_ channel: String) -> Bool {
        settings.channels.isEmpty || settings.channels.contains(channel)
    }

    /// Reads the members of all channels that were touched.
    func catchUp() async throws {
        while let channel = state.withLock({ $0.touched.popFirst() }) {
            do {
                try await refresh(channel)
            } catch {
                state.withLock { _ = $0.touched.insert(channel) }
                throw error
            }
        }
    }

    /// Reads a channel's name and members, and stores them; begins to read a channel that is new, or was left.
    func refresh(_ id: String) async throws {
        guard isWanted(id), try await !rooms.isClosed(id) else { return }
        let readAt = now()
        do {
            try await refresh(id, readAt: readAt)
        } catch let error as ConnectorError where error.isAboutMembership {
            try await rooms.close(id, readAt: readAt)
        }
    }

    private func refresh(_ id: String, readAt: Timestamp) async throws {
        let identity = try await identity()
        let reply = try await client.read("conversations.info", [("channel", id)])
        guard let channel = reply.object("channel").flatMap({ SlackChannel($0) }) else {
            throw ConnectorError.unreadable
        }
        let members = try await client.list(
            "conversations.members", [("channel", id), ("limit", "\(settings.pageSize)")], "members"
        ).compactMap { value -> String? in if case .string(let id) = value { id } else { nil } }
        // A public channel can be read by everybody of the workspace, but it is followed only if Nexus is a member.
        guard members.contains(identity.userID) else { return try await rooms.close(id, readAt: readAt) }
        let others = members.filter { $0 != identity.userID }
        try await knowUsers(others)
        let conversation = naming.conversation(id)
        let known = try await rooms.roster(of: conversation)
        try await rooms.store(
            rooms.roster(
                Conversation(
                    id: conversation, kind: channel.isDirect ? .direct : .group, visibility: .members, history: .all,
                    name: channel.name, createdAt: channel.createdAt, updatedAt: readAt),
                self.members(others), known: known))
        let isNew = rooms.add(id, conversation)
        let isBack = try await rooms.room(id).map { SlackProgress($0.progress).hasLeft } ?? false
        try await rooms.update(id) { progress in
            // What changed during the absence was never told, so all of it is read and compared again.
            if isBack { progress = SlackProgress() }
        }
        state.withLock { state in
            Self.know(channel, &state)
            // Somebody who left meanwhile has touched the channel again.
            if !state.touched.contains(id) { state.fresh.insert(id) }
        }
        if isNew || isBack { work.signal() }
    }

    /// The members of a channel whose accounts are active.
    private func members(_ ids: [String]) -> [Member] {
        let reading = state.withLock { $0.reading }
        return ids.compactMap { id in
            let person = reading?.person(id)
            guard person?.isDeactivated != true else { return nil }
            let name = TextLimit.name.cut(person?.shownName ?? id)
            let others = [person?.realName, person?.handle].compactMap { $0.map { TextLimit.name.cut($0) } }
            return Member(
                userID: naming.user(id), displayName: name, aliases: Names.aliases(others, of: name),
                joinedAt: Timestamp(microseconds: 0))
        }
    }

    /// Remembers people, and stores those who are new or changed as authors.
    func know(_ people: [SlackPerson]) async throws {
        let identity = try await identity()
        let changed = state.withLock { state in
            people.filter { $0.id != identity.userID && state.reading?.person($0.id) != $0 }
        }
        guard !changed.isEmpty else { return }
        try await store.storeAuthors(
            changed.map { person in
                var author = naming.author(
                    person.id, name: TextLimit.name.cut(person.shownName), isBot: person.isBot,
                    kind: person.kind(homeTeam: identity.team))
                author.verifiedEmail = person.verifiedEmail(homeTeam: identity.team)
                return author
            }, connectedTo: SlackSettings.source, at: now())
        state.withLock { state in
            for person in changed { state.reading?.add(person) }
        }
    }

    /// Asks for people who are in no list of the workspace, such as those of other workspaces.
    func knowUsers(_ ids: [String]) async throws {
        let unknown = state.withLock { state in
            Set(ids).filter { state.reading?.person($0) == nil }
        }.sorted()
        for id in unknown {
            do {
                let reply = try await client.read("users.info", [("user", id)])
                if let person = reply.object("user").flatMap({ SlackPerson($0) }) { try await know([person]) }
            } catch ConnectorError.refused(let status, _) where status != 401 {
                // Somebody whom Slack does not show; the id is the name.
                try await know([SlackPerson(stranger: id)])
            }
        }
    }

    /// Returns how messages of a channel are read; nil if the channel is not known.
    func mapping(of channel: String) async throws -> SlackMapping? {
        let identity = try await identity()
        return state.withLock { state in
            guard let channel = state.channels[channel], let reading = state.reading else { return nil }
            return SlackMapping(
                settings: settings, identity: identity, naming: naming, channel: channel, reading: reading)
        }
    }
}
