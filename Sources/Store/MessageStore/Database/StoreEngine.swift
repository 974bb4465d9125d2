package import ChatCore

/// The database under a store: it runs transactions, and knows whether they can be stored.
///
/// Errors are those of the store: ``RepositoryError``, ``StoreOpenError``, `CancellationError`.
package protocol StoreEngine: Sendable {
    /// Reads in one snapshot.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value

    /// Writes all or nothing, one write after another; the body may run twice, and only the last time counts.
    func write<Value: Sendable>(
        _ name: StaticString, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value

    /// Writes an item all or nothing, together with other items of the same types that wait at the same time; see
    /// ``WriteQueue/run(_:_:)``.
    func write<Item: Sendable, Value: Sendable>(
        _ item: Item, of kind: WriteKind, _ body: @escaping @Sendable ([Item], any SQLSession) throws -> [Value]
    ) async throws -> Value

    /// Writes all or nothing, beside other writes of the same time; for rows that belong to nothing in the change log.
    ///
    /// If several nodes write, the log is not locked, so the body can give no numbers of the log.
    ///
    /// - Parameters:
    ///   - seesOneState: Whether all its reads see one state of the database. With PostgreSQL it runs again if another
    ///     transaction changed a row that it changes.
    ///   - body: The statements; may run several times.
    /// - Returns: The value of the body.
    /// - Throws: The error of the body, or of the commit.
    func writeAside<Value: Sendable>(
        seesOneState: Bool, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value

    /// Whether this process hears of every write, because no other one writes the database.
    ///
    /// If not, each call compares what it remembers with the database, and other nodes may hold leases of work.
    var hearsEveryWrite: Bool { get }

    /// Whether the database is in the data folder, so that it can say which files of the indexes there are valid.
    var isInFolder: Bool { get }

    /// What is sent to the server of the database, for tests; nil if there is none.
    var traffic: StoreTraffic? { get }

    /// The end of the change log, as far as this node knows it.
    var latest: ChangeSignal { get }

    /// The reason why nothing can be stored at present; nil if none is known.
    var trouble: StorageTrouble? { get }

    /// Signalled when a write failed because of the disk.
    var troubled: WorkSignal { get }

    /// Fails with the present trouble if nothing can be written at all.
    func checkWritable() throws

    /// Tries to write again after a failure; returns the reason if it still fails.
    func retryWriting() async -> StorageTrouble?

    /// Empties the engine's log as far as possible, so that deleted content leaves it.
    func checkpoint() async throws

    /// Removes deleted rows from the files of all tables, as far as that is possible while others read.
    func rewrite() async throws

    /// Returns all tables whose content is not in files of the data folder.
    func contentTables() async throws -> [ContentTable]

    /// Gives some unused space back to the file system; returns whether there is more.
    func giveBackSpace() async throws -> Bool

    /// Lets the planner know the rows; without it whole tables could be read.
    func gatherStatistics() async throws

    /// Copies one consistent state of the database to a new file.
    ///
    /// - Throws: ``BackupError/otherDatabase`` if the database is not a file of the data folder.
    func copy(to path: String) async throws

    /// Sets the most pages of the database; for tests of a full disk.
    func setPageLimit(_ count: Int) async throws

    /// Checks the files and the references between rows.
    func checkIntegrity() async throws -> IntegrityReport

    /// Returns one column of a statement's rows, with all values NULL; for tests.
    func inspect(_ sql: String, column: Int) async throws -> [String]

    /// Closes all connections and releases what they owned; later calls fail with ``RepositoryError/unavailable(reason:)``.
    func close() async
}

/// An error of a database, which leaves the store as another one.
package protocol DatabaseFailure: Error {
    /// The error to throw instead; it never contains a statement, an argument or a stored value.
    var translated: any Error { get }

    /// The trouble behind the error; nil for others.
    var trouble: StorageTrouble? { get }

    /// Whether nobody knows what became of the transaction, because the connection is lost.
    var isDisconnected: Bool { get }

    /// Whether the transaction lost a race with another one, and may run again.
    var isLostRace: Bool { get }

    /// Whether the error may concern one value or one row; nil if that cannot be told from it.
    var isOfOneItem: Bool? { get }
}

extension StoreEngine {
    /// Writes all or nothing, beside other writes, whose ends the reads may see one after another.
    package func writeAside<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await writeAside(seesOneState: false, body)
    }

    /// Writes all or nothing, under the name of the calling function.
    package func write<Value: Sendable>(
        as name: StaticString = #function, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await write(name, body)
    }
}
