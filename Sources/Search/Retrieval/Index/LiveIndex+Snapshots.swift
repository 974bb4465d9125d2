import ChatCore
import IndexCore
import Logging
import Synchronization
import VectorIndex

/// Files of vectors: erased rows are overwritten in the file, and damaged rows are read from the store.
extension LiveIndex: SnapshotSource {
    var savableRowCount: Int? {
        state.withLock { state in state.followed == nil ? nil : state.serving?.index.count }
    }

    func draft() -> SnapshotDraft? {
        let (followed, serving) = state.withLock { ($0.followed, $0.serving) }
        guard let followed, let serving else { return nil }
        return SnapshotDraft(slot: .vectors(serving.generation.number), cursor: followed) { name, path in
            let written = try serving.index.writeSnapshot(to: path, identity: name)
            return WrittenFile(path: written.path, byteCount: written.byteCount, rowCount: written.rowCount) {
                try serving.index.adopt(written)
            }
        }
    }

    func repair(after error: any Error) async -> Bool {
        guard let error = error as? SnapshotError, case .damaged = error, let serving else { return false }
        await mendAndReport(serving)
        return true
    }

    /// Writes a new snapshot file when enough has changed since the last one; one at a time.
    ///
    /// Searches and follows continue meanwhile. A failure is logged, and the next file waits until as much has changed
    /// again.
    ///
    /// - Parameter atEnd: Whether the process is about to end.
    package func saveIfDue(atEnd: Bool = false) async { await lifecycle.saveIfDue(self, atEnd: atEnd) }

    /// Leaves the files as the next start needs them; called once, when nothing is followed any longer.
    package func finish() async {
        await scrub()
        await lifecycle.finish(self)
    }

    /// Deletes the files of all generations, and writes the rows of the serving one again if they are many; after
    /// something was erased, and the erasure was followed.
    ///
    /// - Throws: ``RepositoryError``; `SnapshotError` when a file cannot be deleted or written. Remaining files are
    ///   deleted later.
    package func rewriteFiles() async throws { try await lifecycle.rewrite(self) }

    /// Overwrites with zeros what was removed or replaced since the file was written, unless a search is reading it.
    ///
    /// Rows that are left over are tried again at the next call. A failure is logged once.
    package func scrub() async {
        let target = serving
        await lifecycle.erase {
            guard let target else { return true }
            return try await onOwnThread { try target.index.scrub() } == 0
        }
    }

    /// Reads the whole file once and mends what is damaged; ends early when the task is cancelled.
    package func verify() async {
        guard lifecycle.hasFiles, let serving else { return }
        let isCancelled = Mutex(false)
        await withTaskCancellationHandler {
            await onOwnThread { serving.index.verify { isCancelled.withLock { $0 } } }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        await mendAndReport(serving)
    }

    /// Reads the rows in damaged parts of the file from the store.
    ///
    /// - Parameter target: The index in which the damage was found.
    /// - Returns: How many rows there were; 0 if another task has mended them meanwhile.
    /// - Throws: ``RepositoryError``.
    func mend(_ target: GenerationIndex) async throws -> Int {
        try await lifecycle.rowLock.run {
            let damaged = target.index.damagedRows().map { PassageNumber($0) }
            guard !damaged.isEmpty else { return 0 }
            logger.warning(
                "The file of the index is damaged; rows are read from the store",
                metadata: ["index.rows": "\(damaged.count)"])
            try await reader.renew(damaged, in: target)
            // A file that has lost some rows may lose others: the next one is due.
            lifecycle.countUnsaved(atLeast: target.index.count)
            return damaged.count
        }
    }

    private func mendAndReport(_ target: GenerationIndex) async {
        do {
            _ = try await mend(target)
        } catch {
            logger.warning("The index cannot be mended", metadata: ["error": "\(type(of: error))"])
        }
    }
}
