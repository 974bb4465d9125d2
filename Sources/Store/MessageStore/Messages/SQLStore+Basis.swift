package import ChatCore

extension SQLStore {
    /// Returns the extent of a conversation that can have been read by now.
    package func extent(of id: ConversationID) async throws -> ReadBasis.Extent? {
        try await read { db in
            guard let number = try db.number("SELECT number FROM conversations WHERE id = ?", [id.rawValue]) else {
                return nil
            }
            let newest = try db.number("SELECT COALESCE(MAX(number), 0) FROM messages") ?? 0
            return ReadBasis.Extent(
                conversationID: id, through: MessageNumber(rawValue: newest),
                messageCount: try BasisRows.count(of: number, through: newest, in: db))
        }
    }

    /// Returns whether everything that was read is unchanged and may still be read.
    package func isUnchanged(_ basis: ReadBasis, at moment: Timestamp) async throws -> Bool {
        try await read { db in
            var reading = TurnReading(db: db, moment: moment)
            guard try basis.keys.allSatisfy({ try reading.sees($0, basis.asker) }) else { return false }
            let numbers = try basis.keys.compactMap { try StoredMessage.find($0, in: db)?.number }
            let since = try ChangeLog.number(of: basis.since, in: db)
            guard try db.number(BasisRows.changedMessages, [since, numbers]) == nil else {
                return false
            }
            guard let extent = basis.extent else { return true }
            let scope = SearchScope(asker: basis.asker, conversations: .only([extent.conversationID]))
            guard let place = try Permission.permittedNumbers(scope, at: moment, in: db).first else {
                return false
            }
            let through = extent.through.rawValue
            return try db.number(BasisRows.changedConversation, [since, place, through]) == nil
                && BasisRows.count(of: place, through: through, in: db) == extent.messageCount
        }
    }
}

/// The statements that compare a reading with the change log.
enum BasisRows {
    /// Values: the change before the reading, a list of message numbers.
    static let changedMessages = """
        SELECT 1 FROM changes WHERE number > ? AND kind = \(ChangeKind.message.rawValue) AND message IN (SELECT value FROM json_each(?)) LIMIT 1
        """

    /// Also a change of the conversation itself: it may be one of who may read what.
    ///
    /// Values: the change before the reading, conversation, the newest message that can have been read.
    static let changedConversation = """
        SELECT 1 FROM changes WHERE number > ? AND conversation = ? AND (
            kind IN (\(ChangeKind.conversation.rawValue), \(ChangeKind.readingRights.rawValue))
            OR kind = \(ChangeKind.message.rawValue) AND message <= ?) LIMIT 1
        """

    static func count(of conversation: Int64, through message: Int64, in db: any SQLSession) throws -> Int {
        Int(
            try db.number(
                "SELECT COUNT(*) FROM messages WHERE conversation = ? AND deleted_at IS NULL AND number <= ?",
                [conversation, message]) ?? 0)
    }
}
