package import ChatCore
import Synchronization

extension SQLStore: ConnectionRepository {
    /// Returns what was decided about a source.
    package func connection(to source: String) async throws -> ConnectionDecision {
        try await read { db in try ConnectionRows(source: source, db: db).decision() }
    }

    /// Pauses a connection, or lets it read again.
    package func setConnection(to source: String, isActive: Bool, at moment: Timestamp) async throws {
        try await write { db in
            let rows = ConnectionRows(source: source, db: db)
            switch (try rows.decision().state, isActive) {
            case (.active, true), (.paused, false), (.disconnected, false): break
            case (.disconnecting, _): throw RepositoryError.conflict("the connection is being removed")
            case (.active, false): try rows.decide(.paused, at: moment)
            case (.paused, true), (.disconnected, true): try rows.decide(.active, at: moment)
            }
        }
    }

    /// Leaves out the conversation of a room, or takes it in again.
    package func setLeftOut(
        _ room: String, of source: String, _ isLeftOut: Bool, at moment: Timestamp
    ) async throws -> Bool {
        try await write { db in
            try ConnectionRows(source: source, db: db).setLeftOut(room, isLeftOut, at: moment)
        }
    }

    /// Begins to disconnect a source.
    package func beginDisconnecting(_ source: String, at moment: Timestamp) async throws -> [ConversationID] {
        try await write { db in
            let rows = ConnectionRows(source: source, db: db)
            try rows.beginDisconnecting(at: moment)
            return try rows.conversations()
        }
    }

    /// Returns the conversations of a source's rooms.
    package func connectedConversations(of source: String) async throws -> [ConversationID] {
        try await read { db in try ConnectionRows(source: source, db: db).conversations() }
    }

    /// Returns the people of a source who have nothing else here.
    package func peopleOnly(of source: String) async throws -> [UserID] {
        try await read { db in try ConnectionRows(source: source, db: db).peopleOnly() }
    }

    /// Removes the rooms and names of a source that is being disconnected.
    package func removeRemains(of source: String) async throws {
        try await write { db in try ConnectionRows(source: source, db: db).removeRemains() }
    }

    /// Ends disconnecting.
    package func endDisconnecting(_ source: String, at moment: Timestamp) async throws {
        try await write { db in try ConnectionRows(source: source, db: db).endDisconnecting(at: moment) }
    }

    /// Keeps an event until its connector takes it.
    package func keepEvent(
        _ event: String, _ body: String, of source: String, at moment: Timestamp
    ) async throws -> Bool {
        try await write { db in
            let rows = ConnectionRows(source: source, db: db)
            guard try rows.decision().state == .active else { return false }
            try rows.keep(event, body, at: moment)
            return true
        }
    }

    /// Returns the first events that wait.
    package func waitingEvents(of source: String, limit: Int) async throws -> [WaitingEvent] {
        try await read { db in
            try db.rows(
                """
                SELECT number, body FROM connector_inbox WHERE source = ? AND body IS NOT NULL ORDER BY number LIMIT ?
                """, [source, limit]
            ).map { WaitingEvent(number: $0[0], body: $0[1]) }
        }
    }

    /// Removes the body of an event that was taken.
    package func settleEvent(_ number: Int64, at moment: Timestamp) async throws {
        try await write { db in try ConnectionRows.settle(number, at: moment, in: db) }
    }

    /// Stores the conversation of a room with its members.
    package func store(
        _ roster: ConversationRoster, connectedTo source: String, at moment: Timestamp
    ) async throws {
        let excludesDirect = excludesDirect.withLock { $0 }
        try await write { db in
            let rows = ConnectionRows(source: source, db: db)
            try rows.requireActive()
            var roster = roster
            if try rows.isLeftOut(roster.conversation.id) {
                (roster.members, roster.listedAt, roster.rights) = ([], moment, nil)
            }
            _ = try ConversationWriter(db: db, moment: moment).store(roster, source: source, mode: .importing)
            let exclusion = ExclusionWriter(db: db, excludesDirect: excludesDirect, moment: moment)
            _ = try exclusion.apply(to: roster.conversation.id)
        }
    }

    /// Stores the facts that a source reports about authors.
    package func storeAuthors(
        _ authors: [Identity], connectedTo source: String, at moment: Timestamp
    ) async throws {
        try await write { db in
            try ConnectionRows(source: source, db: db).requireActive()
            for author in authors { try Authors.store(author, in: db) }
            try AddressRows(db: db, moment: moment).follow(authors, of: source)
        }
    }
}
