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
        await Task { await self.saveIfDue(to: files, atEnd: atEnd) }.value
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
        try await follow()
        try await savingGate.run {
            try await gate.run { try await files.forget() }
            let present = state.withLock { $0 }
            guard present.isLoaded, policy.isDue(rowCount: present.index.count, changedCount: .max, atEnd: true) else {
                return
            }
            try await save(to: files)
        }
    }

    private func isDue(atEnd: Bool) -> Bool {
        let (present, moment) = (state.withLock { $0 }, now())
        guard present.isLoaded, !present.mustForget else { return false }
        let isQuiet = policy.isQuiet(sinceErasure: present.lastErasure.map { moment - $0 })
        return (atEnd || isQuiet)
            && policy.isDue(rowCount: present.index.count, changedCount: present.unsavedCount, atEnd: atEnd)
    }

    private func save(to files: LexiconFiles) async throws {
        let start = ContinuousClock.now
        // Both of one moment: what is followed after the watermark is not in the file yet.
        let (present, rows) = await gate.run {
            let present = state.withLock { state in
                state.beginSaving()
                return state
            }
            return (present, present.index.snapshot())
        }
        let written = try await files.write(
            rows, watermark: present.followed, analysisVersion: self.rows.analysisVersion)
        try await gate.run {
            // Words that are in the file may have been erased since.
            guard state.withLock({ $0.erasureCount }) == present.erasureCount else { return files.abandon(written) }
            try await files.adopt(written)
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
    /// - Returns: False when there is no file that can be used; it is deleted then.
    /// - Throws: ``RepositoryError``.
    func loadFromFile() async throws -> Bool {
        do {
            guard try await openFile() else { return false }
        } catch let error as SnapshotError {
            await drop(because: "\(error)")
            return false
        }
        while true {
            while try await followPage() {}
            let census = try await store.messageCensus()
            let (followed, count) = state.withLock { ($0.followed, $0.index.count) }
            if census.change > followed { continue }
            if census.change == followed, census.count == count { return true }
            await drop(because: "its rows are not those of the store")
            return false
        }
    }

    private func openFile() async throws -> Bool {
        guard let opened = try await files?.open(analysisVersion: rows.analysisVersion) else { return false }
        let newest = try await onOwnThread {
            var newest = MessageNumber(rawValue: 0)
            opened.index.snapshot().forEachRow { newest = max(newest, MessageNumber($0.key)) }
            return newest
        }
        state.withLock { $0.restart(with: opened.index, at: opened.watermark, newest: newest) }
        return true
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
