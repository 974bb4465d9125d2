import ChatCore
import Foundation
import MessageStore
import Synchronization

/// PostgreSQL: one connection that writes, several that read, and one that follows the writes of other nodes.
///
/// A transaction that writes first locks the counter of the change log. So the transactions of all nodes write one after
/// another, as in SQLite. The log's numbers are dense and in the order of the commits.
final class PostgresEngine: StoreEngine {
    /// Callbacks of a store about its transactions.
    struct Events: Sendable {
        /// Called at the end of each transaction that wrote, before its writes return.
        let ended: @Sendable () -> Void
        /// Called with the time of each transaction that wrote.
        let measured: @Sendable (StoreWrite) -> Void
    }

    /// The rules for opening a database.
    struct Opening: Sendable {
        /// Whether an empty database gets the tables; otherwise opening fails with ``MigrationError/noSource``.
        var createsTables = true
        /// Whether a server may acknowledge commits that are not on its disk; otherwise opening fails with
        /// ``StoreOpenError/losesCommits``.
        var acceptsLoss = false
        /// A timeline that may be used although a higher one was; nil for none.
        var acceptedTimeline: Int64?
        /// Whether the process copies from the database or into it, and is alone then.
        var isMigration = false
        /// Finds the servers that accept writes, for ``PostgresSurvey``; nil if nobody looks for them.
        var survey: PostgresSurvey.Look?
    }

    let latest: ChangeSignal
    private let known: KnownTrouble
    private let readers: PostgresPool
    private let writer: PostgresPool.Slot
    private let writes: WriteQueue
    /// The channel to the other nodes.
    let follower: PostgresFollower
    private let statistics: PostgresStatistics
    private let survey: PostgresSurvey?
    private let lock: InstanceLock
    /// The clock that all nodes share.
    let clock: DatabaseClock
    /// What the connections for reads and writes send.
    let traffic: StoreTraffic?
    let hearsEveryWrite = false
    let isInFolder = false

    /// - Parameters:
    ///   - folder: The folder of the node.
    ///   - lock: The ownership of the folder, released by ``close()``.
    ///   - readerCount: The number of connections that read.
    ///   - opening: The rules for opening the database.
    ///   - connect: Opens a connection; called on the engine's threads.
    ///   - events: Called when transactions end.
    /// - Throws: ``PostgresFailure``, ``RepositoryError``, ``StoreOpenError``, ``MigrationError/noSource``.
    init(
        folder: URL, lock: InstanceLock, readerCount: Int, opening: Opening,
        connect: @escaping @Sendable () throws -> any PostgresLink,
        events: Events
    ) async throws {
        self.lock = lock
        let lineage =
            opening.isMigration
            ? PostgresLineage() : PostgresLineage(folder: folder, accepting: opening.acceptedTimeline)
        let traffic = StoreTraffic()
        self.traffic = traffic
        let open: PostgresPool.Connect = {
            PostgresSession(try lineage.connect(connect), of: lineage, countedBy: traffic)
        }
        let writer = PostgresPool.Slot("nexus.postgres.writer") {
            let session = try open()
            do {
                try PostgresSchema.takeUseLock(session, alone: opening.isMigration)
                return session
            } catch {
                session.close()
                throw error
            }
        }
        let readers = PostgresPool(size: readerCount) {
            let session = try open()
            do {
                try session.commitWithoutWaiting()
                return session
            } catch {
                session.close()
                throw error
            }
        }
        let (end, isNew): (ChangeCursor, Bool)
        let clock = DatabaseClock()
        self.clock = clock
        do {
            (end, isNew) = try await writer.run { session in
                guard opening.acceptsLoss || session.waitsForDisk else { throw StoreOpenError.losesCommits }
                guard try opening.createsTables || PostgresSchema.hasTables(session) else {
                    throw MigrationError.noSource
                }
                try PostgresSchema.migrate(session)
                try session.beginChecking()
                let start = ContinuousClock.now
                if let time = try session.rows(NodeRows.clock, []).first?[0] as Int64? {
                    clock.learn(Timestamp(microseconds: time), askedAt: start, answeredAt: .now)
                }
                let end = try session.read { try ChangeLog.end(in: session) }
                return (end, try PostgresStatistics.areMissing(in: session))
            }
            // A second connection shows whether a proxy lets them share one.
            _ = try await readers.run { session in try session.read { try ChangeLog.end(in: session) } }
        } catch {
            await readers.close()
            await writer.close()
            guard let failure = error as? PostgresFailure else { throw error }
            if failure.meansSharedConnection { throw StoreOpenError.sharedConnections }
            guard let reason = failure.reason else { throw error }
            throw StoreOpenError.cannotConnect(reason: reason)
        }
        let latest = ChangeSignal(end)
        let statistics = PostgresStatistics(at: end, areMissing: isNew, connect: open)
        let node = NodeID(rawValue: UUID().uuidString.lowercased())
        let trouble = KnownTrouble()
        known = trouble
        let follower = try PostgresFollower(node: node, of: lineage, clock: clock, connect: connect) {
            latest.tell($0)
        } waiting: {
            trouble.record(.standby)
        }
        writes = WriteQueue { body in
            writer.run { session in body(session.map { $0 }) }
        } measured: {
            events.measured($0)
        } ended: { end in
            events.ended()
            guard let end else { return }
            latest.tell(end)
            follower.announceWrite()
            statistics.follow(end)
        }
        (self.latest, self.writer, self.readers) = (latest, writer, readers)
        (self.follower, self.statistics) = (follower, statistics)
        // A commit on an old primary would wait for a standby that is none any more.
        survey = try opening.survey.map { try PostgresSurvey(of: lineage, $0) { writer.interrupt() } }
        follower.start()
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await translating {
            try await readers.run(isInterruptible: true) { session in
                try session.read { try body(session) }
            }
        }
    }

    func write<Value: Sendable>(
        _ name: StaticString, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try checkWritable()
        return try await noting { try await writes.run(name, body) }
    }

    func write<Item: Sendable, Value: Sendable>(
        _ item: Item, of kind: WriteKind, _ body: @escaping @Sendable ([Item], any SQLSession) throws -> [Value]
    ) async throws -> Value {
        try checkWritable()
        return try await noting { try await writes.run(item, of: kind, body) }
    }

    /// Runs on one of the connections that read: bytes of files must not keep the writer busy.
    func writeAside<Value: Sendable>(
        seesOneState: Bool, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        try checkWritable()
        return try await noting {
            try await readers.run { session in
                try session.writeAside(seesOneState: seesOneState) { try body(session) }
            }
        }
    }

    /// Runs a write, and notes whether it could be stored.
    private func noting<Value>(_ write: () async throws -> sending Value) async throws -> sending Value {
        do {
            let value = try await write()
            known.recordSuccess()
            return value
        } catch {
            let translated = StorageFailure.translated(error)
            if let trouble = StorageTrouble(error) ?? StorageTrouble(translated) { known.record(trouble) }
            throw translated
        }
    }

    /// The id of this node.
    var node: NodeID { follower.node }

    var trouble: StorageTrouble? { known.trouble }

    var troubled: WorkSignal { known.changed }

    /// Fails once damage was read; apart from that each write shows whether writing is possible.
    func checkWritable() throws {
        if trouble == .damaged { throw RepositoryError.storageDamaged }
    }

    /// A full disk may still have room for small rows in pages that exist, so more is written, and removed again.
    func retryWriting() async -> StorageTrouble? {
        if trouble == .damaged { return trouble }
        if trouble == .full {
            do {
                try await translating { try await readers.run { try $0.runScript(PostgresSchema.probe) } }
                known.end(.full)
            } catch {
                if StorageTrouble(error) == nil { known.end(.full) }
            }
        }
        try? await write { _ in }
        return trouble
    }

    /// Runs statements that concern no message and are not in the change log, each in its own transaction.
    ///
    /// They do not wait for transactions that write the log.
    ///
    /// - Parameters:
    ///   - isCertain: Whether they run even in a task that was cancelled.
    ///   - body: Runs the statements.
    /// - Returns: The value of the body.
    /// - Throws: ``RepositoryError``; the errors of the body.
    func asideOfLog<Value: Sendable>(
        isCertain: Bool = false, _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws -> Value {
        if !isCertain { try Task.checkCancellation() }
        return try await translating { try await readers.run(body) }
    }

    func close() async {
        await follower.close()
        await statistics.close()
        await survey?.close()
        await readers.close()
        await writer.close()
        latest.close()
        lock.release()
    }

    private func translating<Value>(_ body: () async throws -> sending Value) async throws -> sending Value {
        do {
            return try await body()
        } catch {
            let translated = StorageFailure.translated(error)
            if StorageTrouble(translated) == .damaged { known.record(.damaged) }
            throw translated
        }
    }
}

/// Care of the tables.
extension PostgresEngine {
    /// Only fails if there is no connection: PostgreSQL removes its log itself.
    func checkpoint() async throws { try await translating { try await writer.run { _ in } } }

    func copy(to path: String) throws { throw BackupError.otherDatabase }

    /// Does nothing: the disk belongs to the server.
    func setPageLimit(_ count: Int) {}

    /// Removes deleted rows from the pages of all tables and indexes, while all nodes read and write.
    ///
    /// It does not reach: rows that an older transaction may still read; bytes in the free space of pages, until other
    /// rows take it; the write-ahead log and its archives; standbys; dumps and copies of the disk; the planner's
    /// statistics of tables that became empty. `VACUUM FULL` would reach the free space, but locks all nodes out.
    /// A role that does not own the tables leaves this to PostgreSQL.
    func rewrite() async throws {
        try await translating {
            try await readers.run { session in
                try session.withoutLimit {
                    guard let tables = try PostgresSchema.ownTables(session) else { return }
                    try session.runScript("VACUUM (ANALYZE, INDEX_CLEANUP TRUE) \(tables)")
                }
            }
        }
    }

    func gatherStatistics() async throws {
        try await translating {
            try await readers.run { session in
                try session.withoutLimit {
                    if let tables = try PostgresSchema.ownTables(session) { try session.runScript("ANALYZE \(tables)") }
                }
            }
        }
    }

    func contentTables() async throws -> [ContentTable] {
        try await read { db in try PostgresSchema.contentTables(in: db) }
    }

    /// Does nothing: PostgreSQL uses the space again.
    func giveBackSpace() -> Bool { false }

    /// Reads every row of every table, and looks for indexes and references that are not valid.
    func checkIntegrity() async throws -> IntegrityReport {
        try await translating {
            try await readers.run { session in
                let version = try session.rows("SHOW server_version", []).first?[0] as String?
                let isSound: Bool
                do {
                    isSound = try session.withoutLimit { try PostgresSchema.isSound(session) }
                } catch let failure as PostgresFailure where failure.code?.hasPrefix("XX") == true {
                    isSound = false
                }
                return IntegrityReport(
                    isSound: isSound, engineName: "PostgreSQL", engineVersion: version ?? "")
            }
        }
    }

    func inspect(_ sql: String, column: Int) async throws -> [String] {
        try await translating {
            try await writer.run { session in
                try session.execute(sql, isKept: false).rows.map { row in
                    switch row[column] {
                    case .integer(let number): "\(number)"
                    case .text(let text): text
                    default: ""
                    }
                }
            }
        }
    }
}
