import ChatCore
import Histories
import Synchronization

extension MatrixConnector {
    /// Compares the rooms that are stored with those that the homeserver names, and the members of all.
    func compareRooms() async throws {
        let moment = now()
        let joined = try await client.call("GET", ["v3", "joined_rooms"]).list("joined_rooms").compactMap { value in
            if case .string(let id) = value { id } else { nil }
        }
        let known = try await rooms.all().map(\.id)
        for id in Set(known).subtracting(joined).sorted() { try await close(id, readAt: moment) }
        for id in joined.sorted() { try await refresh(id) }
        state.withLock { $0.comparedAt = moment }
    }

    /// Reads a room's name, rule and members, and stores them; begins to read a room that is new, or was left.
    func refresh(_ id: String) async throws {
        guard try await !rooms.isClosed(id) else { return }
        let readAt = now()
        let events: [JSONFields]
        do {
            events = try await readState(of: id)
        } catch let error as ConnectorError where error.isAboutMembership {
            return try await close(id, readAt: readAt)
        }
        let room = MatrixRoomState(events, in: id)
        // After leaving, a homeserver still sends the state of that moment.
        guard room.isPresent(settings.userID) else { return try await close(id, readAt: readAt) }
        guard !room.isSpace else {
            state.withLock { _ = $0.spaces.insert(id) }
            // An earlier version kept it like a room.
            return try await close(id, readAt: readAt)
        }
        if try await isReplaced(id) {
            // The members are those of the room that replaced it.
            guard let known = try await rooms.room(id) else { return }
            return try await open(id, known.conversationID, room)
        }
        if try await rooms.room(id) == nil, try await replace(with: id, room, readAt: readAt) { return }
        let stored = try await rooms.room(id)
        let conversation = stored?.conversationID ?? HistoryNaming(source: MatrixSettings.source).conversation(id)
        let known = try await rooms.roster(of: conversation)
        var roster = room.roster(of: id, in: conversation, settings: settings, readAt: readAt, known: known)
        let before = stored.map { MatrixProgress($0.progress) }
        if known != nil, let rule = before?.visibility, rule != room.visibility?.rule ?? "" {
            roster.rights = room.rights(members: roster.members)
            roster.conversation.history = .joined
        }
        if let known, before?.openedAt != nil { roster = MatrixRoomState.continued(roster, from: known) }
        if known == nil {
            try await store.storeAuthors(
                room.authors(settings: settings), connectedTo: MatrixSettings.source, at: now())
        }
        try await rooms.store(roster)
        try await open(id, conversation, room)
        try await follow(room.replacement)
    }

    /// The state of a room as a list, which a homeserver sends without an object around it.
    func readState(of id: String) async throws -> [JSONFields] {
        try await client.list("GET", ["v3", "rooms", id, "state"])
    }

    /// Notes what was read of a room's state, after its members were stored.
    ///
    /// - Parameters:
    ///   - id: The room.
    ///   - conversation: Its conversation.
    ///   - room: Its state.
    ///   - openedAt: When it replaced another room; nil if that did not happen now.
    /// - Throws: ``RepositoryError``.
    func open(
        _ id: String, _ conversation: ConversationID, _ room: MatrixRoomState, openedAt: Timestamp? = nil
    ) async throws {
        let isNew = rooms.add(id, conversation)
        let isBack = try await rooms.room(id).map { MatrixProgress($0.progress).hasLeft } ?? false
        let rule = room.visibility?.rule ?? ""
        try await rooms.update(id) { progress in
            progress.visibility = rule
            if let openedAt { progress.openedAt = openedAt.microseconds }
            // What was deleted during the absence was never told, so all of it is read again.
            if isBack { (progress.from, progress.isComplete, progress.hasLeft) = (nil, false, false) }
        }
        let part = try await rooms.room(id).map { MatrixPart(conversation, MatrixProgress($0.progress)) }
        state.withLock { ($0.names[id], $0.parts[id]) = (room.names, part) }
        if isNew || isBack { work.signal() }
    }

    /// Notes that Nexus is no longer in a room; nobody reads its conversation any more, unless another room continues it.
    func close(_ id: String, readAt: Timestamp) async throws {
        if try await isReplaced(id) {
            try await rooms.update(id) { $0.hasLeft = true }
        } else {
            try await rooms.close(id, readAt: readAt)
        }
    }

    /// Begins to read a room's history again at its end.
    func readAgain(_ id: String) async throws {
        try await rooms.update(id) { ($0.from, $0.isComplete) = (nil, false) }
        work.signal()
    }

    /// Ends the membership of a person; the next complete list decides again.
    func remove(_ person: String, from room: String) async throws {
        guard try await !isReplaced(room) else { return }
        let mapping = mapping(of: room)
        try await rooms.remove(mapping.naming.user(person), named: mapping.name(of: person), from: room)
    }
}
