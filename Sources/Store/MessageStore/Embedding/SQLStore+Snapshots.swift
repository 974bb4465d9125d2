package import ChatCore

extension SQLStore {
    package func snapshots() async throws -> [GenerationNumber: SnapshotRecord] {
        try await read { db in
            var records: [GenerationNumber: SnapshotRecord] = [:]
            for row in try db.rows("SELECT generation, name, cursor FROM index_snapshots") {
                records[GenerationNumber(rawValue: row[0])] = Self.record(name: row[1], cursor: row[2])
            }
            return records
        }
    }

    package func setSnapshot(_ record: SnapshotRecord?, of generation: GenerationNumber) async throws -> Bool {
        try await write { db in
            let number = generation.rawValue
            try db.run("DELETE FROM index_snapshots WHERE generation = ?", [number])
            let isThere = try db.number(
                "SELECT number FROM generations WHERE number = ? AND state IN ('serving', 'filling')", [number])
            guard isThere != nil else { return false }
            if let record {
                try db.run(
                    "INSERT INTO index_snapshots (generation, name, cursor) VALUES (?, ?, ?)",
                    [number, record.name, record.cursor.description])
            }
            return true
        }
    }

    package func wordSnapshot() async throws -> SnapshotRecord? {
        try await read { db in
            try db.row("SELECT name, cursor FROM word_snapshots").flatMap { Self.record(name: $0[0], cursor: $0[1]) }
        }
    }

    package func setWordSnapshot(_ record: SnapshotRecord?) async throws {
        try await write { db in
            try db.run("DELETE FROM word_snapshots")
            guard let record else { return }
            try db.run(
                "INSERT INTO word_snapshots (id, name, cursor) VALUES (1, ?, ?)",
                [record.name, record.cursor.description])
        }
    }

    private static func record(name: String, cursor: String) -> SnapshotRecord? {
        ChangeCursor(cursor).map { SnapshotRecord(name: name, cursor: $0) }
    }
}
