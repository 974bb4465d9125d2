import Assistant
import ChatCore
import Foundation
import HTTPAPI
import LiveChat
import MessageStore
import Retrieval
import SQLiteStore
import UseCases

extension Workspace {
    /// The most rounds of erasing content that arrives in the meantime.
    private static let eraseRoundLimit = 5

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
    func erase(_ subject: ErasureSubject, isConfirmed: Bool, emit: Emit) async throws -> ErasureReport {
        guard isConfirmed else { return ErasureReport(counts: try await store.erasureCounts(of: subject)) }
        try await emit(.erasureStep(0))
        let indistinctCount = try await store.noteEvidence(of: subject)
        try await emit(.erasureStep(1))
        let counts = try await eraseRows(of: subject)
        try await emit(.erasureStep(2))
        try await lexicon.rewriteFiles()
        try await index.rewriteFiles()
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
        for _ in 0..<Self.eraseRoundLimit {
            if case .user(let user) = subject {
                assistant.allowance?.forget(user)
                try await disconnect(user)
            }
            let erased = try await store.erase(subject, at: now())
            counts = counts ?? erased
            // The indexes read the marks, and remove the rows.
            try await index.follow()
            try await lexicon.follow()
            liveConnections.forgetFrames()
            // Clients may have come back meanwhile.
            if case .user(let user) = subject { try await disconnect(user) }
            if try await store.finishErasing(subject), let counts { return counts }
        }
        throw OperatorFailure(message: "new messages keep coming; erase again when the source has stopped")
    }

    /// Ends the live connections of a person on all nodes, and forgets presence and tickets.
    private func disconnect(_ user: UserID) async throws {
        try await tickets.forget(user)
        people.forget(user)
        NodeNotices(nodes: store.nodes).tell(erased: user)
    }

    /// Writes a backup into a folder that does not exist yet.
    func backup(to path: String) async throws -> BackupManifest {
        try await store.backup(to: URL(filePath: path), program: Version.text, at: now())
    }
}

extension OperatorEvent {
    /// Finished steps of an erasure: noting the content to search for, emptying rows, the files of the indexes, the
    /// database.
    fileprivate static func erasureStep(_ done: Int) -> OperatorEvent {
        .progress(StageProgress(stage: .erasing, done: done, total: 4))
    }
}
