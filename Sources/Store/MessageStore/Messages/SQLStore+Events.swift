package import ChatCore
import Synchronization

extension SQLStore {
    /// Applies one event, in one transaction.
    package func take(_ event: SourceEvent, authorSource: String, at moment: Timestamp) async throws -> EventOutcome {
        if let refusal = event.refusal { return refusal }
        let excludesDirect = excludesDirect.withLock { $0 }
        if case .message(_, let message?) = event.subject {
            try await makeNames(for: [message], by: .server(defaultUser: nil), at: moment)
        }
        let outcome = try await write { db in
            try EventTaking(db: db, authorSource: authorSource, excludesDirect: excludesDirect, moment: moment)
                .take(event)
        }
        // The write-ahead log still holds the deleted content.
        if outcome == .deleted { try? await checkpoint() }
        return outcome
    }
}

/// Applies one event, within one transaction.
struct EventTaking {
    let db: any SQLSession
    let authorSource: String
    let excludesDirect: Bool
    let moment: Timestamp

    func take(_ event: SourceEvent) throws -> EventOutcome {
        try db.run("DELETE FROM events WHERE taken_at < ?", [moment.microseconds - SourceEvent.memory])
        guard try db.number("SELECT 1 FROM events WHERE source = ? AND id = ?", [event.source, event.id]) == nil else {
            return .duplicate
        }
        let outcome =
            switch event.subject {
            case .message(let key, let message?): try take(message, of: key, at: event.stateTime)
            case .message(let key, nil): try delete(key, at: event.stateTime)
            case .conversation(let id, let roster): try take(roster, of: id, at: event.stateTime)
            }
        switch outcome {
        case .noSuchConversation, .invalid: break
        default:
            try db.run(
                "INSERT INTO events (source, id, taken_at) VALUES (?, ?, ?)",
                [event.source, event.id, moment.microseconds])
        }
        return outcome
    }

    private func take(_ given: Message, of key: MessageKey, at stateTime: Timestamp) throws -> EventOutcome {
        let stored = try StoredMessage.find(key, in: db)
        if let stored {
            guard stored.message.deletedAt == nil else { return .deletedBefore }
            guard try !isOutdated(stateTime, of: stored) else { return .outdated }
        }
        let message = try completed(given, stored: stored?.message, at: stateTime)
        var batch = try AcceptBatch(
            [AcceptBatch.Draft(MessageDraft(message))], source: authorSource, mode: .importing, isBacklog: false,
            at: moment, in: db)
        guard let outcome = try batch.accept(1, at: moment).first?.outcome else { return .stored }
        try batch.storePositions()
        switch outcome {
        case .inserted, .updated, .unchanged, .conflict: break
        case .deletedBefore: return .deletedBefore
        case .noSuchConversation:
            let deletion = try ConversationTombstones.time(of: key.conversationID, in: db)
            return deletion.map { stateTime.microseconds <= $0 } ?? false ? .outdated : .noSuchConversation
        case .invalid(let field, let reason): return .invalid(field: field, reason: reason)
        }
        try record(stateTime, of: key)
        return .stored
    }

    /// Combines the message of an event with the stored one.
    private func completed(_ given: Message, stored: Message?, at stateTime: Timestamp) throws -> Message {
        var message = stored ?? given
        (message.senderID, message.text, message.timestamp) = (given.senderID, given.text, given.timestamp)
        if let stored, stored.text != given.text { message.editedAt = stateTime }
        message.senderName = given.senderName
        if given.senderName.isEmpty {
            let user = try Authors.user(of: given.senderID.rawValue, source: authorSource, in: db) ?? given.senderID
            let member = try db.number(
                "SELECT number FROM conversations WHERE id = ?", [given.key.conversationID.rawValue]
            ).flatMap { try Member.find(user, of: $0, in: db) }
            let known = stored?.senderID == user ? stored?.senderName : nil
            message.senderName = known ?? member?.displayName ?? given.senderID.rawValue
        }
        return message
    }

    private func delete(_ key: MessageKey, at stateTime: Timestamp) throws -> EventOutcome {
        for (field, id) in [("conversationId", key.conversationID.rawValue), ("id", key.messageID.rawValue)] {
            guard MessageID(validating: id) != nil else { return .invalid(field: field, reason: "is not a usable id") }
        }
        guard let stored = try StoredMessage.find(key, in: db) else {
            try Tombstones.set(key, at: stateTime, in: db)
            return .deleted
        }
        guard stored.message.deletedAt == nil else { return .deleted }
        guard try !isOutdated(stateTime, of: stored) else { return .outdated }
        try MessageWriter(db, at: moment).replace(stored, with: stored.message.tombstone(at: moment))
        try TurnRows.redact(standingOn: key, in: db)
        try record(stateTime, of: key)
        return .deleted
    }

    private func isOutdated(_ stateTime: Timestamp, of stored: StoredMessage) throws -> Bool {
        let known = try db.number("SELECT source_time FROM messages WHERE number = ?", [stored.number])
        return known.map { stateTime.microseconds < $0 } ?? false
    }

    private func record(_ stateTime: Timestamp, of key: MessageKey) throws {
        try db.run(
            """
            UPDATE messages SET source_time = ?
            WHERE conversation = (SELECT number FROM conversations WHERE id = ?) AND id = ?
            """, [stateTime.microseconds, key.conversationID.rawValue, key.messageID.rawValue])
    }
}

extension EventTaking {
    private func take(_ roster: ConversationRoster?, of id: ConversationID, at stateTime: Timestamp) throws
        -> EventOutcome
    {
        let stored = try ConversationWriter.Stored.find(id, in: db)
        if let known = try knownTime(of: id), stateTime.microseconds < known { return .outdated }
        guard let roster else {
            guard let stored else {
                if ConversationID(validating: id.rawValue) != nil {
                    try ConversationTombstones.set(id, at: stateTime, in: db)
                }
                return .deleted
            }
            try letLeave(allBut: [], of: stored.number, at: stateTime)
            try record(stateTime, of: id)
            return .deleted
        }
        do {
            try store(roster, over: stored, at: stateTime)
        } catch RepositoryError.invalid(let field, let reason) {
            return .invalid(field: field, reason: reason)
        }
        try ConversationTombstones.remove(id, in: db)
        _ = try ExclusionWriter(db: db, excludesDirect: excludesDirect, moment: moment).apply(to: id)
        try record(stateTime, of: id)
        return .stored
    }

    /// The source's time of the stored state of a conversation, or of its deletion before it arrived.
    private func knownTime(of id: ConversationID) throws -> Int64? {
        try db.number("SELECT source_time FROM conversations WHERE id = ?", [id.rawValue])
            ?? ConversationTombstones.time(of: id, in: db)
    }

    private func store(
        _ given: ConversationRoster, over stored: ConversationWriter.Stored?, at stateTime: Timestamp
    ) throws {
        let writer = ConversationWriter(db: db, moment: moment)
        var roster = given
        roster.members = []
        if let stored {
            roster.conversation = stored.conversation
            roster.conversation.name = given.conversation.name ?? stored.conversation.name
        }
        _ = try writer.store(roster, source: authorSource, mode: .importing)
        guard let number = try ConversationWriter.Stored.find(given.conversation.id, in: db)?.number else { return }
        var present: Set<UserID> = []
        var isChanged = false
        for var member in given.members {
            try StoreRules.check(member)
            let user = try Authors.user(of: member.userID.rawValue, source: authorSource, in: db) ?? member.userID
            let known = try Member.find(user, of: number, in: db)
            if member.displayName.isEmpty { member.displayName = known?.displayName ?? member.userID.rawValue }
            member.aliases = known?.aliases ?? []
            if stored != nil { member.joinedAt = stateTime }
            if let known, known.leftAt == nil { member.joinedAt = known.joinedAt }
            if try writer.set(member, in: number, MembershipGiving(byHandFrom: authorSource)) { isChanged = true }
            present.insert(user)
        }
        if isChanged { try writer.touch(number) }
        try letLeave(allBut: present, of: number, at: stateTime)
    }

    private func letLeave(allBut present: Set<UserID>, of conversation: Int64, at stateTime: Timestamp) throws {
        let gone = try Member.rows(of: conversation, in: db).filter { $0.leftAt == nil && !present.contains($0.userID) }
        let writer = ConversationWriter(db: db, moment: moment)
        for member in gone {
            try db.run(
                "UPDATE members SET left_at = ?, importer = NULL WHERE conversation = ? AND user_id = ?",
                [stateTime.microseconds, conversation, member.userID.rawValue])
            try ReadingSpanRows(db: db).end(of: member.userID, in: conversation, at: stateTime)
            try LiveRows(db: db).handOver(from: member.userID, in: conversation, at: moment)
            try writer.logMembership(of: member.userID, in: conversation)
        }
        if !gone.isEmpty { try writer.touch(conversation) }
    }

    private func record(_ stateTime: Timestamp, of id: ConversationID) throws {
        try db.run(
            "UPDATE conversations SET source_time = ? WHERE id = ?", [stateTime.microseconds, id.rawValue])
    }
}
