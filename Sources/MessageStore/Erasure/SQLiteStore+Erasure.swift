public import ChatCore
import GRDB

/// Erasing is done in three calls, between which the indexes follow: ``erase(_:at:)``, ``finishErasing(_:)``,
/// ``rewrite()``. One that broke off is completed when all three are made again.
extension SQLiteStore {
    /// Counts what an erasure would take away.
    public func erasureCounts(of subject: ErasureSubject) async throws -> ErasureCounts {
        try await read { db in try ErasureRows(db: db, subject: subject).counts() }
    }

    /// Takes all content of a subject away, in one transaction: texts, names, vectors, turns, entries of the queue.
    ///
    /// Turns of others that stood on it are emptied. Each message leaves a tombstone: it does not come back when it is
    /// handed in again. The marks of deleted messages remain until ``finishErasing(_:)``.
    ///
    /// - Parameters:
    ///   - subject: A user or a conversation; one that is unknown is no error.
    ///   - moment: The present time.
    /// - Returns: What there was.
    /// - Throws: Storage errors; nothing was erased then.
    public func erase(_ subject: ErasureSubject, at moment: Timestamp) async throws -> ErasureCounts {
        try await write { db in try ErasureRows(db: db, subject: subject).empty(at: moment) }
    }

    /// Takes away the marks that were left, with the changes that name them; the indexes must have followed before.
    ///
    /// - Returns: False when something new has come that ``erase(_:at:)`` must take first.
    public func finishErasing(_ subject: ErasureSubject) async throws -> Bool {
        try await write { db in try ErasureRows(db: db, subject: subject).removeMarks() }
    }

    /// Writes the whole database anew without its free pages and empties the write-ahead log.
    ///
    /// - Throws: ``RepositoryError``: `SQLITE_BUSY` when something reads for longer than the store waits.
    public func rewrite() async throws {
        do {
            try await connection.writingPool().writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
        } catch {
            throw StorageFailure.translated(error)
        }
        for _ in 1..<Self.emptyingLimit {
            do {
                return try await checkpoint()
            } catch RepositoryError.unavailable {
                // Something reads; the store has waited for it a while already.
                continue
            }
        }
        try await checkpoint()
    }

    /// How often the log is tried to be emptied, each time waiting for who reads.
    private static let emptyingLimit = 10
}

/// What is to be erased.
public enum ErasureSubject: Hashable, Sendable, Codable {
    /// Everything that a user wrote, asked and is called.
    case user(UserID)
    /// A conversation with everything in it.
    case conversation(ConversationID)
}

/// How much an erasure concerns, or took away.
public struct ErasureCounts: Hashable, Sendable, Codable {
    /// Messages that had content, or the mark of a deletion.
    public var messages = 0
    /// Passages with their vectors, of all generations.
    public var vectors = 0
    /// Entries of the queue.
    public var queued = 0
    /// Turns that the user asked for, or that were asked of the conversation's own assistant.
    public var turns = 0
    /// Turns of others, emptied since they stood on erased messages.
    public var redactedTurns = 0
    /// Memberships.
    public var memberships = 0
    /// Authors of sources, with names and addresses.
    public var identities = 0
    /// Messages of others that lost a reaction.
    public var reactions = 0
    /// Conversations.
    public var conversations = 0

    /// Makes counts of nothing.
    public init() {}

    /// Whether there is nothing of it.
    public var isEmpty: Bool { self == ErasureCounts() }
}
