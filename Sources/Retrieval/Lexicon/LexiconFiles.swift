public import ChatCore
import Glibc
import IndexCore
import LexicalIndex

/// The snapshot files of the words: a folder, their names, and which of them is valid.
///
/// As with ``IndexSnapshots``, in whose folder they may lie, a file is a cache that is valid only while the store remembers
/// its name. Rows are never taken out of a file: when one of them is erased the file goes, see ``LiveLexicon``.
public final class LexiconFiles: Sendable {
    private let folder: SnapshotFolder
    private let register: any SnapshotRegister

    /// Names the folder; it is made when the first file is written.
    ///
    /// - Parameters:
    ///   - folder: A path; other kinds of files may lie there, whose names do not begin with `words-`.
    ///   - register: Remembers which file is valid.
    ///   - makeName: Returns a text that no file had before, of letters, digits and hyphens.
    public init(folder: String, register: any SnapshotRegister, makeName: @escaping @Sendable () -> String) {
        self.folder = SnapshotFolder(folder, kind: "words", version: WordRows.version, makeName: makeName)
        self.register = register
    }

    /// Opens the valid file.
    ///
    /// - Parameter analysisVersion: What its rows must have come of.
    /// - Returns: The rows and their position in the change log; nil when no file is remembered.
    /// - Throws: `SnapshotError` when the file cannot be used; ``RepositoryError``.
    func open(analysisVersion: Int) async throws -> (index: BM25Index, cursor: ChangeCursor)? {
        guard let record = try await register.wordSnapshot() else { return nil }
        guard let path = folder.path(of: record.name) else { throw SnapshotError.mismatch(field: "name") }
        let index = try await onOwnThread {
            try BM25Index.open(snapshotAt: path, identity: record.name, analysisVersion: analysisVersion)
        }
        return (index, record.cursor)
    }

    /// Writes rows to a new file, which is not valid yet; ``adopt(_:at:)`` or ``abandon(_:)`` must follow.
    ///
    /// - Parameters:
    ///   - rows: Those of one moment.
    ///   - analysisVersion: What they came of.
    /// - Returns: The file.
    /// - Throws: `SnapshotError`; nothing is left of the file then.
    func write(
        _ rows: BM25Index.Snapshot, analysisVersion: Int
    ) async throws -> WrittenSnapshot {
        try await folder.makeFile { name, path in
            try rows.write(
                to: path, identity: name, analysisVersion: analysisVersion)
        }
    }

    /// Makes a file that was written the valid one; every change before `cursor` is in it.
    ///
    /// - Throws: ``RepositoryError``; the file is deleted then.
    func adopt(_ written: WrittenSnapshot, at cursor: ChangeCursor) async throws {
        defer { folder.endWork() }
        do {
            try await register.setWordSnapshot(
                SnapshotRecord(name: folder.name(at: written.path), cursor: cursor))
        } catch {
            unlink(written.path)
            throw error
        }
    }

    /// Deletes a file that was written.
    func abandon(_ written: WrittenSnapshot) {
        unlink(written.path)
        folder.endWork()
    }

    /// Deletes every file but one that is being written, and remembers none.
    ///
    /// The files go first: a name without a file does no harm, and a full disk lets no name be changed.
    ///
    /// - Throws: `SnapshotError` when a file is left; ``RepositoryError``.
    func forget() async throws {
        guard try await folder.sweep(keeping: { [] }) else { throw SnapshotError.io(operation: "unlink", code: EPERM) }
        try await register.setWordSnapshot(nil)
    }

    /// Deletes the files that are not remembered, and not being written.
    func sweep() async throws {
        try await folder.sweep { Set([try await register.wordSnapshot()?.name].compactMap { $0 }) }
    }
}
