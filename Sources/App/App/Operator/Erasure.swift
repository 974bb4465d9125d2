import Assistant
import ChatCore
import HTTPAPI
import MessageStore
import Retrieval
import SQLiteStore
import UseCases

/// The counts of an erasure, and the result of the search of the data folder afterwards.
struct ErasureReport: Codable, Sendable, Equatable {
    var counts: ErasureCounts
    /// Nil if nothing was erased yet; the counts are then a preview.
    var proof: ErasureProof?
}

/// Erases a user or a conversation for good, and proves it.
struct Erasure: Sendable {
    /// The most rounds of erasing content that arrives in the meantime.
    private static let roundLimit = 5

    let store: SQLStore
    let indexes: Indexes
    let live: LiveChatParts
    let allowance: TokenAllowance?
    let now: @Sendable () -> Timestamp

    /// Erases a user or a conversation, rewrites every file and looks for the erased content.
    ///
    /// If it ends early, the same call completes it, and also searches for content that was erased before: hashes of
    /// that content are kept until none of it is found.
    ///
    /// - Parameters:
    ///   - subject: The user or conversation to erase.
    ///   - isConfirmed: Whether to erase; otherwise the content is only counted.
    ///   - emit: Gets the steps, then the searched bytes.
    /// - Returns: The counts, and whether some of the content was found again.
    /// - Throws: ``RepositoryError``, `SnapshotError`, ``BackupError``.
    func run(_ subject: ErasureSubject, isConfirmed: Bool, emit: Emit) async throws -> ErasureReport {
        guard isConfirmed else { return ErasureReport(counts: try await store.erasureCounts(of: subject)) }
        var steps = Steps(total: 4)
        var removed = Removed()
        try await remove([subject], from: &removed, &steps, emit: emit)
        return try await prove(removed, &steps, emit: emit)
    }

    /// What was removed from the tables.
    struct Removed {
        var counts = ErasureCounts()
        /// Texts and vectors that cannot be recognised in a search.
        var indistinctCount = 0
    }

    /// Finished steps: for each subject noting the content to search for, and emptying rows; then the files of the
    /// indexes, and the database.
    struct Steps {
        var done = 0
        var total: Int

        mutating func finish(_ emit: Emit) async throws {
            done += 1
            try await show(emit)
        }

        func show(_ emit: Emit) async throws {
            try await emit(.progress(StageProgress(stage: .erasing, done: done, total: total)))
        }
    }

    /// Removes content from the tables; ``prove(_:_:emit:)`` completes the erasure.
    func remove(
        _ subjects: [ErasureSubject], from removed: inout Removed, _ steps: inout Steps, emit: Emit
    ) async throws {
        try await steps.show(emit)
        for subject in subjects {
            removed.indistinctCount += try await store.recordEvidence(of: subject)
            try await steps.finish(emit)
            removed.counts.add(try await eraseRows(of: subject))
            try await steps.finish(emit)
        }
    }

    /// Rewrites every file, and looks for the erased content.
    func prove(_ removed: Removed, _ steps: inout Steps, emit: Emit) async throws -> ErasureReport {
        try await indexes.words.rewriteFiles()
        try await indexes.vectors.rewriteFiles()
        try await steps.finish(emit)
        try await store.rewrite()
        try await steps.finish(emit)
        let pace = Pace(interval: .milliseconds(200))
        let proof = try await store.proof(leavingOut: removed.indistinctCount) { done, total in
            guard pace.isDue() || done >= total else { return }
            try await emit(.progress(StageProgress(stage: .searching, done: done, total: total)))
        }
        return ErasureReport(counts: removed.counts, proof: proof)
    }

    /// Counts what would be removed.
    func counts(of subjects: [ErasureSubject]) async throws -> ErasureCounts {
        var counts = ErasureCounts()
        for subject in subjects { counts.add(try await store.erasureCounts(of: subject)) }
        return counts
    }

    private func eraseRows(of subject: ErasureSubject) async throws -> ErasureCounts {
        var counts: ErasureCounts?
        for _ in 0..<Self.roundLimit {
            if case .user(let user) = subject {
                allowance?.forget(user)
                try await live.disconnect(user)
            }
            let erased = try await store.erase(subject, at: now())
            counts = counts ?? erased
            // The indexes read the marks, and remove the rows.
            try await indexes.vectors.follow()
            try await indexes.words.follow()
            live.connections.forgetFrames()
            // Clients may have come back meanwhile.
            if case .user(let user) = subject { try await live.disconnect(user) }
            if try await store.finishErasing(subject, at: now()), let counts { return counts }
        }
        throw OperatorFailure(message: "new messages keep coming; erase again when the source has stopped")
    }
}
