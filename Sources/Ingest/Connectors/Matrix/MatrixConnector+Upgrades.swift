import ChatCore
import Histories
import Synchronization

/// An upgraded room is another room, which says which one it replaces, and the old one says the same with a tombstone.
///
/// Both are one conversation. From the tombstone on its members are those of the new room; who is only in the old one
/// reads nothing of the new one. What was written before is read by those who read the old room then.
extension MatrixConnector {
    /// Whether another room continues the conversation of this one.
    func isReplaced(_ id: String) async throws -> Bool {
        guard let room = try await rooms.room(id), let next = MatrixProgress(room.progress).replacedBy else {
            return false
        }
        return try await rooms.room(next)?.conversationID == room.conversationID
    }

    /// Makes a room that is new here continue the conversation of the room that it replaced.
    ///
    /// - Parameters:
    ///   - id: The new room.
    ///   - room: Its state.
    ///   - readAt: When reading began.
    /// - Returns: Whether it did: both rooms must say so, because anybody can make a room that names another one.
    /// - Throws: ``RepositoryError``, ``ConnectorError``.
    func replace(with id: String, _ room: MatrixRoomState, readAt: Timestamp) async throws -> Bool {
        guard let old = room.predecessor, let earlier = try await rooms.room(old), try await !rooms.isClosed(old),
            try await !isReplaced(old), !MatrixProgress(earlier.progress).hasLeft,
            let known = try await rooms.roster(of: earlier.conversationID)
        else { return false }
        let state: [JSONFields]
        do {
            state = try await readState(of: old)
        } catch let error as ConnectorError where error.isAboutMembership {
            return false
        }
        let before = MatrixRoomState(state, in: old)
        guard let tombstone = before.replacement, tombstone.room == id, before.isPresent(settings.userID) else {
            return false
        }
        let naming = HistoryNaming(source: MatrixSettings.source)
        let readers = Set(before.readers(at: tombstone.at).filter { $0 != settings.userID }.map(naming.user))
        let conversation = earlier.conversationID
        try await store.storeAuthors(room.authors(settings: settings), connectedTo: MatrixSettings.source, at: now())
        // First nothing of the old room is in the new one's time, then people of the new room may read that time.
        try await end(old, at: tombstone.at, by: id)
        func roster(_ known: ConversationRoster?) -> ConversationRoster {
            room.roster(of: id, in: conversation, settings: settings, readAt: readAt, known: known)
        }
        var continued = MatrixRoomState.continued(roster(known), from: known)
        continued.rights = room.rights(since: tombstone.at, readers: readers, members: roster(nil).members)
        try await rooms.store(continued)
        try await open(id, conversation, room, openedAt: tombstone.at)
        return true
    }

    /// Ends a room's part of its conversation, and deletes what was written there later.
    private func end(_ id: String, at moment: Timestamp, by next: String) async throws {
        // What arrives from now on is left out.
        try await rooms.update(id) { ($0.replacedBy, $0.replacedAt) = (next, moment.microseconds) }
        guard let room = try await rooms.room(id) else { return }
        let part = MatrixPart(room.conversationID, MatrixProgress(room.progress))
        state.withLock { $0.parts[id] = part }
        var from: String?
        while true {
            var query = [("dir", "b"), ("limit", "\(settings.pageSize)")]
            if let from { query.append(("from", from)) }
            let readAt = now()
            let reply = try await client.call("GET", ["v3", "rooms", id, "messages"], query: query)
            let chunk = reply.objects("chunk")
            let events = chunk.compactMap { MatrixEvent($0, in: id) }
            var page = ConnectorPage(source: MatrixSettings.source, room: id)
            for event in events where event.timestamp >= moment && event.isOfMessageType {
                mapping(of: id).addDeletion(of: event.id, to: &page, readAt: readAt)
            }
            if !page.messages.isEmpty { try await store.take(page, at: now()) }
            from = reply.text("end")
            // Services may give messages any time, so one that is early does not end the part.
            let isBefore = !events.isEmpty && events.allSatisfy { $0.timestamp < moment }
            if isBefore || chunk.isEmpty || from == nil { return }
        }
    }

    /// Joins the room that replaced one, if somebody of the same homeserver says so and the room lets Nexus in.
    func follow(_ replacement: (room: String, at: Timestamp, sender: String)?) async throws {
        guard let replacement, settings.isOwn(replacement.sender), try await rooms.room(replacement.room) == nil else {
            return
        }
        do {
            try await client.call("POST", ["v3", "rooms", replacement.room, "join"], body: .object([:]))
        } catch let error as ConnectorError where error.isAboutMembership {
            // Somebody has to invite Nexus.
        }
    }
}
