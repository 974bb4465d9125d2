import ChatCore
import IndexCore
import LexicalIndex
import Logging
import Synchronization

/// The life of the words in files: opened at the start, written when much has changed, deleted when they hold too much.
extension LiveLexicon {
    /// Writes a new snapshot file when enough has changed since the last one; one at a time.
    ///
    /// Searches and follows go on meanwhile. A failure is logged, and the next file waits until as much has changed
    /// again.
    ///
    /// - Parameter atEnd: Whether the process is about to end.
    public func saveIfDue(atEnd: Bool = false) async {
        guard let files else { return }
        // Not cancelled with its caller, as with vectors.
        try? await withoutCancellation { await self.saveIfDue(to: files, atEnd: atEnd) }
    }

    /// Leaves the files as the next start wants them: called once, when nothing is followed any longer.
    public func finish() async {
        await saveIfDue(atEnd: true)
        try? await files?.sweep()
    }

    private func saveIfDue(to files: LexiconFiles, atEnd: Bool) async {
        await savingGate.run {
            if state.withLock({ $0.mustForget }) { await gate.run { await forgetErased() } }
            guard isDue(atEnd: atEnd) else { return }
            do {
                try await save(to: files)
            } catch {
                state.withLock { $0.unsavedCount = 0 }
                logger.warning("The lexical index cannot be written to a file", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Deletes the files and writes the present rows anew where they are many: after something was erased.
    ///
    /// - Throws: `SnapshotError`, ``RepositoryError``; what could not be deleted is tried again later.
    public func rewriteFile() async throws {
        guard let files else { return }
        try await savingGate.run {
            try await gate.run { try await files.forget() }
            let present = state.withLock { $0 }
            guard present.followed != nil, policy.isDue(rowCount: present.index.count, changedCount: .max, atEnd: true)
            else {
                return
            }
            try await save(to: files)
        }
    }

    /// How long to wait before the next look whether a file is due; nil until something changes.
    var pauseBeforeSaving: Duration? {
        let (present, moment) = (state.withLock { $0 }, now())
        if present.mustForget { return .seconds(1) }
        guard let erasure = present.lastErasure, files != nil, !isDue(atEnd: false),
            policy.isDue(rowCount: present.index.count, changedCount: present.unsavedCount, atEnd: false)
        else { return nil }
        return max(.milliseconds(10), policy.quietTime - (moment - erasure))
    }

    private func isDue(atEnd: Bool) -> Bool {
        let (present, moment) = (state.withLock { $0 }, now())
        guard present.followed != nil, !present.mustForget else { return false }
        let isQuiet = policy.isQuiet(sinceErasure: present.lastErasure.map { moment - $0 })
        return (atEnd || isQuiet)
            && policy.isDue(rowCount: present.index.count, changedCount: present.unsavedCount, atEnd: atEnd)
    }

    private func save(to files: LexiconFiles) async throws {
        let start = ContinuousClock.now
        // Both from one moment: later changes are not in the file.
        let (present, rows) = await gate.run {
            let present = state.withLock { state in
                state.beginSaving()
                return state
            }
            return (present, present.index.snapshot())
        }
        guard let cursor = present.followed else { return }
        let written = try await files.write(
            rows, analysisVersion: self.rows.analysisVersion)
        try await gate.run {
            // Words that are in the file may have been erased since.
            guard state.withLock({ $0.erasureCount }) == present.erasureCount else { return files.abandon(written) }
            try await files.adopt(written, at: cursor)
            state.withLock { $0.unsavedCount -= present.unsavedCount }
        }
        try await files.sweep()
        logger.debug(
            "The lexical index is written to a file",
            metadata: [
                "index.rows": "\(written.rowCount)", "index.bytes": "\(written.byteCount)",
                "index.duration": "\(ContinuousClock.now - start)",
            ])
    }

    /// Opens the file and brings its rows up to the store.
    ///
    /// - Returns: The position of its rows; nil when there is no file that can be used. It is deleted then.
    /// - Throws: ``RepositoryError``.
    func loadFromFile() async throws -> ChangeCursor? {
        do {
            guard var cursor = try await openFile() else { return nil }
            while true {
                let page = try await store.changes(after: cursor, limit: Self.pageSize)
                if !page.changes.isEmpty {
                    try await apply(page.changes)
                    cursor = page.end
                    continue
                }
                let census = try await store.messageCensus()
                guard cursor.reaches(census.cursor) else { continue }
                if census.cursor == cursor, census.count == index.count { return cursor }
                await drop(because: "its rows are not those of the store")
                return nil
            }
        } catch let error as SnapshotError {
            await drop(because: "\(error)")
        } catch RepositoryError.expiredCursor {
            await drop(because: "it belongs to another change log")
        }
        return nil
    }

    private func openFile() async throws -> ChangeCursor? {
        guard let opened = try await files?.open(analysisVersion: rows.analysisVersion) else { return nil }
        let newest = await onOwnThread {
            var newest = MessageNumber(rawValue: 0)
            opened.index.snapshot().forEachRow { newest = max(newest, MessageNumber($0.key)) }
            return newest
        }
        state.withLock { $0.restart(with: opened.index, newest: newest) }
        return opened.cursor
    }

    private func drop(because reason: String) async {
        logger.notice(
            "The file of the lexical index cannot be used and is dropped", metadata: ["index.reason": "\(reason)"])
        state.withLock { $0.mustForget = true }
        await forgetErased()
    }

    /// Deletes the files when they must go; the caller holds the gate.
    ///
    /// What fails is tried again at the next call; a failure is logged once.
    func forgetErased() async {
        guard let files, state.withLock({ $0.mustForget }) else { return }
        var failure: String?
        do {
            try await files.forget()
        } catch is CancellationError {
            return
        } catch {
            failure = "\(error)"
        }
        let isNews = state.withLock { state in
            state.mustForget = failure != nil
            defer { state.forgetFailure = failure }
            return state.forgetFailure != failure
        }
        if let failure, isNews {
            logger.warning("Erased words are still in a file", metadata: ["error": "\(failure)"])
        }
    }
}
