import ChatCore

/// The index that a ``SnapshotLifecycle`` writes files of.
protocol SnapshotSource: Sendable {
    /// How many rows a file would hold; nil while there is nothing to write.
    var savableRowCount: Int? { get }
    /// The time of the last erasure, if the next file has to wait for a quiet time after it.
    var lastErasure: ContinuousClock.Instant? { get }
    /// Returns the present rows; nil while there is nothing to write. The caller holds ``SnapshotLifecycle/rowLock``.
    func draft() -> SnapshotDraft?
    /// Repairs the rows if they are the reason why a file could not be written; false if they are not.
    func repair(after error: any Error) async -> Bool
}

extension SnapshotSource {
    var lastErasure: ContinuousClock.Instant? { nil }
    func repair(after error: any Error) async -> Bool { false }
}

/// Rows that are to be written to a file.
struct SnapshotDraft: Sendable {
    let slot: SnapshotSlot
    /// Every change before it is in the rows.
    let cursor: ChangeCursor
    /// Writes the file; blocks.
    let write: @Sendable (_ name: String, _ path: String) throws -> WrittenFile
}

/// The rows of a file, while ``SnapshotLifecycle`` brings them up to date.
protocol RestoredRows: Sendable {
    /// How many rows there are now.
    var rowCount: Int { get }
    /// Applies changes in the order of the log.
    mutating func apply(_ changes: [Change]) async throws
    /// Returns how many rows the store expects, and the end of the log at the same moment.
    func census() async throws -> IndexCensus
}

/// A snapshot file that was written and is not valid yet.
struct WrittenFile: Sendable {
    let path: String
    let byteCount: Int
    let rowCount: Int
    /// Makes the index use the rows of the file instead of its own; blocks.
    let adopt: @Sendable () throws -> Void
}

/// Changes and erasures, and how many of them have reached the files.
///
/// Counts only grow, so that finishing a file cannot undo what was noted while it was written.
struct SnapshotProgress: Sendable {
    /// Rows that were changed, each as often as it was.
    var changedCount = 0
    /// How many of these changes are in the file.
    var savedCount = 0
    /// How often rows were erased that a file may hold.
    var erasureCount = 0
    /// How many of these erasures reached all files.
    var doneErasureCount = 0
    /// How often the log was replaced by another one.
    var logCount = 0
    /// Why erased rows are still in a file, as it was logged.
    var erasureFailure: String?

    var unsavedCount: Int { changedCount - savedCount }
    var hasErased: Bool { doneErasureCount < erasureCount }
}
