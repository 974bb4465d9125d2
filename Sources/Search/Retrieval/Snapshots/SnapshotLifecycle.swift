import ChatCore
import IndexCore
import Logging
import Synchronization

/// The life of an index's snapshot file: opened at the start, written when enough has changed, deleted when it is not
/// valid or holds too much.
///
/// Both indexes have one. They differ in their ``SnapshotKind``, and in what they do as a ``SnapshotSource``.
final class SnapshotLifecycle: Sendable {
    /// The most changes read at a time.
    private static let pageSize = 4_096

    /// Held while the rows or the published state of the index change.
    let rowLock = AsyncLock()
    /// Signalled when rows have changed, so that files may have to be written or cleaned.
    let changed = WorkSignal()
    private let kind: SnapshotKind
    private let store: any ChangeFeed
    private let folder: SnapshotFolder?
    private let policy: SnapshotPolicy
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger
    /// Held while a file is written.
    private let savingLock = AsyncLock()
    private let progress = Mutex(SnapshotProgress())

    /// - Parameters:
    ///   - kind: The index.
    ///   - store: The store that the rows come from.
    ///   - files: Where the files are; nil for an index without files.
    ///   - policy: When a file is written.
    ///   - now: The time by which an erasure is recent.
    ///   - logger: Logs files that were written, and those that cannot be used.
    init(
        _ kind: SnapshotKind, of store: any ChangeFeed, in files: SnapshotFiles?, policy: SnapshotPolicy,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }, logger: Logger
    ) {
        self.kind = kind
        self.store = store
        folder = files.map { SnapshotFolder($0, of: kind) }
        self.policy = policy
        self.now = now
        self.logger = logger
    }

    var hasFiles: Bool { folder != nil }

    // MARK: - Changes

    /// Starts counting again, with rows that have changed since the file was written.
    func restart(unsavedCount: Int) {
        progress.withLock { progress in
            progress.savedCount = progress.changedCount
            progress.changedCount += unsavedCount
        }
    }

    func countChanges(_ count: Int) { progress.withLock { $0.changedCount += count } }

    /// Counts at least so many rows as not saved.
    func countUnsaved(atLeast count: Int) {
        progress.withLock { $0.changedCount = max($0.changedCount, $0.savedCount + count) }
    }

    /// Notes that rows were erased that a file may hold.
    func countErasure() { progress.withLock { $0.erasureCount += 1 } }

    /// Notes that the rows are those of another log; a file that is being written is not used.
    func countOtherLog() { progress.withLock { $0.logCount += 1 } }

    // MARK: - Start

    /// Opens the valid file of a slot and applies the changes that came after it; the caller holds ``rowLock``.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - open: Opens the file, on its own thread; takes its name and path.
    /// - Returns: The rows and their position in the change log; nil if no file can be used. It is deleted then.
    /// - Throws: ``RepositoryError``.
    func restore<Rows: RestoredRows>(
        _ slot: SnapshotSlot, _ open: @escaping @Sendable (_ name: String, _ path: String) throws -> Rows
    ) async throws -> (rows: Rows, cursor: ChangeCursor)? {
        guard let folder, let record = try await folder.record(in: slot) else { return nil }
        do {
            guard let path = folder.path(of: record.name) else { throw SnapshotError.mismatch(field: "name") }
            var rows = try await onOwnThread { try open(record.name, path) }
            if let cursor = try await follow(&rows, from: record.cursor) { return (rows, cursor) }
            try await discard(because: "its rows are not those of the store")
        } catch let error as SnapshotError {
            try await discard(because: "\(error)")
        } catch RepositoryError.expiredCursor {
            try await discard(because: "it belongs to another change log")
        }
        return nil
    }

    /// Applies changes up to the end of the log; returns nil if the rows are not those of the store then.
    ///
    /// A row that was erased from the file after a backup of the store is still in the backup: their numbers differ.
    private func follow(_ rows: inout some RestoredRows, from start: ChangeCursor) async throws -> ChangeCursor? {
        var cursor = start
        while true {
            let page = try await store.changes(after: cursor, limit: Self.pageSize)
            if !page.changes.isEmpty { try await rows.apply(page.changes) }
            guard page.end == cursor else {
                cursor = page.end
                continue
            }
            let census = try await rows.census()
            guard cursor.reaches(census.cursor) else { continue }
            return census.cursor == cursor && census.count == rows.rowCount ? cursor : nil
        }
    }

    private func discard(because reason: String) async throws {
        logger.notice(
            "The file of an index cannot be used and is dropped", metadata: metadata(["reason": "\(reason)"]))
        if kind.dropsErased {
            countErasure()
            return await dropErased()
        }
        do {
            try await folder?.deleteAll()
        } catch is SnapshotError {
            // The next start finds the same; until then the rows in memory are those of the store.
        } catch let error as RepositoryError where error.isAboutStorage {
            // The same.
        }
    }

    /// Ends a start: deletes other files, and logs where the rows came from.
    ///
    /// - Throws: ``RepositoryError``.
    func logLoaded(from source: String, rowCount: Int, since start: ContinuousClock.Instant) async throws {
        changed.signal()
        try await folder?.sweep()
        let unsavedCount = progress.withLock { $0.unsavedCount }
        logger.debug(
            "An index is loaded",
            metadata: metadata([
                "source": "\(source)", "rows": "\(rowCount)", "changed": "\(unsavedCount)",
                "duration": "\(ContinuousClock.now - start)",
            ]))
    }

    // MARK: - Saving

    /// Writes a new file when enough has changed since the last one; one at a time.
    ///
    /// Searches and follows continue meanwhile. A failure is logged, and the next file waits until as much has changed
    /// again, because a full disk usually stays full for a while.
    func saveIfDue(_ source: some SnapshotSource, atEnd: Bool) async {
        guard let folder else { return }
        // Cancelling would throw away a file that took seconds to write.
        try? await withoutCancellation { await self.saveIfDue(source, to: folder, atEnd: atEnd) }
    }

    private func saveIfDue(_ source: some SnapshotSource, to folder: SnapshotFolder, atEnd: Bool) async {
        await savingLock.run {
            if kind.dropsErased, progress.withLock({ $0.hasErased }) { await rowLock.run { await dropErased() } }
            guard isDue(source, atEnd: atEnd) else { return }
            do {
                try await save(source, to: folder)
            } catch {
                if await source.repair(after: error) { return }
                progress.withLock { $0.savedCount = $0.changedCount }
                logger.warning("An index cannot be written to a file", metadata: metadata(["error": "\(error)"]))
            }
        }
    }

    private func isDue(_ source: some SnapshotSource, atEnd: Bool) -> Bool {
        let progress = progress.withLock { $0 }
        guard let rowCount = source.savableRowCount, !(kind.dropsErased && progress.hasErased) else { return false }
        let isQuiet = policy.isQuiet(sinceErasure: source.lastErasure.map { now() - $0 })
        return (atEnd || isQuiet)
            && policy.isDue(rowCount: rowCount, changedCount: progress.unsavedCount, atEnd: atEnd)
    }

    private func save(_ source: some SnapshotSource, to folder: SnapshotFolder) async throws {
        let start = ContinuousClock.now
        // Both from one moment: the file may lack later changes.
        let (draft, before) = await rowLock.run { (source.draft(), progress.withLock { $0 }) }
        guard let draft else { return }
        let file = try await folder.makeFile(draft.write)
        let isAdopted = try await rowLock.run { try await adopt(file, of: draft, in: folder, before) }
        try await folder.sweep()
        guard isAdopted else { return }
        logger.debug(
            "An index is written to a file",
            metadata: metadata([
                "rows": "\(file.rowCount)", "bytes": "\(file.byteCount)",
                "duration": "\(ContinuousClock.now - start)",
            ]))
    }

    private func adopt(
        _ file: WrittenFile, of draft: SnapshotDraft, in folder: SnapshotFolder, _ before: SnapshotProgress
    ) async throws -> Bool {
        let present = progress.withLock { $0 }
        // Rows that were erased since the draft are in the file, or rows of another log.
        if present.logCount != before.logCount || (kind.dropsErased && present.erasureCount != before.erasureCount) {
            folder.abandon(file)
            return false
        }
        guard try await folder.adopt(file, in: draft.slot, at: draft.cursor) else { return false }
        progress.withLock { progress in
            progress.savedCount = max(progress.savedCount, before.changedCount)
            if !kind.dropsErased { progress.erasureCount += 1 }
        }
        return true
    }

    /// Returns how long to wait before the next look at the files; nil until something changes.
    ///
    /// - Parameters:
    ///   - source: The index.
    ///   - retryPause: How long to wait when erased rows are still in a file.
    /// - Returns: The pause.
    func pause(of source: some SnapshotSource, retryPause: Duration) -> Duration? {
        let progress = progress.withLock { $0 }
        if progress.hasErased { return retryPause }
        guard hasFiles, let rowCount = source.savableRowCount, let erasure = source.lastErasure,
            !isDue(source, atEnd: false),
            policy.isDue(rowCount: rowCount, changedCount: progress.unsavedCount, atEnd: false)
        else { return nil }
        return max(.milliseconds(10), policy.quietTime - (now() - erasure))
    }

    /// Leaves the files as the next start needs them; called once, when nothing is followed any longer.
    func finish(_ source: some SnapshotSource) async {
        await saveIfDue(source, atEnd: true)
        // A generation that was retired without being followed has left its file.
        try? await folder?.sweep()
    }

    // MARK: - Erasure

    /// Removes erased rows from the files, if there are any.
    ///
    /// Rows that are left over are removed by a later call. A failure is logged once.
    ///
    /// - Parameter remove: Removes the rows; returns whether none is left.
    func erase(_ remove: () async throws -> Bool) async {
        let before = progress.withLock { $0 }
        guard before.hasErased else { return }
        var (isDone, failure): (Bool, String?) = (false, nil)
        do {
            isDone = try await remove()
        } catch is CancellationError {
            return
        } catch {
            failure = "\(error)"
        }
        let isNews = progress.withLock { progress in
            if isDone { progress.doneErasureCount = max(progress.doneErasureCount, before.erasureCount) }
            defer { progress.erasureFailure = failure }
            return progress.erasureFailure != failure
        }
        if let failure, isNews {
            logger.warning("Erased rows are still in a file", metadata: metadata(["error": "\(failure)"]))
        }
    }

    /// Deletes the files if they may hold erased rows; the caller holds ``rowLock``.
    func dropErased() async {
        await erase {
            try await folder?.deleteAll()
            return true
        }
    }

    /// Deletes the files and writes the present rows again if they are many; after rows were erased and the erasure was
    /// followed.
    ///
    /// - Throws: ``RepositoryError``; `SnapshotError` when a file cannot be deleted or written. Remaining files are
    ///   deleted later.
    func rewrite(_ source: some SnapshotSource) async throws {
        guard let folder else { return }
        try await savingLock.run {
            try await rowLock.run { try await folder.deleteAll() }
            guard let rowCount = source.savableRowCount,
                policy.isDue(rowCount: rowCount, changedCount: .max, atEnd: true)
            else { return }
            try await save(source, to: folder)
        }
    }

    private func metadata(_ values: Logger.Metadata) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["index.kind": "\(kind.rawValue)"]
        for (key, value) in values { metadata[key == "error" ? key : "index.\(key)"] = value }
        return metadata
    }
}
