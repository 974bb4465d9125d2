public import ChatCore
import GRDB

extension SQLiteStore {
    /// Returns all generations, oldest first.
    public func generations() async throws -> [EmbeddingGeneration] {
        try await read { db in try GenerationRows.all(in: db) }
    }

    /// Begins a generation and queues every message for it in place of one that is being filled, or returns the one
    /// that is there already.
    public func beginGeneration(_ space: EmbeddingSpace, baseURL: String?, refilling: Bool, at moment: Timestamp)
        async throws -> EmbeddingGeneration
    {
        try await write { db in
            let all = try GenerationRows.all(in: db)
            let existing = all.last {
                $0.space == space && $0.baseURL == baseURL
                    && ($0.state == .filling || ($0.state == .serving && !refilling))
            }
            if let existing { return existing }
            for old in all where old.state == .filling { try GenerationRows.retire(old.number.rawValue, in: db) }
            let state = all.isEmpty ? EmbeddingGeneration.State.serving : .filling
            return try GenerationRows.insert(space, baseURL: baseURL, state: state, at: moment, in: db)
        }
    }

    /// Lets a generation serve, and retires the one that did, with its queue entries and vectors.
    ///
    /// The passages that go with it are not announced one by one: followers read the new generation anyway. A
    /// generation that is unknown or retired is ``RepositoryError/invalid(field:reason:)``.
    public func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await write { db in
            let all = try GenerationRows.all(in: db)
            guard let next = all.first(where: { $0.number == generation }), next.state != .retired else {
                throw RepositoryError.invalid(field: "generation", reason: "is unknown or retired")
            }
            guard next.state != .serving else { return }
            for old in all where old.state == .serving { try GenerationRows.retire(old.number.rawValue, in: db) }
            try GenerationRows.set(.serving, of: generation.rawValue, in: db)
        }
    }
}

/// The rows of `generations`.
enum GenerationRows {
    static func all(in db: Database) throws -> [EmbeddingGeneration] {
        try db.rows(
            """
            SELECT number, provider, model, dimensions, query_prefix, passage_prefix, preparation_version, base_url,
                state
            FROM generations ORDER BY number
            """
        ).map { row in
            EmbeddingGeneration(
                number: GenerationNumber(rawValue: row[0]),
                space: EmbeddingSpace(
                    provider: row[1], model: row[2], dimensions: row[3], queryPrefix: row[4], passagePrefix: row[5],
                    preparationVersion: row[6]), baseURL: row[7], state: try row.word(8))
        }
    }

    static func insert(
        _ space: EmbeddingSpace, baseURL: String?, state: EmbeddingGeneration.State, at moment: Timestamp,
        in db: Database
    ) throws -> EmbeddingGeneration {
        try db.run(
            """
            INSERT INTO generations (provider, model, dimensions, query_prefix, passage_prefix, preparation_version,
                base_url, state, begun_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                space.provider, space.model, space.dimensions, space.queryPrefix, space.passagePrefix,
                space.preparationVersion, baseURL, state.rawValue, moment.microseconds,
            ])
        let number = db.lastInsertedRowID
        try db.run(
            """
            INSERT INTO queue (generation, message, state, attempts, is_retry, is_backlog, message_time, queued_at)
            SELECT ?, number, 0, 0, 0, 1, timestamp, ? FROM messages WHERE is_embeddable = 1
                AND conversation NOT IN (SELECT number FROM conversations WHERE is_excluded = 1)
            """, [number, moment.microseconds])
        try ChangeLog.append(.generation, generation: number, to: db)
        return EmbeddingGeneration(
            number: GenerationNumber(rawValue: number), space: space, baseURL: baseURL, state: state)
    }

    static func retire(_ number: Int64, in db: Database) throws {
        try db.run("DELETE FROM queue WHERE generation = ?", [number])
        try db.run("DELETE FROM passages WHERE generation = ?", [number])
        try db.run("DELETE FROM index_snapshots WHERE generation = ?", [number])
        try set(.retired, of: number, in: db)
    }

    static func set(_ state: EmbeddingGeneration.State, of number: Int64, in db: Database) throws {
        try db.run("UPDATE generations SET state = ? WHERE number = ?", [state.rawValue, number])
        try ChangeLog.append(.generation, generation: number, to: db)
    }
}
