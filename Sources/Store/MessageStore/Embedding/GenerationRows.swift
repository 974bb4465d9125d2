import ChatCore

/// The rows of `generations`.
enum GenerationRows {
    static let unknown = RepositoryError.invalid(field: "generation", reason: "is unknown or retired")

    /// Passages that are deleted in one transaction.
    private static let deletionLimit = 1_000

    static func all(in db: any SQLSession) throws -> [EmbeddingGeneration] {
        try db.rows(
            """
            SELECT number, provider, model, dimensions, query_prefix, passage_prefix, preparation_version, base_url,
                state, requests_dimensions, since, switch_share, fill_rate, served_at, cosine_mean, cosine_contrast
            FROM generations ORDER BY number
            """
        ).map { row in
            let (mean, contrast): (Double?, Double?) = (row[14], row[15])
            return EmbeddingGeneration(
                number: GenerationNumber(rawValue: row[0]),
                space: EmbeddingSpace(
                    provider: row[1], model: row[2], dimensions: row[3], queryPrefix: row[4], passagePrefix: row[5],
                    preparationVersion: row[6]), baseURL: row[7], state: try row.word(8), requestsDimensions: row[9],
                since: row.momentIfAny(10), switchShare: row[11], fillRate: row[12], servedAt: row.momentIfAny(13),
                scale: mean.flatMap { mean in contrast.map { CosineScale(mean: mean, contrast: $0) } })
        }
    }

    /// Begins or continues the planned generation; returns it, and the generations that it replaced.
    static func begin(
        _ plan: GenerationPlan, at moment: Timestamp, in db: any SQLSession
    ) throws -> (EmbeddingGeneration, replaced: [Int64]) {
        let all = try all(in: db)
        if var existing = try plan.existing(among: all) {
            guard existing.state == .filling else { return (existing, []) }
            try db.run(
                "UPDATE generations SET switch_share = ?, fill_rate = ?, requests_dimensions = ? WHERE number = ?",
                [plan.switchShare, plan.fillRate, plan.requestsDimensions, existing.number.rawValue])
            existing.switchShare = plan.switchShare
            existing.fillRate = plan.fillRate
            existing.requestsDimensions = plan.requestsDimensions
            return (existing, [])
        }
        guard plan.space.isUsable else { throw GenerationPlan.unusable }
        let replaced = all.filter { $0.state == .filling }.map(\.number.rawValue)
        for number in replaced { try retire(number, in: db) }
        let isFirst = all.allSatisfy { $0.state == .retired }
        let state = isFirst ? EmbeddingGeneration.State.serving : .filling
        return (try insert(plan, state: state, at: moment, in: db), replaced)
    }

    private static func insert(
        _ plan: GenerationPlan, state: EmbeddingGeneration.State, at moment: Timestamp, in db: any SQLSession
    ) throws -> EmbeddingGeneration {
        let space = plan.space
        let servedAt = state == .serving ? moment : nil
        try db.run(
            """
            INSERT INTO generations (provider, model, dimensions, query_prefix, passage_prefix, preparation_version,
                base_url, state, begun_at, requests_dimensions, since, switch_share, fill_rate, served_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                space.provider, space.model, space.dimensions, space.queryPrefix, space.passagePrefix,
                space.preparationVersion, plan.baseURL, state.rawValue, moment.microseconds, plan.requestsDimensions,
                plan.since?.microseconds, plan.switchShare, plan.fillRate, servedAt?.microseconds,
            ])
        let number = db.insertedNumber
        try db.run(
            """
            INSERT INTO queue (generation, message, state, attempts, is_retry, is_backlog, message_time, queued_at)
            SELECT ?, number, 0, 0, 0, 1, timestamp, ? FROM messages WHERE is_embeddable = 1 AND timestamp >= ?
                AND conversation NOT IN (SELECT number FROM conversations WHERE is_excluded = 1)
            """, [number, moment.microseconds, plan.since?.microseconds ?? .min])
        try ChangeLog.append(.generation, generation: number, to: db)
        return EmbeddingGeneration(
            number: GenerationNumber(rawValue: number), plan: plan, state: state, servedAt: servedAt)
    }

    /// Retires a generation; ``deletePassages(of:in:)`` deletes its passages.
    static func retire(_ number: Int64, in db: any SQLSession) throws {
        try db.run("DELETE FROM queue WHERE generation = ?", [number])
        try db.run("DELETE FROM index_snapshots WHERE generation = ?", [number])
        try set(.retired, of: number, in: db)
    }

    /// Deletes some of a generation's passages with their vectors; returns whether any are left.
    static func deletePassages(of number: Int64, in db: any SQLSession) throws -> Bool {
        try db.run(
            "DELETE FROM passages WHERE number IN (SELECT number FROM passages WHERE generation = ? LIMIT ?)",
            [number, deletionLimit])
        return db.changedRowCount == deletionLimit
    }

    /// Makes the serving generation standby; its snapshot file would become outdated, so its record is deleted.
    static func standBy(_ number: Int64, in db: any SQLSession) throws {
        try db.run("DELETE FROM index_snapshots WHERE generation = ?", [number])
        try set(.standby, of: number, in: db)
    }

    static func set(_ state: EmbeddingGeneration.State, of number: Int64, in db: any SQLSession) throws {
        try db.run("UPDATE generations SET state = ? WHERE number = ?", [state.rawValue, number])
        try ChangeLog.append(.generation, generation: number, to: db)
    }
}
