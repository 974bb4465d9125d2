import ChatCore
import IndexCore
import Synchronization
import VectorIndex

extension LiveIndex {
    /// Deletes the files of all generations, and writes the rows of the serving one again if they are many: after
    /// something was erased, and the erasure was followed.
    ///
    /// - Throws: ``RepositoryError``; `SnapshotError` when a file cannot be deleted or written. What remains is swept
    ///   later.
    public func rewriteFiles() async throws {
        guard let snapshots else { return }
        try await savingGate.run {
            try await snapshots.forgetAll()
            let present = state.withLock { $0 }
            guard let serving = present.serving,
                policy.isDue(rowCount: serving.index.count, changedCount: .max, atEnd: true)
            else { return }
            try await save(present, of: serving, to: snapshots)
        }
    }
}

extension IndexSnapshots {
    /// Forgets the files of all generations and deletes them.
    fileprivate func forgetAll() async throws {
        for generation in try await register.snapshots().keys {
            _ = try await register.setSnapshot(nil, of: generation)
        }
        try await sweep()
    }
}
