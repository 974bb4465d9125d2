public import ChatCore
import GRDB

extension SQLiteStore {
    /// Makes a thread.
    public func create(_ thread: AssistantThread) async throws {
        try await write { db in try ThreadRows.insert(thread, in: db) }
    }

    /// Returns a thread of a user.
    public func thread(_ id: ThreadID, of user: UserID) async throws -> AssistantThread {
        try await read { db in try ThreadRows.find(id, of: user, in: db) }
    }

    /// Returns a user's threads, the last used first, at most `limit`.
    public func threads(of user: UserID, after place: AssistantThread.Place?, limit: Int) async throws
        -> [AssistantThread]
    {
        try await read { db in
            var condition = "WHERE h.owner_id = ? "
            var values: [SQLValue] = [user.rawValue]
            if let place {
                condition += "AND (h.updated_at, h.id) < (?, ?) "
                values += [place.updatedAt.microseconds, place.id.rawValue]
            }
            return try db.rows(
                ThreadRows.selection + condition + "ORDER BY h.updated_at DESC, h.id DESC LIMIT ?",
                values + [max(0, limit)]
            ).map(ThreadRows.thread)
        }
    }

    /// Gives a thread a title, or takes it away.
    public func rename(_ id: ThreadID, of user: UserID, title: String?) async throws -> AssistantThread {
        try await write { db in
            let title = try AssistantThread.checked(title: title)
            let number = try ThreadRows.number(of: id, user: user, in: db)
            try db.run("UPDATE threads SET title = ? WHERE number = ?", [title, number])
            return try ThreadRows.find(id, of: user, in: db)
        }
    }

    /// Deletes a thread with its turns.
    public func delete(_ id: ThreadID, of user: UserID) async throws {
        try await write { db in
            try db.run("DELETE FROM threads WHERE number = ?", [try ThreadRows.number(of: id, user: user, in: db)])
        }
    }

    /// Returns the thread that a user has with a conversation's own assistant.
    public func exchange(of user: UserID, in conversation: ConversationID, at moment: Timestamp) async throws
        -> AssistantThread?
    {
        try await read { db in try ThreadRows.exchange(of: user, in: conversation, at: moment, in: db) }
    }

    /// Returns the thread that a user has with a conversation's own assistant, which is made where there is none.
    public func openExchange(of user: UserID, in conversation: ConversationID, id: ThreadID, at moment: Timestamp)
        async throws -> AssistantThread
    {
        try await write { db in
            if let found = try ThreadRows.exchange(of: user, in: conversation, at: moment, in: db) { return found }
            let thread = AssistantThread(id: id, ownerID: user, conversationID: conversation, createdAt: moment)
            try ThreadRows.insert(thread, in: db)
            return thread
        }
    }
}

/// The rows of `threads`.
enum ThreadRows {
    static let selection = """
        SELECT h.id, h.owner_id, h.title, h.conversation_id, h.created_at, h.updated_at,
            (SELECT COUNT(*) FROM turns t WHERE t.thread = h.number),
            (SELECT t.question FROM turns t WHERE t.thread = h.number AND t.question <> ''
                ORDER BY t.asked_at, t.number LIMIT 1)
        FROM threads h

        """

    static func thread(_ row: Row) throws -> AssistantThread {
        AssistantThread(
            id: row.identifier(0), ownerID: row.identifier(1), givenTitle: row[2], firstQuestion: row[7],
            conversationID: (row[3] as String?).map { ConversationID(rawValue: $0) }, turnCount: row[6],
            createdAt: row.moment(4), updatedAt: row.moment(5))
    }

    static func find(_ id: ThreadID, of user: UserID, in db: Database) throws -> AssistantThread {
        let row = try db.row(selection + "WHERE h.id = ? AND h.owner_id = ?", [id.rawValue, user.rawValue])
        guard let row else { throw RepositoryError.noSuchThread(id) }
        return try thread(row)
    }

    /// Returns the number of a user's thread.
    static func number(of id: ThreadID, user: UserID, in db: Database) throws -> Int64 {
        let number = try db.number(
            "SELECT number FROM threads WHERE id = ? AND owner_id = ?", [id.rawValue, user.rawValue])
        guard let number else { throw RepositoryError.noSuchThread(id) }
        return number
    }

    static func exchange(
        of user: UserID, in conversation: ConversationID, at moment: Timestamp, in db: Database
    ) throws -> AssistantThread? {
        let scope = SearchScope(asker: user, conversations: .only([conversation]))
        guard try !Permission.permitted(scope, at: moment, in: db).isEmpty else {
            throw RepositoryError.noSuchConversation(conversation)
        }
        return try db.row(
            selection + "WHERE h.conversation_id = ? AND h.owner_id = ?", [conversation.rawValue, user.rawValue]
        ).map(thread)
    }

    static func insert(_ thread: AssistantThread, in db: Database) throws {
        try StoreRules.check(thread)
        guard try db.number("SELECT number FROM threads WHERE id = ?", [thread.id.rawValue]) == nil else {
            throw RepositoryError.conflict("a thread with this id exists")
        }
        if let conversation = thread.conversationID {
            let known = try db.number(
                "SELECT number FROM threads WHERE conversation_id = ? AND owner_id = ?",
                [conversation.rawValue, thread.ownerID.rawValue])
            guard known == nil else { throw RepositoryError.conflict("a thread with this assistant exists") }
        }
        try db.run(
            """
            INSERT INTO threads (id, owner_id, title, conversation_id, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                thread.id.rawValue, thread.ownerID.rawValue, try AssistantThread.checked(title: thread.givenTitle),
                thread.conversationID?.rawValue, thread.createdAt.microseconds, thread.updatedAt.microseconds,
            ])
    }
}
