import ChatCore
import IndexCore
import Logging
import Synchronization
import VectorIndex

/// What keeps the snapshot file useful: writing it anew, taking erased rows out of it, mending it.
extension LiveIndex {
    /// Writes a new snapshot file when enough has changed since the last one; one at a time.
    ///
    /// Searches and follows go on meanwhile. A failure is logged, and the next file waits until as much has changed
    /// again: a disk that is full stays full for a while.
    ///
    /// - Parameter atEnd: Whether the process is about to end.
    public func saveIfDue(atEnd: Bool = false) async {
        guard let snapshots else { return }
        // A cancellation would throw away a file that took seconds to write.
        try? await withoutCancellation { await self.saveIfDue(to: snapshots, atEnd: atEnd) }
    }

    private func saveIfDue(to snapshots: IndexSnapshots, atEnd: Bool) async {
        await savingGate.run {
            let present = state.withLock { $0 }
            guard let serving = present.serving,
                policy.isDue(rowCount: serving.index.count, changedCount: present.unsavedCount, atEnd: atEnd)
            else { return }
            do {
                try await save(present, of: serving, to: snapshots)
            } catch SnapshotError.damaged {
                await mendAndReport(serving)
            } catch {
                state.withLock { $0.unsavedCount = 0 }
                logger.warning("The index cannot be written to a file", metadata: ["error": "\(error)"])
            }
        }
    }

    func save(_ present: State, of serving: GenerationIndex, to snapshots: IndexSnapshots) async throws {
        guard let cursor = present.followed else { return }
        let start = ContinuousClock.now
        let written = try await snapshots.write(serving)
        try await gate.run {
            guard try await snapshots.adopt(written, by: serving, at: cursor) else { return }
            state.withLock { state in
                guard state.serving?.index === serving.index else { return }
                state.unsavedCount -= present.unsavedCount
                state.needsScrub = true
            }
        }
        try await snapshots.sweep()
        logger.debug(
            "The index is written to a file",
            metadata: [
                "index.rows": "\(written.rowCount)", "index.bytes": "\(written.byteCount)",
                "index.duration": "\(ContinuousClock.now - start)",
            ])
    }

    /// Leaves the files as the next start wants them: called once, when nothing is followed any longer.
    public func finish() async {
        await scrub()
        await saveIfDue(atEnd: true)
        // A generation that was retired without being followed has left its file.
        try? await snapshots?.sweep()
    }

    /// Whether the file may hold rows that were removed or replaced.
    var needsScrub: Bool { state.withLock { $0.needsScrub } }

    /// Zeroes in the file what was removed or replaced since it was written, as far as no search is reading it.
    ///
    /// What is left over, and what failed, is tried again at the next call; a failure is logged once.
    public func scrub() async {
        let target = state.withLock { state in
            defer { state.needsScrub = false }
            return state.needsScrub ? state.serving : nil
        }
        guard let target else { return }
        var failure: String?
        var isDone = false
        do {
            isDone = try await onOwnThread { try target.index.scrub() } == 0
        } catch {
            failure = "\(error)"
        }
        let isNews = state.withLock { state in
            if !isDone { state.needsScrub = true }
            defer { state.scrubFailure = failure }
            return state.scrubFailure != failure
        }
        if let failure, isNews {
            logger.warning("Erased rows are still in the index's file", metadata: ["error": "\(failure)"])
        }
    }

    /// Reads the whole file once and mends what is damaged; ends early when the task is cancelled.
    public func verify() async {
        guard snapshots != nil, let serving else { return }
        let isCancelled = Mutex(false)
        await withTaskCancellationHandler {
            await onOwnThread { serving.index.verify { isCancelled.withLock { $0 } } }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        await mendAndReport(serving)
    }

    /// Reads the rows that lie in damaged parts of the file from the store.
    ///
    /// - Parameter target: The index in which the damage was met.
    /// - Returns: How many rows there were; none when somebody else has mended it meanwhile.
    /// - Throws: ``RepositoryError``.
    func mend(_ target: GenerationIndex) async throws -> Int {
        try await gate.run {
            let damaged = target.index.damagedRows().map { PassageNumber($0) }
            guard !damaged.isEmpty else { return 0 }
            logger.warning(
                "The file of the index is damaged; rows are read from the store",
                metadata: ["index.rows": "\(damaged.count)"])
            try await reader.renew(damaged, in: target)
            // A file that has lost some rows may lose others: the next one is due.
            state.withLock { $0.unsavedCount = max($0.unsavedCount, target.index.count) }
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
