public import Foundation
import GRDB
import NexusModel

/// What a client keeps of one person on one server: conversations, messages, receipts, drafts, the position in the feed,
/// and what was not sent.
///
/// It is a SQLite file, or the same tables in memory. A frame of the feed and the position after it are one transaction:
/// a process that is killed between frames neither loses nor doubles one. Messages are sorted by `seq`; a batch is sorted
/// once and merged in one pass. Where messages may be missing there is a gap, until a page fills it. Only one store has a
/// file open at a time.
///
/// Calls run in their order on the store's own queue. The store is opened by its first use, or by ``open()``.
public actor MessageStore {
    /// What was done so far.
    public struct Work: Hashable, Sendable {
        /// Batches of messages that were sorted.
        public var sortCount = 0
        /// Batches that were merged with the stored messages.
        public var mergeCount = 0
    }

    /// Where a test stops a write: before its transaction, or after it.
    package typealias Fault = @Sendable () throws -> Void

    /// The file; nil for a store in memory.
    public nonisolated let file: URL?
    /// How much is kept.
    public nonisolated let limits: StoreLimits
    /// What was done so far.
    public internal(set) var work = Work()

    private let owner: String?
    private let isDurable: Bool
    private let fault: Fault?
    private let executor = StoreExecutor()
    private var queue: DatabaseQueue?
    private var isClosed = false
    /// Counts transactions that changed messages.
    var revision: Int64 = 0
    /// When messages changed that belong into a gap: a page that was asked for earlier has an older state of them.
    var skipped: [String: Int64] = [:]
    /// Before this revision nobody knows which messages were skipped.
    var skippedStart: Int64 = 0
    /// Messages added since the limits were last checked.
    var addedCount = 0

    /// Runs the store on its own queue, because SQLite blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A store in memory.
    ///
    /// - Parameter limits: How much is kept.
    public init(limits: StoreLimits = StoreLimits()) {
        self.init(file: nil, owner: nil, limits: limits, isDurable: true, fault: nil)
    }

    /// The store of one person on one server: a file in a folder, which no other pair has.
    ///
    /// - Parameters:
    ///   - folder: A folder that exists; it may have the files of others.
    ///   - server: The address of the server.
    ///   - user: The person.
    ///   - limits: How much is kept.
    public init(in folder: URL, server: String, user: String, limits: StoreLimits = StoreLimits()) {
        self.init(
            file: Self.file(in: folder, server: server, user: user), owner: Self.owner(server: server, user: user),
            limits: limits)
    }

    /// A store at a place that the caller chose, which is made if there is none.
    package init(file: URL?, owner: String? = nil, limits: StoreLimits = StoreLimits()) {
        self.init(file: file, owner: owner, limits: limits, isDurable: true, fault: nil)
    }

    /// The name of a person on a server, as a file says whose it is.
    package static func owner(server: String, user: String) -> String {
        "\(user)@\(trimmed(server))"
    }

    /// An address without the slashes at its end.
    static func trimmed(_ server: String) -> String {
        var server = server
        while server.hasSuffix("/") { server.removeLast() }
        return server
    }

    /// A store of a test: `isDurable` says whether a transaction survives a power cut, not only the end of the process, and
    /// `fault` is called before and after each transaction that writes.
    package init(file: URL?, owner: String? = nil, limits: StoreLimits = StoreLimits(), isDurable: Bool, fault: Fault?)
    {
        self.file = file
        self.owner = owner
        self.limits = limits
        self.isDurable = isDurable
        self.fault = fault
    }

    /// Returns the file of one person on one server in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - server: The address of the server.
    ///   - user: The person.
    /// - Returns: A file whose name no other pair has.
    package static func file(in folder: URL, server: String, user: String) -> URL {
        let name = "\(NexusSession.encoded(trimmed(server)))@\(NexusSession.encoded(user))"
        guard name.utf8.count > 180 else { return folder.appending(path: "\(name).sqlite") }
        // FNV-1a with two starting values.
        let hashes = [0xcbf2_9ce4_8422_2325 as UInt64, 0x6c62_272e_07bb_0142].map { start in
            name.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        }
        return folder.appending(path: "\(name.prefix(100))-\(hashes.map { String($0, radix: 16) }.joined()).sqlite")
    }

    /// Opens the file.
    ///
    /// What was on its way when the last process ended is queued again.
    ///
    /// - Throws: ``StoreError``.
    public func open() throws(StoreError) { _ = try database() }

    /// Closes the file; later calls throw ``StoreError/closed``.
    public func close() {
        isClosed = true
        try? queue?.close()
        queue = nil
    }

    /// Closes the store and removes everything that it kept, also what was not sent.
    ///
    /// - Throws: ``StoreError/failed`` if the file could not be removed.
    public func erase() throws(StoreError) {
        close()
        if let file { try Self.erase(file) }
    }

    /// Removes a store that is not open.
    ///
    /// - Throws: ``StoreError/failed`` if the file could not be removed.
    public static func erase(_ file: URL) throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let path = file.path + suffix
            guard FileManager.default.fileExists(atPath: path) else { continue }
            do { try FileManager.default.removeItem(atPath: path) } catch { throw .failed }
        }
    }
}

/// Transactions.
extension MessageStore {
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        let queue = try database()
        do { return try queue.read(body) } catch { throw StoreError(error) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        let queue = try database()
        do {
            try fault?()
            let value = try queue.write(body)
            try fault?()
            return value
        } catch {
            throw StoreError(error)
        }
    }

    private func database() throws(StoreError) -> DatabaseQueue {
        if let queue { return queue }
        guard !isClosed else { throw .closed }
        do {
            let opened = try makeQueue()
            try opened.write { db in
                try Self.prepare(db, owner: owner)
                revision = try StoreRows(db).number("revision") ?? 0
            }
            queue = opened
            return opened
        } catch {
            throw StoreError(error)
        }
    }

    private func makeQueue() throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { [isDurable, isFile = file != nil] db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            guard isFile else { return }
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
            try db.execute(sql: "PRAGMA cache_size = -8192")
        }
        guard let file else { return try DatabaseQueue(configuration: configuration) }
        if !FileManager.default.fileExists(atPath: file.path) {
            // SQLite gives its other files the same permissions.
            let isMade = FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
            guard isMade else { throw StoreError.failed }
        }
        return try DatabaseQueue(path: file.path, configuration: configuration)
    }

    private static func prepare(_ db: Database, owner: String?) throws {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version <= StoreSchema.version else { throw StoreError.newer }
        if version == 0 {
            try db.execute(sql: StoreSchema.statements)
            try db.execute(sql: "PRAGMA user_version = \(StoreSchema.version)")
        }
        let rows = StoreRows(db)
        if let owner {
            guard try rows.text("owner") ?? owner == owner else { throw StoreError.foreign }
            try rows.set("owner", owner)
        }
        try db.execute(sql: "UPDATE outbox SET state = 'queued' WHERE state = 'sending'")
        // No page from before is on its way; the unread ones are counted.
        try db.execute(
            sql: """
                DELETE FROM tombstone WHERE seq IS NULL
                OR seq <= (SELECT readSeq FROM conversation WHERE number = tombstone.conversation)
                """)
    }
}
