public import ChatCore
import GRDB

extension SQLiteStore {
    /// Returns all generations, oldest first.
    public func generations() async throws -> [EmbeddingGeneration] {
        try await read { db in try GenerationRows.all(in: db) }
    }

    /// Begins a generation and queues every message that it covers, or goes on with the one that is there already.
    public func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration {
        let (generation, replaced) = try await write { db in try GenerationRows.begin(plan, at: moment, in: db) }
        for number in replaced { try await clear(number) }
        // A process that ended while it gave room back has left the rest.
        for old in try await generations() where old.state == .retired && !replaced.contains(old.number.rawValue) {
            let hasRows = try await read { db in
                try db.number(PassageRows.any, [old.number.rawValue]) != nil
            }
            if hasRows { try await clear(old.number.rawValue) }
        }
        return generation
    }

    /// Lets a generation serve; the one that did stands by.
    public func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await write { db in
            let all = try GenerationRows.all(in: db)
            guard let next = all.first(where: { $0.number == generation }), next.state != .retired else {
                throw GenerationRows.unknown
            }
            guard next.state != .serving else { return }
            for old in all where old.state == .serving { try GenerationRows.standBy(old.number.rawValue, in: db) }
            try db.run(
                "UPDATE generations SET served_at = ? WHERE number = ?", [moment.microseconds, generation.rawValue])
            try GenerationRows.set(.serving, of: generation.rawValue, in: db)
        }
    }

    /// Forgets the bound of a generation's speed.
    public func endFill(of generation: GenerationNumber) async throws {
        try await write { db in
            try db.run("UPDATE generations SET fill_rate = NULL WHERE number = ?", [generation.rawValue])
        }
    }

    /// Retires a generation that does not serve, or that no search can use, and gives its room back.
    public func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await write { db in
            guard let found = try GenerationRows.all(in: db).first(where: { $0.number == generation }) else {
                throw RepositoryError.invalid(field: "generation", reason: "is unknown")
            }
            guard found.state != .serving || !found.space.isUsable else {
                throw RepositoryError.conflict("generation \(generation.rawValue) serves; switch to another one first")
            }
            if found.state != .retired { try GenerationRows.retire(generation.rawValue, in: db) }
        }
        try await clear(generation.rawValue)
    }

    /// Deletes the vectors of a retired generation and gives their room back, a little at a time: what people write
    /// meanwhile does not wait for it.
    private func clear(_ generation: Int64) async throws {
        while try await write({ db in try GenerationRows.deletePassages(of: generation, in: db) }) {}
        while try await write({ db in try FreePages.giveBack(in: db) }) {}
        // A log that a reader holds is emptied later.
        try? await checkpoint()
    }
}

/// Pages of the database file that hold nothing any longer.
enum FreePages {
    /// Pages that are given back in one transaction.
    private static let pageLimit = 2_000

    /// Gives some pages back to the file system, which sees it at the next checkpoint; returns whether any are left.
    static func giveBack(in db: Database) throws -> Bool {
        let before = try count(in: db)
        guard before > 0 else { return false }
        try db.execute(sql: "PRAGMA incremental_vacuum(\(pageLimit))")
        let after = try count(in: db)
        return after > 0 && after < before
    }

    private static func count(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
    }
}
