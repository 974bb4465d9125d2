package import ChatCore

/// An erasure takes three calls, and the indexes follow between them: ``erase(_:at:)``, ``finishErasing(_:at:)``,
/// ``rewrite()``. To complete an interrupted erasure, make all three calls again.
extension SQLStore {
    /// Counts the rows that an erasure would remove.
    package func erasureCounts(of subject: ErasureSubject) async throws -> ErasureCounts {
        try await read { db in try ErasureRows(db: db, subject: subject).counts() }
    }

    /// Removes all content of a subject in one transaction: texts, names, vectors, turns, entries of the queue.
    ///
    /// Turns of others that were based on it are emptied. Each message leaves a tombstone, so that it is refused when
    /// it is sent again. The marks of deleted messages remain until ``finishErasing(_:at:)``.
    ///
    /// - Parameters:
    ///   - subject: A user or a conversation; an unknown one is no error.
    ///   - moment: The present time.
    /// - Returns: The counts of the removed content.
    /// - Throws: Storage errors; nothing is erased then.
    package func erase(_ subject: ErasureSubject, at moment: Timestamp) async throws -> ErasureCounts {
        try await write { db in try ErasureRows(db: db, subject: subject).empty(at: moment) }
    }

    /// Removes the remaining marks and the changes that refer to them; the indexes must have followed before.
    ///
    /// Indexes of other nodes may follow later: they read ``Change/Subject/erased(_:)``. What requests of a user wrote
    /// that had begun before ``erase(_:at:)`` goes too, and they write nothing any more.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - moment: The present time, after the end of ``erase(_:at:)``.
    /// - Returns: False when new content has arrived, which ``erase(_:at:)`` must remove first.
    /// - Throws: Storage errors.
    package func finishErasing(_ subject: ErasureSubject, at moment: Timestamp) async throws -> Bool {
        try await write { [engine] db in
            try ErasureRows(db: db, subject: subject).finish(at: moment, othersFollow: !engine.hearsEveryWrite)
        }
    }

    /// Rewrites the whole database without its free pages, and empties the write-ahead log.
    ///
    /// In PostgreSQL deleted rows are removed from the pages (`VACUUM`) while all nodes read and write. That reaches
    /// neither rows that an older transaction may still read, nor the free space of pages until it is used again, the
    /// write-ahead log and its archives, standbys or dumps.
    ///
    /// - Throws: ``RepositoryError``: `SQLITE_BUSY` when a reader takes longer than the store waits.
    package func rewrite() async throws {
        try await engine.rewrite()
    }
}

/// The subject of an erasure.
package enum ErasureSubject: Hashable, Sendable, Codable {
    /// A user: messages, questions and names.
    case user(UserID)
    /// A conversation with all its content.
    case conversation(ConversationID)
}

/// The counts of an erasure, planned or done.
package struct ErasureCounts: Hashable, Sendable, Codable {
    /// Messages with content, or with the mark of a deletion.
    package var messages = 0
    /// Passages with their vectors, of all generations.
    package var vectors = 0
    /// Entries of the queue.
    package var queued = 0
    /// Turns asked by the user, or asked of the conversation's own assistant.
    package var turns = 0
    /// Turns of others, emptied because they were based on erased messages.
    package var redactedTurns = 0
    /// Memberships.
    package var memberships = 0
    /// Authors of sources, with names and addresses.
    package var identities = 0
    /// Messages of others that lost a reaction.
    package var reactions = 0
    /// Conversations.
    package var conversations = 0
    /// Stored files: attached to erased messages, or uploaded by the user and not attached.
    package var files = 0
    /// Accounts.
    package var accounts = 0
    /// What people showed of themselves: titles, time zones.
    package var profiles = 0
    /// Pictures of people and groups.
    package var pictures = 0
    /// Messages that were to be sent later.
    package var scheduledMessages = 0
    /// Scheduled questions and digests.
    package var schedules = 0
    /// Messages that the user saved.
    package var savedMessages = 0
    /// Devices that were notified.
    package var devices = 0

    package init() {}

    /// Adds the counts of another subject.
    package mutating func add(_ other: ErasureCounts) {
        messages += other.messages
        vectors += other.vectors
        queued += other.queued
        turns += other.turns
        redactedTurns += other.redactedTurns
        memberships += other.memberships
        identities += other.identities
        reactions += other.reactions
        conversations += other.conversations
        files += other.files
        accounts += other.accounts
        profiles += other.profiles
        pictures += other.pictures
        scheduledMessages += other.scheduledMessages
        schedules += other.schedules
        savedMessages += other.savedMessages
        devices += other.devices
    }

    /// Whether all counts are 0.
    package var isEmpty: Bool { self == ErasureCounts() }
}
