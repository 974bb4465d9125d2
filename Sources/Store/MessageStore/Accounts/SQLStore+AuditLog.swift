package import ChatCore

extension SQLStore {
    package func record(_ draft: AuditAct.Draft) async throws {
        try await write { db in try AuditRows(db: db).insert(draft) }
    }

    package func setResult(_ result: AuditResult, of act: String) async throws {
        try await write { db in
            try db.run("UPDATE audit_log SET result = ? WHERE act = ?", [result.rawValue, act])
        }
    }

    package func auditEntries(_ query: AuditQuery) async throws -> [AuditEntry] {
        try await read { db in try AuditRows(db: db).entries(query) }
    }

    /// Removes the oldest entries before a time.
    ///
    /// - Returns: Whether there may be more.
    /// - Throws: Storage errors.
    package func trimAuditLog(before moment: Timestamp, limit: Int) async throws -> Bool {
        try await write { db in
            try db.run(
                """
                DELETE FROM audit_log WHERE number IN (
                    SELECT number FROM audit_log WHERE started_at < ? ORDER BY started_at LIMIT ?)
                """, [moment.microseconds, limit])
            return db.changedRowCount >= limit
        }
    }
}

/// The rows of `audit_log`, within one transaction.
struct AuditRows {
    let db: any SQLSession

    func insert(_ draft: AuditAct.Draft) throws {
        let (act, actor) = (draft.act, draft.act.actor)
        try db.ahead(
            { _ = try presentName(of: actor) },
            { for change in draft.changes { _ = try presentID(of: change.subject, since: act.startedAt) } })
        let name = try presentName(of: actor) ?? actor.name
        for var change in draft.changes {
            change.detail = change.detail.map { Self.textLimit.cut($0) }
            let id = try presentID(of: change.subject, since: act.startedAt)
            change.subject?.id = id.map { Self.textLimit.cut($0) }
            try db.run(
                """
                INSERT INTO audit_log (
                    act, started_at, actor, actor_id, actor_name, origin, action, subject, subject_id, detail, result)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    act.id, act.startedAt.microseconds, actor.kind.rawValue, actor.id, name, act.origin.rawValue,
                    change.action.rawValue, change.subject?.kind, change.subject?.id, change.detail,
                    draft.result.rawValue,
                ])
        }
    }

    /// The most of a text that a caller chose.
    private static let textLimit = TextLimit(characters: 256)

    /// Returns the id of an object; nil for a person who was erased after the act began.
    private func presentID(of subject: AuditSubject?, since moment: Timestamp) throws -> String? {
        guard let subject, let id = subject.id, subject.kind == "user" else { return subject?.id }
        return try AuthorityRows(db: db).isErased(id, since: moment) ? nil : id
    }

    private func presentName(of actor: AuditActor) throws -> String? {
        guard let id = actor.id else { return nil }
        return switch actor.kind {
        case .account: try db.row("SELECT name FROM accounts WHERE user_id = ?", [id])?[0]
        case .key: try db.row("SELECT name FROM api_keys WHERE id = ?", [id])?[0]
        case .operator, .anyone: nil
        }
    }

    func entries(_ query: AuditQuery) throws -> [AuditEntry] {
        var conditions = ["number < ?1"]
        var values: [SQLArgument] = [query.before ?? .max]
        func require(_ condition: (String) -> String, _ value: SQLArgument?) {
            guard let value else { return }
            values.append(value)
            conditions.append(condition("?\(values.count)"))
        }
        require(
            { "((actor = 'account' AND actor_id = \($0)) OR (subject = 'user' AND subject_id = \($0)))" },
            query.person?.rawValue)
        require({ "action = \($0)" }, query.action)
        require({ "started_at >= \($0)" }, query.from?.microseconds)
        require({ "started_at < \($0)" }, query.until?.microseconds)
        values.append(query.limit)
        return try db.rows(
            """
            SELECT number, started_at, actor, actor_id, actor_name, origin, action, subject, subject_id, detail, result
            FROM audit_log WHERE \(conditions.joined(separator: " AND ")) ORDER BY number DESC LIMIT ?\(values.count)
            """, values
        ).map { row in
            let kind: String? = row[7]
            return AuditEntry(
                number: row[0], startedAt: row.moment(1),
                actor: AuditActor(try row.word(2), id: row[3], name: row[4]), origin: try row.word(5), action: row[6],
                subject: kind.map { AuditSubject(kind: $0, id: row[8]) }, detail: row[9], result: try row.word(10))
        }
    }

    /// Removes the id and the name of what is erased.
    func forget(_ subject: ErasureSubject) throws {
        let subject: AuditSubject =
            switch subject {
            case .user(let id): .user(id)
            case .conversation(let id): .conversation(id)
            }
        if subject.kind == "user" {
            try db.run(
                "UPDATE audit_log SET actor_id = NULL, actor_name = NULL WHERE actor_id = ? AND actor = 'account'",
                [subject.id])
        }
        try db.run(
            "UPDATE audit_log SET subject_id = NULL WHERE subject_id = ? AND subject = ?", [subject.id, subject.kind])
    }

    /// Removes the names of the rooms of a connection that ends.
    func forgetRooms(of source: String) throws {
        try db.run("UPDATE audit_log SET detail = NULL WHERE subject_id = ? AND subject = 'connection'", [source])
    }
}
