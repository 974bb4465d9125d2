package import ChatCore

extension SQLStore {
    /// Stores a turn; see ``TurnRepository/record(_:trace:)``.
    package func record(_ turn: Turn, trace: TurnTrace?) async throws {
        try await write { db in try TurnRows.insert(turn, trace: trace, in: db) }
    }

    /// Stores a turn in the thread with a conversation's own assistant; makes the thread if there is none.
    package func record(
        _ turn: Turn, trace: TurnTrace?, inExchangeWith conversation: ConversationID, newID: ThreadID,
        at moment: Timestamp
    ) async throws {
        try await write { db in
            var turn = turn
            turn.threadID = nil
            try db.ahead([turn]) { turn in
                try db.ahead(
                    {
                        try ThreadRows.prepareExchange(
                            of: turn.askerID, in: conversation, id: newID, at: moment, in: db)
                    }, { try TurnRows.prepare(turn, in: db) })
            }
            turn.threadID = try ThreadRows.openExchange(
                of: turn.askerID, in: conversation, id: newID, at: moment, in: db
            ).id
            try TurnRows.insert(turn, trace: trace, inOwnThread: true, in: db)
        }
    }

    /// Returns a user's turns before a turn, newest first, at most `limit`.
    package func turns(of user: UserID, in thread: ThreadID?, before: TurnID?, limit: Int) async throws -> [Turn] {
        try await read { db in
            let condition = TurnRows.owned(inThread: thread != nil)
            let owner = thread.map { [$0.rawValue, user.rawValue] as [SQLArgument] } ?? [user.rawValue]
            func page() throws -> [Turn] {
                var values = owner
                if let before {
                    let row = try db.row(
                        "SELECT asked_at, number FROM turns \(condition) AND id = ?", owner + [before.rawValue])
                    guard let row else { throw RepositoryError.invalid(field: "before", reason: "names no turn") }
                    values += [row[0] as Int64, row[1] as Int64]
                }
                return try TurnRows.list(
                    TurnRows.page(inThread: thread != nil, isFirst: before == nil), values, limit, in: db)
            }
            guard let thread else { return try page() }
            try db.ahead(
                { _ = try ThreadRows.number(of: thread, user: user, in: db) }, { _ = try page() })
            _ = try ThreadRows.number(of: thread, user: user, in: db)
            return try page()
        }
    }

    /// Returns a turn of a user.
    package func turn(_ id: TurnID, of user: UserID) async throws -> Turn {
        try await read { db in try TurnRows.find(id, user: user, in: db) }
    }

    /// Deletes a turn of a user.
    package func deleteTurn(_ id: TurnID, of user: UserID) async throws {
        try await write { db in try TurnRows.remove(try TurnRows.number(of: id, user: user, in: db), in: db) }
    }

    /// Returns the parts of turns that their askers may see at a moment.
    package func readable(_ turns: [Turn], at moment: Timestamp) async throws -> [ReadableTurn] {
        try await read { db in
            var reading = TurnReading(db: db, moment: moment)
            return try reading.readable(turns)
        }
    }

    /// Stores the asker's feedback on a turn.
    package func setFeedback(_ feedback: TurnFeedback?, on id: TurnID, of user: UserID) async throws -> Turn {
        try await write { db in
            try StoreRules.check(feedback)
            try db.ahead(
                { _ = try TurnRows.number(of: id, user: user, in: db) },
                { _ = try TurnRows.find(id, user: user, in: db) })
            let number = try TurnRows.number(of: id, user: user, in: db)
            var turn = try TurnRows.find(id, user: user, in: db)
            turn.feedback = feedback
            if turn.redaction != nil { turn.feedback?.reason = nil }
            try db.run(
                "UPDATE turns SET rating = ?, rating_reason = ?, rated_at = ? WHERE number = ?",
                [
                    feedback?.rating.rawValue, turn.feedback?.reason, feedback?.givenAt.microseconds, number,
                ])
            // The thread itself does not change.
            if turn.threadID != nil {
                var change = FollowedChange(.threads, in: db)
                try db.run("UPDATE turns SET change = ? WHERE number = ?", [try change.number(of: user), number])
            }
            return turn
        }
    }

    /// Returns the turns with feedback that were not redacted, oldest first.
    package func judgedTurns(after id: TurnID?, limit: Int) async throws -> [Turn] {
        try await read { db in
            let place = try id.map { try TurnRows.number(of: $0, user: nil, in: db) } ?? 0
            return try TurnRows.list(
                "WHERE rating IS NOT NULL AND number > ? AND redaction IS NULL ORDER BY number", [place], limit, in: db)
        }
    }

    /// Returns the trace of a turn.
    package func trace(of id: TurnID, user: UserID?, at moment: Timestamp) async throws -> TurnTrace? {
        try await read { db in
            try db.ahead(
                { _ = try TurnRows.find(id, user: user, in: db) }, { _ = try TurnTraceRows.find(id, in: db) })
            let turn = try TurnRows.find(id, user: user, in: db)
            guard var trace = try TurnTraceRows.find(id, in: db) else { return nil }
            guard let user else {
                trace.searchedQuestion = nil
                return trace
            }
            let reading = TurnReading(db: db, moment: moment)
            try db.ahead(
                {
                    _ = try db.together(trace.hits) { hit in
                        var reading = reading
                        _ = try reading.sees(hit.key, user)
                    }
                },
                {
                    var reading = reading
                    _ = try reading.readable([turn])
                })
            var seeing = reading
            trace.hits = try trace.hits.filter { try seeing.sees($0.key, user) }
            if try !seeing.readable([turn]).allSatisfy(\.isWhole) { trace.searchedQuestion = nil }
            return trace
        }
    }

    /// Returns the turns of all users that were not redacted, newest first, at most `limit`.
    package func recentTurns(limit: Int) async throws -> [Turn] {
        try await read { db in
            try TurnRows.list("WHERE question <> '' ORDER BY asked_at DESC, number DESC", [], limit, in: db)
        }
    }
}
