package import ChatCore
package import Foundation
import Glibc
import Synchronization

/// The store over SQL: the tables of one workspace, in SQLite or PostgreSQL.
///
/// The module `SQLiteStore` opens a data folder, the module `PostgresStore` a database of PostgreSQL. Bytes of files are in
/// the database then. What concerns files of SQLite, such as backups, fails there.
package final class SQLStore: Store {
    /// The data folder; with PostgreSQL the folder of this node.
    package let folder: URL
    package let engine: any StoreEngine
    let rosters: RosterMemory
    package let files: any FileBytes
    /// Hears of each transaction that wrote.
    let writes: StoreWrites
    /// What the nodes of this store share.
    package let services: NodeServices
    /// Whether direct conversations without a choice are excluded from embedding.
    let excludesDirect = Mutex(false)

    /// Makes the store of an engine that was opened.
    ///
    /// - Parameters:
    ///   - folder: The data folder, or that of this node.
    ///   - engine: The database.
    ///   - files: The bytes of files.
    ///   - rosters: Memberships; the engine tells them what changes.
    ///   - writes: Hears of each transaction from the engine.
    ///   - services: What the nodes of the database share.
    package init(
        folder: URL, engine: any StoreEngine, files: any FileBytes, rosters: RosterMemory, writes: StoreWrites,
        services: NodeServices
    ) {
        (self.folder, self.engine, self.files, self.rosters, self.writes) = (folder, engine, files, rosters, writes)
        self.services = services
    }

    /// Whether the database is in the data folder, so that it can say which files of the indexes there are valid.
    package var isInFolder: Bool { engine.isInFolder }

    /// What the store sends to the server of its database, for tests; nil if there is none.
    package var traffic: StoreTraffic? { engine.traffic }

    /// The end of the change log, as far as this node knows it.
    var latest: ChangeSignal { engine.latest }

    /// The reason why nothing can be stored at present; nil if none is known.
    ///
    /// A store on a full or read-only disk can be read and searched as usual; calls that write fail with
    /// ``RepositoryError/storageFull`` or ``RepositoryError/storageReadOnly``.
    package var storageTrouble: StorageTrouble? { engine.trouble }

    /// Signalled when the disk refused a write.
    package var storageFailed: WorkSignal { engine.troubled }

    /// Tries to write again after a failure; returns the reason if it still fails.
    package func retryWriting() async -> StorageTrouble? { await engine.retryWriting() }

    /// Lets an observer hear of each transaction that wrote, on the thread that writes: it must not wait.
    package func observeWrites(_ observer: @escaping @Sendable (StoreWrite) -> Void) { writes.observe(observer) }

    /// Closes the database and releases the folder; every later call fails with
    /// ``RepositoryError/unavailable(reason:)``.
    ///
    /// The write-ahead log is emptied if possible, so that it holds no deleted content and a copy of the database file
    /// is complete.
    package func close() async {
        await engine.close()
        rosters.close()
    }

    /// Lets PostgreSQL's planner know the rows; without it whole tables would be read.
    package func gatherStatistics() async throws { try await engine.gatherStatistics() }

    /// Moves the content of the write-ahead log into the database file, and empties the log.
    package func checkpoint() async throws { try await engine.checkpoint() }

    /// Checks the database file and the references between its rows.
    package func checkIntegrity() async throws -> IntegrityReport { try await engine.checkIntegrity() }

    /// Makes the data folder, for its owner only, unless it exists.
    package static func makeFolder(_ folder: URL) throws(StoreOpenError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw access(folder.path, F_OK) != 0 && errno == EACCES
                ? .notPermitted(path: folder.path) : .notAFolder(path: folder.path)
        }
        let isFolder = (try? folder.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
        guard isFolder else { throw .notAFolder(path: folder.path) }
    }
}

extension SQLStore {
    /// Sets the page limit of the database; for tests of a full disk.
    package func setPageLimit(_ count: Int) async throws { try await engine.setPageLimit(count) }

    /// Returns one column of a statement's rows on the writing connection, with all values NULL; for tests.
    package func inspect(_ sql: String, column: Int = 0) async throws -> [String] {
        try await engine.inspect(sql, column: column)
    }

    /// Reads in one snapshot.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
        try await engine.read(body)
    }

    /// Writes all or nothing, as long as the rights of the request hold, with the entries of the audit log if an
    /// administrator acts.
    func write<Value: Sendable>(
        as name: StaticString = #function, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        let value = try await auditing(Self.withRights(body)) { body in try await engine.write(name, body) }
        await files.removeDeleted()
        return value
    }

    /// Lets a transaction store the entries of the present act, unless they are stored.
    private func auditing<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws -> Value,
        _ write: (@escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value
    ) async throws -> Value {
        guard let draft = AuditAct.current?.claim() else { return try await write(body) }
        do {
            let value = try await write { db in
                let value = try body(db)
                try AuditRows(db: db).insert(draft)
                return value
            }
            draft.act.settle(draft.result)
            return value
        } catch {
            draft.act.settle(nil)
            throw error
        }
    }

    func write<Item: Sendable, Value: Sendable>(
        _ item: Item, weight: Int, as name: StaticString = #function,
        _ body: @escaping @Sendable ([Item], any SQLSession) throws -> [Value]
    ) async throws -> Value {
        let item = ItemOfRequest(item: item, authority: .current)
        let value = try await engine.write(item, of: WriteKind(name: name, weight: weight)) { items, db in
            let confirm = try AuthorityRows(db: db).ask(items.map(\.authority))
            let values = try body(items.map(\.item), db)
            try confirm()
            return values
        }
        await files.removeDeleted()
        return value
    }

    /// Returns a write that is undone if a right of the present request ended meanwhile.
    static func withRights<Value>(
        _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) -> @Sendable (any SQLSession) throws -> Value {
        guard let authority = RequestAuthority.current else { return body }
        return { db in
            let confirm = try AuthorityRows(db: db).ask([authority])
            let value = try body(db)
            try confirm()
            return value
        }
    }

    /// What a request writes together with others.
    private struct ItemOfRequest<Item: Sendable>: Sendable {
        let item: Item
        let authority: RequestAuthority?
    }
}

/// A reason why a data folder cannot be opened, in addition to ``RepositoryError``.
package enum StoreOpenError: Error, Equatable, Sendable {
    /// Another process uses the folder at this path.
    case inUse(folder: String)
    /// The object at this path is not a folder, or no folder can be created there.
    case notAFolder(path: String)
    /// This user may not use the folder at this path.
    case notPermitted(path: String)
    /// The disk cannot be written, but the database at this path must be written before it can be read: it has an older
    /// schema, or a log without an index file.
    case needsWriting(path: String)
    /// The store is the target of a migration that was interrupted, or is under way.
    case unfinishedMigration
    /// PostgreSQL cannot be reached or refuses the connection; the reason is that of libpq.
    case cannotConnect(reason: String)
    /// The PostgreSQL server acknowledges commits before they are on its disk (`synchronous_commit=off`).
    case losesCommits
    /// A proxy lets several clients use one connection to PostgreSQL in turn, so prepared statements and `LISTEN` fail.
    case sharedConnections
    /// The tables are of an older schema than this program reads.
    case tooOld(found: String)
    /// The role of PostgreSQL may not make or change the tables.
    case schemaNotPermitted
}

/// The result of a check of the whole database.
package struct IntegrityReport: Equatable, Sendable {
    /// Whether the file and all references in it are sound.
    package let isSound: Bool
    /// The name of the database.
    package let engineName: String
    /// The version of the database.
    package let engineVersion: String
    /// What is to know about this version; nil for nothing.
    package let remark: String?

    package init(isSound: Bool, engineName: String, engineVersion: String, remark: String? = nil) {
        self.isSound = isSound
        self.engineName = engineName
        self.engineVersion = engineVersion
        self.remark = remark
    }
}
