/// The manifest of a backup: `manifest.json` beside the database file.
package struct BackupManifest: Codable, Equatable, Sendable {
    /// The numbers of rows in a database.
    package struct Counts: Codable, Equatable, Sendable {
        /// Conversations.
        package var conversations: Int
        /// Messages, including the marks of deleted ones.
        package var messages: Int
        /// Passages with their vectors, of all generations.
        package var vectors: Int
        /// Messages that wait for vectors, or were given up; counted once for each generation.
        package var queued: Int
        /// Questions with their answers.
        package var turns: Int
        /// Stored files; nil for none.
        package var files: Int?

        package init(conversations: Int, messages: Int, vectors: Int, queued: Int, turns: Int, files: Int? = nil) {
            self.conversations = conversations
            self.messages = messages
            self.vectors = vectors
            self.queued = queued
            self.turns = turns
            self.files = files
        }
    }

    /// The format of backups that this program writes and reads.
    package static let presentFormat = 1

    /// The format of the backup.
    package var format: Int
    /// The time of the backup, ISO 8601.
    package var madeAt: String
    /// The version of the program that made it.
    package var program: String
    /// The last schema step of the database.
    package var schemaVersion: Int
    /// The number of the newest change.
    package var change: Int64
    /// The numbers of rows in the database.
    package var counts: Counts
    /// The size of the database file.
    package var byteCount: Int
    /// The SHA-256 of the database file, in hexadecimal digits.
    package var sha256: String
    /// The ids of files that the database names, but whose bytes were missing or damaged; nil for none.
    package var missingFiles: [String]?

    package init(
        format: Int, madeAt: String, program: String, schemaVersion: Int, change: Int64, counts: Counts, byteCount: Int,
        sha256: String
    ) {
        (self.format, self.madeAt, self.program) = (format, madeAt, program)
        (self.schemaVersion, self.change, self.counts) = (schemaVersion, change, counts)
        (self.byteCount, self.sha256) = (byteCount, sha256)
    }
}

/// A reason why a backup cannot be made or restored.
package enum BackupError: Error, Equatable, Sendable {
    /// The store is a PostgreSQL database, which has its own programs for backups.
    case otherDatabase
    /// Something exists at the path of the new backup.
    case alreadyThere(path: String)
    /// The backup would lie in the data folder.
    case insideDataFolder(path: String)
    /// There is no backup, or its manifest cannot be read.
    case noBackup(path: String)
    /// The backup was made by a newer program.
    case fromTheFuture(found: String)
    /// The backup has an older schema than this program reads.
    case tooOld(found: String)
    /// The database file does not match the manifest.
    case notAsMade(field: String)
    /// The database in the backup is damaged.
    case unsound
    /// The data folder is not empty, and replacing it was not allowed.
    case folderNotEmpty(path: String)
    /// A system call failed; `code` is its `errno`.
    case io(operation: String, code: Int32)
}
