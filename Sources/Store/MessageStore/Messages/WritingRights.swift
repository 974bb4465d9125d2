import ChatCore

/// Decides within the transaction of a change which messages a writer may change.
struct WritingRights {
    let writer: Writer
    let moment: Timestamp
    let db: any SQLSession

    init(of writer: Writer, at moment: Timestamp, in db: any SQLSession) {
        (self.writer, self.moment, self.db) = (writer, moment, db)
    }

    /// Reads what the decision begins with.
    func prepare(_ key: MessageKey) throws {
        try db.ahead({ _ = try sees(key.conversationID) }, { _ = try StoredMessage.find(key, in: db) })
    }

    /// Returns a message that the writer may change, deleted or not.
    ///
    /// - Throws: ``PermissionError/notOwn``; ``RepositoryError/noSuchConversation(_:)``,
    ///   ``RepositoryError/noSuchMessage(_:)``.
    func changeable(_ key: MessageKey) throws -> StoredMessage {
        let stored = try seen(key)
        guard writer.mayChange(stored.message) else { throw PermissionError.notOwn }
        return stored
    }

    /// Returns a message that the writer sees, or the remains of a deleted one.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    func seen(_ key: MessageKey) throws -> StoredMessage {
        try prepare(key)
        guard try sees(key.conversationID) else { throw RepositoryError.noSuchConversation(key.conversationID) }
        guard let stored = try StoredMessage.find(key, in: db) else { throw RepositoryError.noSuchMessage(key) }
        guard let reader = writer.reader, stored.message.deletedAt == nil else { return stored }
        var reading = MessageReading(reader: reader, moment: moment, db: db)
        guard try !reading.hides(stored) else { throw RepositoryError.noSuchMessage(key) }
        return stored
    }

    /// Whether there is such a conversation, and the writer sees it.
    private func sees(_ id: ConversationID) throws -> Bool {
        let statement = Self.seeing(id, by: writer.reader, at: moment)
        return try db.row(statement.sql, statement.values) != nil
    }

    /// Returns the statement with a row if a reader sees a conversation; nil sees every one that there is.
    static func seeing(_ id: ConversationID, by reader: UserID?, at moment: Timestamp) -> SQLStatement {
        reader.map { SQLStatement(Permission.one, [$0.rawValue, moment.microseconds, id.rawValue]) }
            ?? SQLStatement(ConversationWriter.Stored.byID, [id.rawValue])
    }
}
