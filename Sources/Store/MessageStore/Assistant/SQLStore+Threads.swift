package import ChatCore

extension SQLStore {
    /// Stores a new thread.
    package func create(_ thread: AssistantThread) async throws {
        try await write { db in try ThreadRows.insert(thread, in: db) }
    }

    /// Stores a new thread that begins with a turn.
    package func create(_ thread: AssistantThread, beginningWith turn: TurnID) async throws {
        try await write { db in
            let number = try TurnRows.number(of: turn, user: thread.ownerID, in: db)
            try ThreadRows.insert(thread, in: db)
            var change = FollowedChange(.threads, in: db)
            try db.run(
                """
                UPDATE turns SET thread = (SELECT number FROM threads WHERE id = ?), change = ?
                WHERE number = ? AND thread IS NULL
                """, [thread.id.rawValue, try change.number(of: thread.ownerID), number])
            guard db.changedRowCount > 0 else { throw RepositoryError.conflict("the turn has a thread") }
        }
    }

    /// Returns a thread of a user.
    package func thread(_ id: ThreadID, of user: UserID) async throws -> AssistantThread {
        try await read { db in try ThreadRows.find(id, of: user, in: db) }
    }

    /// Returns a user's threads, the last used first, at most `limit`.
    package func threads(of user: UserID, after place: AssistantThread.Place?, limit: Int) async throws
        -> [AssistantThread]
    {
        try await read { db in
            var values: [SQLArgument] = [user.rawValue]
            if let place { values += [place.updatedAt.microseconds, place.id.rawValue] }
            return try db.rows(ThreadRows.page(isFirst: place == nil), values + [max(0, limit)])
                .map(ThreadRows.thread)
        }
    }

    /// Returns the changes of a user's threads after a position.
    package func threadChanges(of user: UserID, after cursor: ChangeCursor?, limit: Int) async throws
        -> ListChanges<AssistantThread>
    {
        try await read { db in
            let values: [SQLArgument] = [user.rawValue]
            let reading = FollowedList.Reading(rows: ThreadRows.followed, values: values) { start, end in
                try db.rows(ThreadRows.changed, values + [start, end]).map(ThreadRows.thread)
            }
            return try FollowedList.threads(of: user).changes(after: cursor, limit: limit, in: db, reading)
        }
    }

    /// Sets or removes the title of a thread.
    package func rename(_ id: ThreadID, of user: UserID, title: String?) async throws -> AssistantThread {
        try await write { db in
            let title = try AssistantThread.checked(title: title)
            let number = try ThreadRows.number(of: id, user: user, in: db)
            var change = FollowedChange(.threads, in: db)
            try db.run(
                "UPDATE threads SET title = ?, change = ? WHERE number = ?",
                [title, try change.number(of: user), number])
            return try ThreadRows.find(id, of: user, in: db)
        }
    }

    /// Deletes a thread with its turns.
    package func delete(_ id: ThreadID, of user: UserID) async throws {
        try await write { db in
            try db.ahead(
                { _ = try ThreadRows.number(of: id, user: user, in: db) },
                { try ThreadRows.prepareRemoval(of: id, in: db) })
            _ = try ThreadRows.number(of: id, user: user, in: db)
            var change = FollowedChange(.threads, in: db)
            try ThreadRows.remove(id, tellingOwner: &change, in: db)
        }
    }

    /// Returns the thread that a user has with a conversation's own assistant.
    package func exchange(of user: UserID, in conversation: ConversationID, at moment: Timestamp) async throws
        -> AssistantThread?
    {
        try await read { db in try ThreadRows.exchange(of: user, in: conversation, at: moment, in: db) }
    }

    /// Returns the changes of a user's turns with a conversation's own assistant after a position.
    package func exchangeChanges(
        of user: UserID, in conversation: ConversationID, after cursor: ChangeCursor?, limit: Int, at moment: Timestamp
    ) async throws -> ListChanges<Turn> {
        try await read { db in
            let place = try Permission.number(of: conversation, for: user, at: moment, in: db)
            let values: [SQLArgument] = [conversation.rawValue, user.rawValue]
            let reading = FollowedList.Reading(rows: TurnRows.followed, values: values) { start, end in
                try TurnRows.list(TurnRows.changed, values + [start, end], .max, in: db)
            }
            return try FollowedList.exchange(of: user, in: place)
                .changes(after: cursor, limit: limit, in: db, reading)
        }
    }

    /// Returns the thread that a user has with a conversation's own assistant; makes it if there is none.
    package func openExchange(of user: UserID, in conversation: ConversationID, id: ThreadID, at moment: Timestamp)
        async throws -> AssistantThread
    {
        try await write { db in
            try ThreadRows.openExchange(of: user, in: conversation, id: id, at: moment, in: db)
        }
    }

    /// Returns what an answer inside a conversation begins with.
    package func beginning(of user: UserID, in conversation: ConversationID, at moment: Timestamp) async throws
        -> ExchangeBeginning
    {
        try await read { db in
            try db.ahead(
                { _ = try Permission.conversation(conversation, for: user, at: moment, in: db) },
                { _ = try Self.roster(of: conversation, in: db) },
                { _ = try ThreadRows.exchange(of: user, in: conversation, at: moment, in: db) })
            let permitted = try Permission.conversation(conversation, for: user, at: moment, in: db)
            return ExchangeBeginning(
                conversation: permitted, roster: try Self.roster(of: conversation, in: db),
                thread: try ThreadRows.exchange(of: user, in: conversation, at: moment, in: db))
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

    /// Values: owner; for later pages time and id of the last thread; the limit.
    static func page(isFirst: Bool) -> String {
        selection + "WHERE h.owner_id = ? \(isFirst ? "" : "AND (h.updated_at, h.id) < (?, ?) ")"
            + "ORDER BY h.updated_at DESC, h.id DESC LIMIT ?"
    }

    /// Values: owner.
    static let followed = "FROM threads WHERE owner_id = ?"

    /// Values: owner, the last known change, the last change to report.
    static let changed =
        selection + "WHERE h.owner_id = ? AND h.change > ? AND h.change <= ? ORDER BY h.change, h.number"

    /// Values: conversation, owner.
    static let ofConversation = selection + "WHERE h.conversation_id = ? AND h.owner_id = ?"

    static func thread(_ row: SQLRow) throws -> AssistantThread {
        AssistantThread(
            id: row.identifier(0), ownerID: row.identifier(1), givenTitle: row[2], firstQuestion: row[7],
            conversationID: (row[3] as String?).map { ConversationID(rawValue: $0) }, turnCount: row[6],
            createdAt: row.moment(4), updatedAt: row.moment(5))
    }

    static func find(_ id: ThreadID, of user: UserID, in db: any SQLSession) throws -> AssistantThread {
        let row = try db.row(selection + "WHERE h.id = ? AND h.owner_id = ?", [id.rawValue, user.rawValue])
        guard let row else { throw RepositoryError.noSuchThread(id) }
        return try thread(row)
    }

    /// The number of a user's thread, as a value of a statement; values: its id, the user.
    static let numberOfID = "(SELECT number FROM threads WHERE id = ? AND owner_id = ?)"

    /// Returns the number of a user's thread.
    static func number(of id: ThreadID, user: UserID, in db: any SQLSession) throws -> Int64 {
        let number = try db.number(
            "SELECT number FROM threads WHERE id = ? AND owner_id = ?", [id.rawValue, user.rawValue])
        guard let number else { throw RepositoryError.noSuchThread(id) }
        return number
    }

    static func exchange(
        of user: UserID, in conversation: ConversationID, at moment: Timestamp, in db: any SQLSession
    ) throws -> AssistantThread? {
        let values: [SQLArgument] = [conversation.rawValue, user.rawValue]
        try db.ahead(
            { _ = try Permission.number(of: conversation, for: user, at: moment, in: db) },
            { _ = try db.row(ofConversation, values) })
        _ = try Permission.number(of: conversation, for: user, at: moment, in: db)
        return try db.row(ofConversation, values).map(thread)
    }

    static func insert(_ thread: AssistantThread, in db: any SQLSession) throws {
        try StoreRules.check(thread)
        try prepareInsertion(of: thread, in: db)
        guard try numberOfAny(thread.id, in: db) == nil else {
            throw RepositoryError.conflict("a thread with this id exists")
        }
        guard try numberOfExchange(thread, in: db) == nil else {
            throw RepositoryError.conflict("a thread with this assistant exists")
        }
        var change = FollowedChange(.threads, in: db)
        try db.run(
            """
            INSERT INTO threads (id, owner_id, title, conversation_id, created_at, updated_at, change)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                thread.id.rawValue, thread.ownerID.rawValue, try AssistantThread.checked(title: thread.givenTitle),
                thread.conversationID?.rawValue, thread.createdAt.microseconds, thread.updatedAt.microseconds,
                try change.number(of: thread.ownerID),
            ])
    }

    /// Returns the thread that a user has with a conversation's own assistant; makes it if there is none.
    static func openExchange(
        of user: UserID, in conversation: ConversationID, id: ThreadID, at moment: Timestamp, in db: any SQLSession
    ) throws -> AssistantThread {
        try prepareExchange(of: user, in: conversation, id: id, at: moment, in: db)
        if let found = try exchange(of: user, in: conversation, at: moment, in: db) { return found }
        let thread = AssistantThread(id: id, ownerID: user, conversationID: conversation, createdAt: moment)
        try insert(thread, in: db)
        return thread
    }

    /// Reads what ``openExchange(of:in:id:at:in:)`` needs.
    static func prepareExchange(
        of user: UserID, in conversation: ConversationID, id: ThreadID, at moment: Timestamp, in db: any SQLSession
    ) throws {
        let thread = AssistantThread(id: id, ownerID: user, conversationID: conversation, createdAt: moment)
        try db.ahead(
            { _ = try exchange(of: user, in: conversation, at: moment, in: db) },
            { try prepareInsertion(of: thread, in: db) })
    }

    /// Reads what ``insert(_:in:)`` needs.
    static func prepareInsertion(of thread: AssistantThread, in db: any SQLSession) throws {
        try db.ahead({ _ = try numberOfAny(thread.id, in: db) }, { _ = try numberOfExchange(thread, in: db) })
    }

    private static func numberOfAny(_ id: ThreadID, in db: any SQLSession) throws -> Int64? {
        try db.number("SELECT number FROM threads WHERE id = ?", [id.rawValue])
    }

    /// Returns the number of the thread that the owner has with the same assistant.
    private static func numberOfExchange(_ thread: AssistantThread, in db: any SQLSession) throws -> Int64? {
        guard let conversation = thread.conversationID else { return nil }
        return try db.number(
            "SELECT number FROM threads WHERE conversation_id = ? AND owner_id = ?",
            [conversation.rawValue, thread.ownerID.rawValue])
    }

    /// Deletes a thread with its turns, and notes their removal for the followers of the owner's lists.
    static func remove(_ id: ThreadID, tellingOwner change: inout FollowedChange, in db: any SQLSession) throws {
        try prepareRemoval(of: id, in: db)
        guard let row = try db.row(ownership, [id.rawValue]) else { return }
        let owner: UserID = row.identifier(1)
        try change.logRemoval(of: id.rawValue, from: .threads(of: owner))
        if let conversation: Int64 = row[2] {
            for turn in try db.rows(turns, [id.rawValue]) {
                try change.logRemoval(of: turn[0], from: .exchange(of: owner, in: conversation))
            }
        }
        try db.run("DELETE FROM threads WHERE number = ?", [row[0] as Int64])
    }

    /// Reads what ``remove(_:tellingOwner:in:)`` needs.
    static func prepareRemoval(of id: ThreadID, in db: any SQLSession) throws {
        try db.ahead({ _ = try db.row(ownership, [id.rawValue]) }, { _ = try db.rows(turns, [id.rawValue]) })
    }

    /// Number, owner and conversation of a thread; value: its id.
    private static let ownership = """
        SELECT h.number, h.owner_id, c.number FROM threads h LEFT JOIN conversations c ON c.id = h.conversation_id
        WHERE h.id = ?
        """

    /// The ids of a thread's turns; value: the thread's id.
    private static let turns =
        "SELECT id FROM turns WHERE thread = (SELECT number FROM threads WHERE id = ?) ORDER BY number"

    /// Notes that turns and their threads changed; rows with number, thread and asker of each turn.
    static func log(turns: [SQLRow], in db: any SQLSession) throws {
        var change = FollowedChange(.threads, in: db)
        for turn in turns { try log(turn, by: &change, in: db) }
    }

    /// Notes that a turn and its thread changed; returns the change.
    @discardableResult
    static func log(_ turn: SQLRow, by change: inout FollowedChange, in db: any SQLSession) throws -> Int64 {
        let entry = try change.number(of: turn.identifier(2))
        try db.run("UPDATE turns SET change = ? WHERE number = ?", [entry, turn[0] as Int64])
        if let thread = turn[1] as Int64? {
            try db.run("UPDATE threads SET change = ? WHERE number = ?", [entry, thread])
        }
        return entry
    }
}
