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
        try await emit(.erasureStep(0))
        let indistinctCount = try await store.recordEvidence(of: subject)
        try await emit(.erasureStep(1))
        let counts = try await eraseRows(of: subject)
        try await emit(.erasureStep(2))
        try await indexes.words.rewriteFiles()
        try await indexes.vectors.rewriteFiles()
        try await emit(.erasureStep(3))
        try await store.rewrite()
        try await emit(.erasureStep(4))
        let pace = Pace(interval: .milliseconds(200))
        let proof = try await store.proof(leavingOut: indistinctCount) { done, total in
            guard pace.isDue() || done >= total else { return }
            try await emit(.progress(StageProgress(stage: .searching, done: done, total: total)))
        }
        return ErasureReport(counts: counts, proof: proof)
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
            if try await store.finishErasing(subject), let counts { return counts }
        }
        throw OperatorFailure(message: "new messages keep coming; erase again when the source has stopped")
    }
}

extension OperatorEvent {
    /// Finished steps of an erasure: noting the content to search for, emptying rows, the files of the indexes, the
    /// database.
    fileprivate static func erasureStep(_ done: Int) -> OperatorEvent {
        .progress(StageProgress(stage: .erasing, done: done, total: 4))
    }
}
