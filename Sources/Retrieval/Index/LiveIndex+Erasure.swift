import ChatCore
import IndexCore
import Synchronization
import VectorIndex

extension LiveIndex {
    /// Deletes the files of all generations and writes the rows of the serving one anew where they are many: after
    /// something was erased.
    ///
    /// - Throws: ``RepositoryError``; `SnapshotError` when a file cannot be deleted or written. What remains is swept
    ///   later.
    public func rewriteFiles() async throws {
        guard let snapshots else { return }
        try await follow()
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
        for generation in try await register.snapshotNames().keys {
            _ = try await register.setSnapshotName(nil, of: generation)
        }
        try await sweep()
    }
}
