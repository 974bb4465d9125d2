import ChatCore
import IndexCore
import LexicalIndex
import Synchronization

/// Files of words: a file is deleted when one of its rows is erased.
extension LiveLexicon: SnapshotSource, RestoredRows {
    var savableRowCount: Int? {
        state.withLock { state in state.followed == nil ? nil : state.index.count }
    }

    var lastErasure: ContinuousClock.Instant? { state.withLock { $0.lastErasure } }

    func draft() -> SnapshotDraft? {
        let present = state.withLock { state in
            state.beginSaving()
            return state
        }
        guard let cursor = present.followed else { return nil }
        let (snapshot, analysisVersion) = (present.index.snapshot(), rows.analysisVersion)
        return SnapshotDraft(slot: .words, cursor: cursor) { name, path in
            let written = try snapshot.write(to: path, identity: name, analysisVersion: analysisVersion)
            return WrittenFile(path: written.path, byteCount: written.byteCount, rowCount: written.rowCount) {}
        }
    }

    /// Writes a new snapshot file when enough has changed since the last one; one at a time.
    ///
    /// Searches and follows continue meanwhile. A failure is logged, and the next file waits until as much has changed
    /// again.
    ///
    /// - Parameter atEnd: Whether the process is about to end.
    package func saveIfDue(atEnd: Bool = false) async { await lifecycle.saveIfDue(self, atEnd: atEnd) }

    /// Leaves the files as the next start needs them; called once, when nothing is followed any longer.
    package func finish() async { await lifecycle.finish(self) }

    /// Deletes the files and writes the present rows again if they are many; after something was erased.
    ///
    /// - Throws: ``RepositoryError``; `SnapshotError` when a file cannot be deleted or written. Remaining files are
    ///   deleted later.
    package func rewriteFiles() async throws { try await lifecycle.rewrite(self) }

    // MARK: - Start

    var rowCount: Int { index.count }

    func census() async throws -> IndexCensus { try await store.messageCensus() }

    /// Opens the file and brings its rows up to the store.
    ///
    /// - Returns: The position of the rows; nil when no file can be used.
    /// - Throws: ``RepositoryError``.
    func restored() async throws -> ChangeCursor? {
        try await lifecycle.restore(.words) { [self] name, path in
            let index = try BM25Index.open(snapshotAt: path, identity: name, analysisVersion: rows.analysisVersion)
            var newest = MessageNumber(rawValue: 0)
            index.snapshot().forEachRow { newest = max(newest, MessageNumber($0.key)) }
            restart(with: index, newest: newest)
            return self
        }?.cursor
    }
}
