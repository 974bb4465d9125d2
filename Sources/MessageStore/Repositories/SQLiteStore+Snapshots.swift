public import ChatCore
import GRDB

extension SQLiteStore {
    /// Returns the names of snapshot files that are remembered.
    public func snapshotNames() async throws -> [GenerationNumber: String] {
        try await read { db in
            let rows = try db.rows("SELECT generation, name FROM index_snapshots")
            return Dictionary(
                rows.map { (GenerationNumber(rawValue: $0[0]), $0[1]) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Remembers the name of a generation's snapshot file in place of the one before; nil forgets it.
    public func setSnapshotName(_ name: String?, of generation: GenerationNumber) async throws -> Bool {
        try await write { db in
            let number = generation.rawValue
            try db.run("DELETE FROM index_snapshots WHERE generation = ?", [number])
            let isThere = try db.number(
                "SELECT number FROM generations WHERE number = ? AND state IN ('serving', 'filling')", [number])
            guard isThere != nil else { return false }
            if let name { try db.run("INSERT INTO index_snapshots (generation, name) VALUES (?, ?)", [number, name]) }
            return true
        }
    }

    /// Returns the name that is remembered of the file of words.
    public func wordSnapshotName() async throws -> String? {
        try await read { db in try db.row("SELECT name FROM word_snapshots").map { $0[0] } }
    }

    /// Remembers the name of the file of words in place of the one before; nil forgets it.
    public func setWordSnapshotName(_ name: String?) async throws {
        try await write { db in
            try db.run("DELETE FROM word_snapshots")
            if let name { try db.run("INSERT INTO word_snapshots (id, name) VALUES (1, ?)", [name]) }
        }
    }
}
