import ChatCore
import Histories
import Synchronization

extension MatrixConnector {
    /// Compares the rooms that are stored with those that the homeserver names, and the members of all.
    func compareRooms() async throws {
        try await load()
        let moment = now()
        let joined = try await client.call("GET", ["v3", "joined_rooms"]).list("joined_rooms").compactMap { value in
            if case .string(let id) = value { id } else { nil }
        }
        let known = state.withLock { Array($0.rooms.keys) }
        for id in Set(known).subtracting(joined).sorted() { try await close(id, readAt: moment) }
        for id in joined.sorted() { try await refresh(id) }
        state.withLock { $0.comparedAt = moment }
    }

    /// Reads a room's name, rule and members, and stores them; begins to read a room that is new, or was left.
    func refresh(_ id: String) async throws {
        try await load()
        guard try await !isErased(id) else { return }
        let readAt = now()
        let events: [JSONFields]
        do {
            events = try await readState(of: id)
        } catch let error as MatrixError where error.isAboutMembership {
            return try await close(id, readAt: readAt)
        }
        let room = MatrixRoomState(events, in: id)
        // After leaving, a homeserver still sends the state of that moment.
        guard room.isPresent(settings.userID) else { return try await close(id, readAt: readAt) }
        let mapping = MatrixMapping(settings: settings, names: room.names)
        let conversation = mapping.naming.conversation(id)
        let known = try await knownRoster(of: conversation)
        var roster = room.roster(of: id, settings: settings, readAt: readAt, known: known)
        let before = state.withLock { $0.rooms[id].map { MatrixProgress($0.progress) } }
        if known != nil, let rule = before?.visibility, rule != room.visibility?.rule ?? "" {
            roster.rights = room.rights(members: roster.members)
            roster.conversation.history = .joined
        }
        if known == nil { try await store.storeAuthors(room.authors(settings: settings)) }
        _ = try await store.store([roster], source: MatrixSettings.source, mode: .importing, at: now())
        try await open(id, conversation, room, isBack: before?.hasLeft ?? false)
    }

    /// Whether the conversation of a room was erased, perhaps a moment ago.
    private func isErased(_ id: String) async throws -> Bool {
        guard let known = try await room(id) else { return false }
        let stored = try await store.connectorRooms(of: MatrixSettings.source).first { $0.id == id }
        guard let stored, stored.isErased, !known.isErased else { return known.isErased }
        state.withLock { $0.rooms[id] = stored }
        return true
    }

    /// The state of a room as a list, which a homeserver sends without an object around it.
    private func readState(of id: String) async throws -> [JSONFields] {
        try await client.list(["v3", "rooms", id, "state"])
    }

    private func knownRoster(of id: ConversationID) async throws -> ConversationRoster? {
        do {
            return try await store.roster(of: id)
        } catch RepositoryError.noSuchConversation {
            return nil
        }
    }

    private func open(
        _ id: String, _ conversation: ConversationID, _ room: MatrixRoomState, isBack: Bool
    ) async throws {
        let isNew = state.withLock { state in
            state.names[id] = room.names
            let isNew = state.rooms[id] == nil
            if isNew {
                state.rooms[id] = ConnectorRoom(id: id, conversationID: conversation, progress: "")
            }
            return isNew
        }
        let rule = room.visibility?.rule ?? ""
        try await update(id) { progress in
            progress.visibility = rule
            // What was deleted during the absence was never told, so all of it is read again.
            if isBack { (progress.from, progress.isComplete, progress.hasLeft) = (nil, false, false) }
        }
        if isNew || isBack { work.signal() }
    }

    /// Begins to read a room's history again at its end.
    func readAgain(_ id: String) async throws {
        try await update(id) { ($0.from, $0.isComplete) = (nil, false) }
        work.signal()
    }

    /// Ends the membership of a person; the next complete list decides again.
    func remove(_ person: String, from room: String) async throws {
        let mapping = mapping(of: room)
        guard var roster = try await knownRoster(of: mapping.naming.conversation(room)) else { return }
        let moment = now()
        roster.members = [
            Member(
                userID: mapping.naming.user(person), displayName: mapping.name(of: person),
                joinedAt: Timestamp(microseconds: 0), leftAt: moment)
        ]
        (roster.listedAt, roster.rights) = (nil, nil)
        _ = try await store.store([roster], source: MatrixSettings.source, mode: .importing, at: moment)
    }

    /// Ends all memberships of a room that Nexus is no longer in: it does not hear any more who leaves.
    func close(_ id: String, readAt: Timestamp) async throws {
        guard let room = try await room(id), !MatrixProgress(room.progress).hasLeft, !room.isErased else { return }
        if var roster = try await knownRoster(of: room.conversationID) {
            roster.members = []
            (roster.listedAt, roster.rights) = (readAt, nil)
            _ = try await store.store([roster], source: MatrixSettings.source, mode: .importing, at: now())
        }
        try await update(id) { $0.hasLeft = true }
    }
}
