import MessageStore

/// Transactions, and parts of them.
extension PostgresSession {
    /// How often a transaction that lost against others is repeated.
    private static let repetitionLimit = 5

    /// Runs a transaction that sees one state of the database.
    ///
    /// It does not wait for the end of the transaction.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        known = [:]
        defer { known = nil }
        return try transaction(["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"], body) {
            try send("COMMIT")
            try noting { try connection.flush() }
        }
    }

    /// Runs a transaction that writes: no other one writes before it ends.
    ///
    /// The counter is stored and the transaction committed in one request, because others wait for the counter.
    func write<Value>(_ body: () throws -> Value) throws -> Value {
        try repeating { try writeOnce(body) }
    }

    private func writeOnce<Value>(_ body: () throws -> Value) throws -> Value {
        (counters, lastMark) = ([:], nil)
        defer { counters = nil }
        let value = try transaction(["BEGIN ISOLATION LEVEL READ COMMITTED"]) {
            try send(PostgresSchema.lockLog, for: .lastNumber(table: "changes"))
            try send(PostgresSchema.lastNumbers, for: .lastNumbers)
            // A write ends with the position of the log, which begins with the epoch.
            try send(ChangeLog.storedEpoch, for: .answer(to: ChangeLog.storedEpoch))
            return try body()
        } end: {
            if !waiting.isEmpty { try sendWaiting() }
            for (table, counter) in counters ?? [:] where counter.last != counter.base {
                let isLog = table == "changes"
                let sql = isLog ? PostgresSchema.storeHead : PostgresSchema.storeNumber(of: table)
                try send(sql, [.integer(counter.last)], for: isLog ? .mark : .rowCount)
            }
            try send("COMMIT")
            try settle()
        }
        if let lastMark, let number = counters?["changes"]?.last {
            lineage.remember(LogMemory.Mark(number: number, mark: lastMark), of: origin)
        }
        return value
    }

    /// Runs a transaction that writes beside others, and cannot give numbers of the log.
    func writeAside<Value>(seesOneState: Bool, _ body: () throws -> Value) throws -> Value {
        let level = seesOneState ? "REPEATABLE READ" : "READ COMMITTED"
        return try repeating {
            let beginning = ["BEGIN ISOLATION LEVEL \(level)", "SET LOCAL synchronous_commit TO DEFAULT"]
            return try transaction(beginning, body) {
                try send("COMMIT")
                try settle()
            }
        }
    }

    /// Runs a transaction again if it lost against another one.
    private func repeating<Value>(_ transaction: () throws -> Value) throws -> Value {
        var count = 0
        while true {
            do {
                return try transaction()
            } catch let failure as PostgresFailure where failure.isLostRace && count < Self.repetitionLimit && isUsable
            {
                count += 1
            }
        }
    }

    /// Lets single statements wait for no disk and no standby: leases, buckets, tickets and kept responses may be lost in
    /// a crash, and must not keep all connections that read busy while a standby is gone.
    func commitWithoutWaiting() throws { try runScript("SET synchronous_commit = off") }

    /// Runs statements that may take long.
    func withoutLimit<Value>(_ body: () throws -> Value) rethrows -> Value {
        let limit = connection.answerLimit
        connection.answerLimit = nil
        defer { connection.answerLimit = limit }
        return try body()
    }

    private func transaction<Value>(
        _ beginning: [String], _ body: () throws -> Value, end: () throws -> Void
    ) throws -> Value {
        hasTransaction = true
        gathered.forget()
        askedRows = [:]
        defer {
            hasTransaction = false
            gathered.forget()
        }
        (failure, isEarlierOpen, isBroken) = (nil, false, false)
        do {
            for statement in beginning { try send(statement) }
            let value = try body()
            try end()
            return value
        } catch {
            let error = failure ?? error
            waiting = []
            awaitAnswers()
            failure = nil
            do {
                try send("ROLLBACK")
                try settle()
            } catch {
                hasFailed = true
            }
            throw error
        }
    }

    /// Runs a part of the transaction; undoes it if the body says so, or fails.
    ///
    /// It does not wait for the answers. If a statement of an earlier part turns out to have failed, the transaction is
    /// broken.
    func inSavepoint(_ body: () throws -> SavepointEnd) throws {
        let before = counters
        try send("SAVEPOINT part")
        if uses.contains(where: { $0 != .none }) { isEarlierOpen = true }
        do {
            switch try body() {
            case .rollback: try undoPart(to: before)
            case .commit: try send("RELEASE part")
            }
        } catch {
            let error = failure ?? error
            try? undoPart(to: before)
            throw error
        }
    }

    private func undoPart(to before: [String: Counter]?) throws {
        waiting = []
        gathered.forget()
        awaitAnswers()
        if isBroken, let failure { throw failure }
        failure = nil
        for (table, counter) in counters ?? [:] { counters?[table]?.last = before?[table]?.last ?? counter.base }
        try send("ROLLBACK TO part")
        try send("RELEASE part")
    }
}
