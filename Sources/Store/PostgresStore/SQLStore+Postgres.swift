import ChatCore
package import Foundation
package import MessageStore

extension SQLStore {
    /// Opens the store of a PostgreSQL database; creates the tables if needed.
    ///
    /// - Parameters:
    ///   - folder: A folder of this node, for files that are derived from the database; created with mode 0700.
    ///   - readerCount: The number of connections besides the one that writes.
    ///   - acceptsLoss: Whether the server may run with `synchronous_commit=off`.
    ///   - acceptedTimeline: A timeline that may be used although a higher one was; nil for none.
    ///   - survey: Looks for servers that accept writes; nil if there is nothing to look for.
    ///   - connect: Opens a connection; may block.
    /// - Returns: The store; other nodes can open the database, too.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``.
    @concurrent package static func open(
        folder: URL, readerCount: Int, acceptsLoss: Bool = false, acceptedTimeline: Int64? = nil,
        survey: PostgresSurvey.Look? = nil, connect: @escaping @Sendable () throws -> any PostgresLink
    ) async throws -> SQLStore {
        try makeFolder(folder)
        let lock = try InstanceLock.acquire(folder: folder)
        do {
            let store = try await make(
                in: folder, lock: lock, readerCount: readerCount,
                opening: PostgresEngine.Opening(
                    acceptsLoss: acceptsLoss, acceptedTimeline: acceptedTimeline, survey: survey), connect: connect)
            try await store.checkCompleteness()
            await store.files.tidy()
            return store
        } catch {
            lock.release()
            throw StorageFailure.translated(error)
        }
    }

    /// Makes the tables of a PostgreSQL database, or those that a new release adds.
    ///
    /// - Parameters:
    ///   - steps: The changes to the tables, for tests.
    ///   - connect: Opens a connection; may block.
    /// - Throws: As ``open(folder:readerCount:acceptsLoss:acceptedTimeline:survey:connect:)``.
    package static func makeTables(
        steps: [StoreSchema.Step] = StoreSchema.steps, _ connect: @escaping @Sendable () throws -> any PostgresLink
    ) async throws {
        do {
            try await onOwnThread {
                let lineage = PostgresLineage()
                let session = PostgresSession(try lineage.connect(connect), of: lineage)
                defer { session.close() }
                try PostgresSchema.migrate(session, steps: steps)
            }
        } catch let failure as PostgresFailure {
            guard let reason = failure.reason else { throw StorageFailure.translated(failure) }
            throw StoreOpenError.cannotConnect(reason: reason)
        }
    }

    /// Opens the store of a PostgreSQL database to copy from it, or into it.
    ///
    /// - Parameters:
    ///   - folder: A folder of this process; created with mode 0700.
    ///   - isSource: Whether it is the source; the tables of a target are created if needed.
    ///   - connect: Opens a connection; may block.
    /// - Returns: The store.
    /// - Throws: ``MigrationError/noSource``, ``MigrationError/databaseInUse``, ``StoreOpenError``, ``RepositoryError``.
    @concurrent package static func openForMigration(
        folder: URL, isSource: Bool, connect: @escaping @Sendable () throws -> any PostgresLink
    ) async throws -> SQLStore {
        try makeFolder(folder)
        let lock = try InstanceLock.acquire(folder: folder)
        do {
            try await checkUnused(connect)
            let store = try await make(
                in: folder, lock: lock, readerCount: 1,
                // A migration that lost its last commits is unfinished, and continues.
                opening: PostgresEngine.Opening(
                    createsTables: !isSource, acceptsLoss: true, isMigration: true),
                connect: connect)
            if isSource { try await store.checkCompleteness() }
            return store
        } catch {
            lock.release()
            throw StorageFailure.translated(error)
        }
    }

    /// The attempts to find a database unused, and the pause after each: connections take a moment to end.
    private static let (unusedAttempts, unusedPause) = (50, Duration.milliseconds(100))

    /// Fails if a server is connected to a database.
    private static func checkUnused(_ connect: @escaping @Sendable () throws -> any PostgresLink) async throws {
        let sql = """
            SELECT COUNT(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'nexus' AND pid <> pg_backend_pid()
            """
        for _ in 0..<unusedAttempts {
            let isUnused = try await onOwnThread {
                let link = try connect()
                defer { link.close() }
                return try link.execute(sql, [], isKept: false).rows == [[.integer(0)]]
            }
            if isUnused { return }
            try await Task.sleep(for: unusedPause)
        }
        throw MigrationError.databaseInUse
    }

    private static func make(
        in folder: URL, lock: InstanceLock, readerCount: Int, opening: PostgresEngine.Opening,
        connect: @escaping @Sendable () throws -> any PostgresLink
    ) async throws -> SQLStore {
        let (rosters, writes) = (RosterMemory(hearsEveryWrite: false), StoreWrites())
        let engine = try await PostgresEngine(
            folder: folder, lock: lock, readerCount: readerCount, opening: opening, connect: connect,
            events: PostgresEngine.Events(ended: rosters.endTransaction, measured: writes.announce))
        return SQLStore(
            folder: folder, engine: engine, files: PostgresFileBytes(engine), rosters: rosters, writes: writes,
            services: NodeServices(engine))
    }
}

extension NodeServices {
    /// What the nodes of a database share.
    fileprivate init(_ engine: PostgresEngine) {
        self.init(
            clock: { [clock = engine.clock] in clock.now() }, channel: engine.follower,
            leases: PostgresLeases(engine: engine), oneTimeValues: PostgresOneTimeValues(engine: engine),
            keptResponses: PostgresKeptResponses(engine: engine), buckets: PostgresBuckets(engine: engine),
            embeddingTokens: PostgresTokenCount(engine: engine))
    }
}
