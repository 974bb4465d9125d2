/// What a backup says of itself: `manifest.json` beside the database file.
public struct BackupManifest: Codable, Equatable, Sendable {
    /// How many rows of what a database holds.
    public struct Counts: Codable, Equatable, Sendable {
        /// Conversations.
        public var conversations: Int
        /// Messages, the marks of deleted ones too.
        public var messages: Int
        /// Passages with their vectors, of all generations.
        public var vectors: Int
        /// Messages that wait for vectors, or were given up; once a generation.
        public var queued: Int
        /// Questions with their answers.
        public var turns: Int

        public init(conversations: Int, messages: Int, vectors: Int, queued: Int, turns: Int) {
            self.conversations = conversations
            self.messages = messages
            self.vectors = vectors
            self.queued = queued
            self.turns = turns
        }
    }

    /// The form of backups that this program writes and reads.
    public static let presentFormat = 1

    /// The form of the backup.
    public var format: Int
    /// When it was made, ISO 8601.
    public var madeAt: String
    /// The version of the program that made it.
    public var program: String
    /// The last schema step that the database has taken.
    public var schemaVersion: Int
    /// The number of the newest change.
    public var change: Int64
    /// What the database holds.
    public var counts: Counts
    /// The size of the database file.
    public var byteCount: Int
    /// The SHA-256 of the database file, in hexadecimal digits.
    public var sha256: String
}

/// Why a backup cannot be made or restored.
public enum BackupError: Error, Equatable, Sendable {
    /// Something lies where the backup is to be.
    case alreadyThere(path: String)
    /// The backup would lie in the data folder.
    case insideDataFolder(path: String)
    /// There is no backup, or its manifest cannot be read.
    case noBackup(path: String)
    /// The backup was made by a newer program.
    case fromTheFuture(found: String)
    /// The database file is not the one that the manifest tells of.
    case notAsMade(field: String)
    /// The database in the backup is damaged.
    case unsound
    /// The data folder holds something and was not to be replaced.
    case folderNotEmpty(path: String)
    /// The system refused a step; `code` is its number of the error.
    case io(operation: String, code: Int32)
}
