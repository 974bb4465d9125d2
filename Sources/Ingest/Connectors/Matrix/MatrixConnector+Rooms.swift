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
        for id in Set(known).subtracting(joined).sorted() { try await rooms.close(id, readAt: moment) }
        for id in joined.sorted() { try await refresh(id) }
        state.withLock { $0.comparedAt = moment }
    }

    /// Reads a room's name, rule and members, and stores them; begins to read a room that is new, or was left.
    func refresh(_ id: String) async throws {
        guard try await !rooms.isErased(id) else { return }
        let readAt = now()
        let events: [JSONFields]
        do {
            events = try await readState(of: id)
        } catch let error as ConnectorError where error.isAboutMembership {
            return try await rooms.close(id, readAt: readAt)
        }
        let room = MatrixRoomState(events, in: id)
        // After leaving, a homeserver still sends the state of that moment.
        guard room.isPresent(settings.userID) else { return try await rooms.close(id, readAt: readAt) }
        let mapping = MatrixMapping(settings: settings, names: room.names)
        let conversation = mapping.naming.conversation(id)
        let known = try await rooms.roster(of: conversation)
        var roster = room.roster(of: id, settings: settings, readAt: readAt, known: known)
        let before = try await rooms.room(id).map { MatrixProgress($0.progress) }
        if known != nil, let rule = before?.visibility, rule != room.visibility?.rule ?? "" {
            roster.rights = room.rights(members: roster.members)
            roster.conversation.history = .joined
        }
        if known == nil { try await store.storeAuthors(room.authors(settings: settings)) }
        try await rooms.store(roster)
        try await open(id, conversation, room, isBack: before?.hasLeft ?? false)
    }

    /// The state of a room as a list, which a homeserver sends without an object around it.
    private func readState(of id: String) async throws -> [JSONFields] {
        try await client.list("GET", ["v3", "rooms", id, "state"])
    }

    private func open(
        _ id: String, _ conversation: ConversationID, _ room: MatrixRoomState, isBack: Bool
    ) async throws {
        state.withLock { $0.names[id] = room.names }
        let isNew = rooms.add(id, conversation)
        let rule = room.visibility?.rule ?? ""
        try await rooms.update(id) { progress in
            progress.visibility = rule
            // What was deleted during the absence was never told, so all of it is read again.
            if isBack { (progress.from, progress.isComplete, progress.hasLeft) = (nil, false, false) }
        }
        if isNew || isBack { work.signal() }
    }

    /// Begins to read a room's history again at its end.
    func readAgain(_ id: String) async throws {
        try await rooms.update(id) { ($0.from, $0.isComplete) = (nil, false) }
        work.signal()
    }

    /// Ends the membership of a person; the next complete list decides again.
    func remove(_ person: String, from room: String) async throws {
        let mapping = mapping(of: room)
        try await rooms.remove(mapping.naming.user(person), named: mapping.name(of: person), from: room)
    }
}
