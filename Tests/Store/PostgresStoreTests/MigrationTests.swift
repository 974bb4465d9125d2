import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite(.hangGuard) struct MigrationTests {
    private struct Interrupted: Error {}

    /// Interrupts a migration once after each step, or after every so many.
    private final class Interruptions: Sendable {
        private let seen = Mutex<[MigrationStep]>([])
        private let interval: Int

        init(every interval: Int) { self.interval = interval }

        var count: Int { seen.withLock { $0.count } }

        func note(_ step: MigrationStep) throws {
            // The comparison begins again each time.
            if case .compared(let table) = step, table != MigratedTable.names.first { return }
            let isDue = seen.withLock { seen in
                defer { seen.append(step) }
                return !seen.contains(step) && seen.count.isMultiple(of: interval)
            }
            if isDue { throw Interrupted() }
        }
    }

    /// Calls a body with a data folder that was filled, the address of an empty database and a folder for its files.
    private func withPlaces(
        filling: (SQLStore) async throws -> Void, _ body: (WorkspaceFolder, String, URL) async throws -> Void
    ) async throws {
        try await PostgresServer.shared().withDatabase { address in
            try await WorkspaceFolder.with { folder in
                try await WorkspaceFolder.with { files in
                    let store = try await folder.open()
                    try await filling(store)
                    await store.close()
                    try await body(folder, address, files.url)
                }
            }
        }
    }

    /// Runs a migration, and closes both stores.
    @discardableResult private func migrate(
        from source: SQLStore, to target: SQLStore, portion: Int = 1_000,
        note: @escaping StoreMigration.Note = { _ in }
    ) async throws -> MigrationReport {
        let result: Result<MigrationReport, any Error>
        do {
            let migration = StoreMigration(from: source, to: target, portionRowCount: portion, note: note)
            result = .success(try await migration.run())
        } catch {
            result = .failure(error)
        }
        await source.close()
        await target.close()
        return try result.get()
    }

    private func reading<Value>(_ store: SQLStore, _ body: (SQLStore) async throws -> Value) async throws -> Value {
        do {
            let value = try await body(store)
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    @Test func everyTableIsCopiedOrLeftOutForAReason() async throws {
        try await withPlaces(filling: { _ in }) { folder, address, files in
            let (onSQLite, parents) = try await reading(folder.open()) { store in
                let tables = try await store.inspect(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
                var parents: [String: [String]] = [:]
                for table in tables {
                    parents[table] = try await store.inspect(
                        "SELECT \"table\" FROM pragma_foreign_key_list('\(table)')")
                }
                return (tables, parents)
            }
            let onPostgres = try await reading(PostgresStore.open(address, folder: files)) { store in
                try await store.inspect("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")
            }

            let known = Set(MigratedTable.names).union(MigratedTable.leftOut.keys)
            #expect(known == Set(onSQLite).union(onPostgres))
            #expect(Set(MigratedTable.names).count == MigratedTable.names.count)
            #expect(Set(MigratedTable.names).isDisjoint(with: MigratedTable.leftOut.keys))
            for (place, table) in MigratedTable.names.enumerated() {
                let earlier = MigratedTable.names.prefix(place)
                #expect(Set(parents[table] ?? []).isSubset(of: earlier), "\(table)")
            }
        }
    }

    @Test func aUsedWorkspaceMovesToPostgreSQLAndBack() async throws {
        try await withPlaces(filling: { try await $0.fillAsUsed() }) { folder, address, files in
            let (columns, rows, end, changes) = try await reading(folder.open()) { store in
                let columns = try await store.columns()
                return (
                    columns, try await store.allRows(columns: columns), try await store.latestChange(),
                    try await store.changeNumbers()
                )
            }

            let report = try await migrate(
                from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files), portion: 7)

            #expect(report.rows["messages"] == 34)
            #expect(report.rows["vectors"] == 38)
            #expect(report.fileCount == 1)
            #expect(report.missingFiles.isEmpty && !report.isContinued)
            try await reading(PostgresStore.open(address, folder: files)) { store in
                #expect(try await store.allRows(columns: columns) == rows)
                #expect(try await store.changeNumbers() == changes)
                try await expectContinuation(of: end, in: store)
            }
            let (moved, there) = try await reading(PostgresStore.open(address, folder: files)) { store in
                (try await store.allRows(columns: columns), try await store.latestChange())
            }
            try await WorkspaceFolder.with { other in
                try await migrate(
                    from: PostgresStore.openSource(address, folder: files), to: .openTarget(folder: other.url),
                    portion: 7)
                try await reading(other.open()) { store in
                    #expect(try await store.allRows(columns: columns) == moved)
                    #expect(try await store.checkIntegrity().isSound)
                    try await expectContinuation(of: there, in: store)
                }
            }
        }
    }

    /// Checks that a store continues the numbers of another one, with another epoch, and has the bytes of the file.
    private func expectContinuation(of end: ChangeCursor, in store: SQLStore) async throws {
        let start = try await store.latestChange()
        #expect(start.positions == end.positions)
        #expect(start.epoch != end.epoch)
        await #expect(throws: RepositoryError.expiredCursor) { try await store.changes(after: end, limit: 1) }
        let highest = try await store.inspect("SELECT MAX(number) FROM messages")
        let given = (Int(highest.first ?? "") ?? 0) + 1
        let id = MessageID(rawValue: "new after \(start.epoch)")
        let outcomes = try await store.accept([.short("c", id)], source: "api", mode: .posting, at: .second(9))
        #expect(outcomes == [.inserted])
        #expect(try await store.inspect("SELECT MAX(number) FROM messages") == ["\(given)"])
        let first = try await store.changes(after: start, limit: 1).changes.first
        #expect(first?.number.rawValue == (end.positions.first?.rawValue ?? 0) + 1)
        let (file, content) = try await store.file("file-1", for: "ada", at: .second(9))
        let bytes = try await content.bytes(from: 0, count: file.byteCount + 1)
        #expect(String(decoding: bytes, as: UTF8.self) == SQLStore.storedFile)
    }

    @Test func numbersOfDeletedRowsAreNotGivenAgain() async throws {
        try await withPlaces(filling: { store in
            try await store.fillAllTables()
            for table in ["summaries", "notifications"] {
                _ = try await store.inspect("DELETE FROM \(table) WHERE number > 901")
            }
        }) { folder, address, files in
            try await migrate(
                from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files))

            let connection = try LibpqConnection(address)
            for table in ["summaries", "notifications", "messages"] {
                let sql = "SELECT nextval(pg_get_serial_sequence('\(table)', 'number'))"
                #expect(try connection.execute(sql, [], isKept: false).rows == [[.integer(904)]])
            }
            connection.close()
            try await WorkspaceFolder.with { other in
                try await migrate(
                    from: PostgresStore.openSource(address, folder: files), to: .openTarget(folder: other.url))
                try await reading(other.open()) { store in
                    let found = try await store.inspect("SELECT seq FROM sqlite_sequence WHERE name = 'summaries'")
                    #expect(found == ["904"])
                }
            }
        }
    }

    @Test func everyInterruptionIsContinued() async throws {
        try await withPlaces(filling: { store in
            try await store.fillAllTables()
            for row in 1...3 {
                _ = try await store.inspect(
                    "INSERT INTO removals VALUES ('list', NULL, NULL, 7, 'same'), ('list', 901, 'ada', \(row), 'id')")
            }
        }) { folder, address, files in
            let (columns, rows) = try await reading(folder.open()) { store in
                let columns = try await store.columns()
                return (columns, try await store.allRows(columns: columns))
            }
            #expect(rows.values.allSatisfy { !$0.isEmpty })

            try await interrupt(every: 1) {
                (try await .openSource(folder: folder.url), try await PostgresStore.openTarget(address, folder: files))
            }
            let moved = try await reading(PostgresStore.open(address, folder: files)) { store in
                try await store.allRows(columns: columns)
            }
            for (table, rows) in rows { #expect(moved[table] == rows, "\(table)") }
            try await WorkspaceFolder.with { other in
                try await interrupt(every: 7) {
                    (
                        try await PostgresStore.openSource(address, folder: files),
                        try await .openTarget(folder: other.url)
                    )
                }
                let back = try await reading(other.open()) { store in try await store.allRows(columns: columns) }
                for (table, rows) in rows { #expect(back[table] == rows, "\(table)") }
            }
        }
    }

    /// Migrates with interruptions after steps; opens both stores again for each run.
    private func interrupt(every interval: Int, _ open: () async throws -> (SQLStore, SQLStore)) async throws {
        let interruptions = Interruptions(every: interval)
        var isContinued = false
        while true {
            let (source, target) = try await open()
            do {
                let report = try await migrate(from: source, to: target, portion: 2) { try interruptions.note($0) }
                #expect(report.isContinued)
                break
            } catch is Interrupted {
                isContinued = true
            }
        }
        #expect(isContinued)
        #expect(interruptions.count > 2 * MigratedTable.names.count)
    }

    @Test func anUnfinishedTargetIsNotOpened() async throws {
        try await withPlaces(filling: { try await $0.fillAsUsed() }) { folder, address, files in
            await #expect(throws: Interrupted.self) {
                try await migrate(
                    from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files)
                ) { _ in throw Interrupted() }
            }
            await #expect(throws: StoreOpenError.unfinishedMigration) {
                try await PostgresStore.open(address, folder: files)
            }
            await #expect(throws: StoreOpenError.unfinishedMigration) {
                try await PostgresStore.openSource(address, folder: files)
            }
            try await WorkspaceFolder.with { other in
                await #expect(throws: Interrupted.self) {
                    try await migrate(from: .openSource(folder: folder.url), to: .openTarget(folder: other.url)) { _ in
                        throw Interrupted()
                    }
                }
                await #expect(throws: StoreOpenError.unfinishedMigration) { try await other.open() }
                await #expect(throws: StoreOpenError.unfinishedMigration) {
                    try await SQLStore.openSource(folder: other.url)
                }
                try await migrate(from: .openSource(folder: folder.url), to: .openTarget(folder: other.url))
                await (try other.open()).close()
            }
        }
    }

    @Test func aTargetThatIsUsedIsRefused() async throws {
        try await withPlaces(filling: { try await $0.fillAsUsed() }) { folder, address, files in
            try await reading(PostgresStore.open(address, folder: files)) { store in
                _ = try await store.store([.of("x", ["ada"])], source: "api", mode: .posting, at: .second(0))
            }

            await #expect(throws: MigrationError.targetNotEmpty(table: "conversations")) {
                try await migrate(
                    from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files))
            }
            let count = try await reading(PostgresStore.open(address, folder: files)) { store in
                try await store.inspect("SELECT COUNT(*) FROM conversations")
            }
            #expect(count == ["1"])
        }
    }

    @Test func anotherOrChangedSourceDoesNotContinue() async throws {
        try await withPlaces(filling: { try await $0.fillAsUsed() }) { folder, address, files in
            await #expect(throws: Interrupted.self) {
                try await migrate(
                    from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files)
                ) { _ in throw Interrupted() }
            }
            try await WorkspaceFolder.with { other in
                await (try other.open()).close()
                await #expect(throws: MigrationError.otherSource) {
                    try await migrate(
                        from: .openSource(folder: other.url), to: PostgresStore.openTarget(address, folder: files))
                }
            }
            try await reading(folder.open()) { store in
                _ = try await store.accept([.short("c", "later")], source: "api", mode: .posting, at: .second(9))
            }
            await #expect(throws: MigrationError.sourceChanged) {
                try await migrate(
                    from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files))
            }
        }
    }

    @Test(arguments: [
        "UPDATE messages SET text = text || ' ' WHERE number = 5",
        "DELETE FROM queue WHERE message = (SELECT MIN(message) FROM queue)",
        "UPDATE vectors SET components = '\\x00000000' WHERE passage = (SELECT MIN(passage) FROM vectors)",
        "INSERT INTO user_tokens VALUES (1, 'ada', 2)",
    ]) func aDamagedRowIsNoticed(damage: String) async throws {
        try await withPlaces(filling: { try await $0.fillAsUsed() }) { folder, address, files in
            await #expect(throws: Interrupted.self) {
                try await migrate(
                    from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files)
                ) { step in if case .compared = step { throw Interrupted() } }
            }
            let connection = try LibpqConnection(address)
            #expect(try connection.execute(damage, [], isKept: false).rowCount == 1)
            connection.close()

            let table = damage.split(separator: " ")[damage.hasPrefix("UPDATE") ? 1 : 2]
            await #expect(throws: MigrationError.tableDiffers(String(table))) {
                try await migrate(
                    from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files))
            }
            await #expect(throws: StoreOpenError.unfinishedMigration) {
                try await PostgresStore.open(address, folder: files)
            }
        }
    }

    @Test func damagedBytesOfAFileAreReportedAndThoseOfTheTargetReplaced() async throws {
        try await withPlaces(filling: { try await $0.fillAsUsed() }) { folder, address, files in
            let report = try await migrate(
                from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files))
            #expect(report.fileCount == 1)

            try await WorkspaceFolder.with { other in
                let copy = other.url.appending(path: "files/file-1")
                try FileManager.default.createDirectory(
                    at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("half of the by".utf8).write(to: copy)
                let report = try await migrate(
                    from: PostgresStore.openSource(address, folder: files), to: .openTarget(folder: other.url))
                #expect(report.fileCount == 1)
                #expect(try Data(contentsOf: copy) == Data(SQLStore.storedFile.utf8))
            }
            let connection = try LibpqConnection(address)
            #expect(
                try connection.execute("UPDATE file_bytes SET bytes = 'changed'", [], isKept: false).rowCount == 1)
            connection.close()
            try await WorkspaceFolder.with { other in
                let report = try await migrate(
                    from: PostgresStore.openSource(address, folder: files), to: .openTarget(folder: other.url))
                #expect(report.fileCount == 0)
                #expect(report.missingFiles == ["file-1"])
            }
        }
    }

    @Test func aSourceIsNotChanged() async throws {
        try await withPlaces(filling: { try await $0.fillAsUsed() }) { folder, address, files in
            let database = folder.url.appending(path: "nexus.sqlite")
            let before = try Data(contentsOf: database)
            try await migrate(
                from: .openSource(folder: folder.url), to: PostgresStore.openTarget(address, folder: files))

            #expect(try Data(contentsOf: database) == before)
        }
    }

    @Test func aDatabaseThatIsUsedIsRefused() async throws {
        try await withPlaces(filling: { _ in }) { _, address, files in
            try await reading(PostgresStore.open(address, folder: files)) { _ in
                let other = files.appending(path: "other")
                await #expect(throws: MigrationError.databaseInUse) {
                    try await PostgresStore.openSource(address, folder: other)
                }
                await #expect(throws: MigrationError.databaseInUse) {
                    try await PostgresStore.openTarget(address, folder: other)
                }
            }
        }
    }

    @Test func aSourceThatIsUsedOrMissingIsRefused() async throws {
        try await withPlaces(filling: { _ in }) { folder, address, files in
            let server = try await folder.open()
            await #expect(throws: StoreOpenError.inUse(folder: folder.url.path)) {
                try await SQLStore.openSource(folder: folder.url)
            }
            await server.close()
            try await WorkspaceFolder.with { other in
                await #expect(throws: MigrationError.noSource) { try await SQLStore.openSource(folder: other.url) }
                #expect(!FileManager.default.fileExists(atPath: other.url.path))
            }
            await #expect(throws: MigrationError.noSource) {
                try await PostgresStore.openSource(address, folder: files)
            }
        }
    }
}
