/// A reason why a workspace cannot be migrated, in addition to ``StoreOpenError`` and ``RepositoryError``.
package enum MigrationError: Error, Equatable, Sendable {
    /// The source holds no workspace.
    case noSource
    /// The source is a data folder that was not closed properly, or has an older schema: reading it would change it.
    case sourceNeedsOpening(folder: String)
    /// A server is connected to the database of the source or the target.
    case databaseInUse
    /// This table of the target has rows that no migration put there.
    case targetNotEmpty(table: String)
    /// The target holds an unfinished migration of another source.
    case otherSource
    /// The source was written since the migration began.
    case sourceChanged
    /// The rows of this table differ between source and target.
    case tableDiffers(String)
}

/// The progress of a migration.
package enum MigrationStep: Equatable, Sendable {
    /// So many rows of a table are in the target.
    case copied(table: String, rowCount: Int64)
    /// So many of all files are in the target.
    case copiedFiles(Int, of: Int)
    /// The rows of a table are the same in both stores.
    case compared(table: String)
}

/// The result of a migration.
package struct MigrationReport: Codable, Equatable, Sendable {
    /// The number of rows of each table.
    package let rows: [String: Int64]
    /// The number of files whose bytes are in the target.
    package let fileCount: Int
    /// The ids of files whose bytes are missing or damaged in the source; their rows were copied.
    package let missingFiles: [String]
    /// Whether an interrupted migration was continued.
    package let isContinued: Bool
}
