/// How a store is opened.
public struct StoreOptions: Sendable {
    /// How many connections read beside the one that writes.
    public var readerCount: Int
    /// The most pages of 4 KiB that the database may take; nil for as many as the disk holds.
    public var pageLimit: Int?
    /// Asked before the database is opened for writing; for tests of disks that take none.
    package var refusal: (@Sendable () -> StorageTrouble?)?

    /// Makes options; what is left out suits a server.
    public init(readerCount: Int = 4, pageLimit: Int? = nil) {
        self.readerCount = readerCount
        self.pageLimit = pageLimit
    }
}

/// Why a data folder cannot be opened, beside what ``RepositoryError`` says.
public enum StoreOpenError: Error, Equatable, Sendable {
    /// Another process works on the folder at this path.
    case inUse(folder: String)
    /// What lies at this path is not a folder, or none can be made there.
    case notAFolder(path: String)
    /// The folder at this path may not be used by this user.
    case notPermitted(path: String)
    /// The disk takes no writing, but the database at this path needs some before it can be read: an older schema, or a
    /// log whose index file is missing.
    case needsWriting(path: String)
}

/// What a check of the whole database found.
public struct IntegrityReport: Equatable, Sendable {
    /// Whether the file and all references in it are sound.
    public let isSound: Bool
    /// The version of SQLite.
    public let engineVersion: String
}
