import ChatCore
import Crypto
import Foundation

/// Copies a whole workspace into an empty store of either database.
///
/// Each portion is one transaction of the target together with the progress, so an interrupted migration continues where
/// it was. The target can be used once the rows of all tables were compared.
package struct StoreMigration: Sendable {
    /// Called after each step; may throw to interrupt the migration.
    package typealias Note = @Sendable (MigrationStep) throws -> Void

    private let source: SQLStore
    private let target: SQLStore
    private let note: Note
    private var limits = MigratedTable.Limits()

    /// - Parameters:
    ///   - source: A store that was opened as a source; nobody else may write it.
    ///   - target: A store that was opened as a target.
    ///   - note: Called after each step.
    package init(from source: SQLStore, to target: SQLStore, note: @escaping Note = { _ in }) {
        (self.source, self.target, self.note) = (source, target, note)
    }

    /// The same with other portions, for tests.
    package init(from source: SQLStore, to target: SQLStore, portionRowCount: Int, note: @escaping Note) {
        self.init(from: source, to: target, note: note)
        limits.rowCount = portionRowCount
    }

    /// Copies everything that is not in the target yet, compares, and lets the target be used.
    ///
    /// - Returns: The numbers of rows and files.
    /// - Throws: ``MigrationError``, ``RepositoryError``, and the errors of `note`. The target cannot be used then.
    package func run() async throws -> MigrationReport {
        let tables = try await tables()
        let origin = try await source.read { db in try MigrationRecord.Source(of: db) }
        let isContinued = try await begin(origin, tables)
        for table in tables { try await copy(table) }
        let files = try await copyFiles()
        let counts = try await compare(tables, as: origin)
        try await finish()
        return MigrationReport(
            rows: counts, fileCount: files.count, missingFiles: files.missing, isContinued: isContinued)
    }

    /// The tables, with columns in the order of the source.
    private func tables() async throws -> [MigratedTable] {
        let present = try await source.read { db in try MigratedTable.all(in: db) }
        let wanted = try await target.read { db in try MigratedTable.all(in: db) }
        return try MigratedTable.names.map { name in
            guard let table = present[name], let other = wanted[name], !table.columns.isEmpty,
                Set(table.columns) == Set(other.columns)
            else { throw MigrationError.tableDiffers(name) }
            return table
        }
    }

    /// Begins in an empty target, or finds an unfinished migration of the source; returns whether it did.
    private func begin(_ origin: MigrationRecord.Source, _ tables: [MigratedTable]) async throws -> Bool {
        try await target.write { db in
            if try MigrationRecord.exists(in: db) {
                guard let known = try MigrationRecord.source(in: db), known.epoch == origin.epoch else {
                    throw MigrationError.otherSource
                }
                guard known == origin else { throw MigrationError.sourceChanged }
                return true
            }
            for table in tables where try db.row("SELECT 1 FROM \(table.name) LIMIT 1") != nil {
                throw MigrationError.targetNotEmpty(table: table.name)
            }
            guard try db.lastChange() == 0 else { throw MigrationError.targetNotEmpty(table: "changes") }
            try MigrationRecord.create(for: origin, in: db)
            return false
        }
    }

    private func copy(_ table: MigratedTable) async throws {
        var position = try await target.read { db in try MigrationRecord.position(of: table, in: db) }
        while !position.isAtEnd {
            let start = position
            let (rows, end) = try await source.read { [limits] db in try table.portion(after: start, limits, in: db) }
            try await target.write { db in
                try db.insert(rows, into: table.name, columns: table.columns)
                try MigrationRecord.set(end, of: table, in: db)
            }
            position = end
            try note(.copied(table: table.name, rowCount: end.rowCount))
        }
    }

    /// Compares the rows of all tables; returns their numbers.
    private func compare(_ tables: [MigratedTable], as origin: MigrationRecord.Source) async throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for table in tables {
            async let wanted = source.read { db in try table.digest(in: db) }
            let found = try await target.read { db in try table.digest(in: db) }
            guard try await wanted == found else { throw MigrationError.tableDiffers(table.name) }
            counts[table.name] = found.rowCount
            try note(.compared(table: table.name))
        }
        guard try await source.read({ db in try MigrationRecord.Source(of: db) }) == origin else {
            throw MigrationError.sourceChanged
        }
        return counts
    }

    /// Continues the numbers of the source, begins an epoch, and ends the record of the migration.
    private func finish() async throws {
        let (counters, epoch, trimmed) = try await source.read { db in
            (try MigrationCounters.all(in: db), try ChangeLog.epoch(in: db), try ChangeLog.trimmed(in: db))
        }
        // A client's cursor of the source must not be taken for one of the target.
        var fresh = epoch
        while fresh == epoch { fresh = Int64.random(in: 0...0xFFFF_FFFF_FFFF) }
        try await target.gatherStatistics()
        try await target.write { [fresh] db in
            try MigrationCounters.set(counters, in: db)
            try db.run("UPDATE change_log SET epoch = ?, trimmed = ?", [fresh, trimmed])
            try MigrationRecord.remove(in: db)
        }
        try await target.checkpoint()
    }
}

extension StoreMigration {
    private func copyFiles() async throws -> (count: Int, missing: [String]) {
        let files = try await source.read { db in
            try db.rows("SELECT \(FileRows.columns) FROM files ORDER BY number").map(FileRows.file)
        }
        var missing: [String] = []
        for (place, file) in files.enumerated() {
            if try await !copy(file) { missing.append(file.id.rawValue) }
            try note(.copiedFiles(place + 1, of: files.count))
        }
        return (files.count - missing.count, missing)
    }

    /// Copies the bytes of a file; returns false if they are missing or damaged in the source.
    private func copy(_ file: StoredFile) async throws -> Bool {
        guard file.id.isFileName else { return false }
        if let present = try await target.files.content(of: file.id), try await Self.isContent(present, of: file) {
            return true
        }
        guard let content = try await source.files.content(of: file.id),
            try await Self.isContent(content, of: file)
        else { return false }
        try await target.files.put(content, as: file.id)
        return true
    }

    /// Whether bytes are those of a file.
    private static func isContent(_ content: FileContent, of file: StoredFile) async throws -> Bool {
        var (hash, offset) = (SHA256(), 0)
        while true {
            let piece = try await content.bytes(from: offset, count: FileLayout.pieceByteCount)
            if piece.isEmpty { break }
            hash.update(data: piece)
            offset += piece.count
        }
        let digest = hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return offset == file.byteCount && digest == file.sha256
    }
}
