public import ChatCore
import Glibc
import IndexCore
public import Logging
import VectorIndex

/// The snapshot files of an index: a folder, their names, and which of them is valid.
///
/// A file is a cache, valid only while the store remembers its name, which is new for every file and stands in the
/// file too. So a database that comes from a backup, or is another one, never meets a file that knows more or other
/// rows than it. Files that are not remembered are deleted. The folder may be deleted at any time.
public final class IndexSnapshots: Sendable {
    private let folder: SnapshotFolder
    let register: any SnapshotRegister
    private let logger: Logger

    /// Names the folder; it is made when the first file is written.
    ///
    /// - Parameters:
    ///   - folder: A path; other kinds of files may lie there, whose names do not begin with `vectors-`.
    ///   - register: Remembers which file is valid.
    ///   - makeName: Returns a text that no file had before, of letters, digits and hyphens.
    ///   - logger: Told of files that are written, and of those that cannot be used.
    public init(
        folder: String, register: any SnapshotRegister,
        makeName: @escaping @Sendable () -> String, logger: Logger
    ) {
        self.folder = SnapshotFolder(folder, kind: "vectors", version: 1, makeName: makeName)
        self.register = register
        self.logger = logger
    }

    /// Opens the valid file of a generation.
    ///
    /// - Parameter generation: Whose rows are wanted.
    /// - Returns: The index and its position in the change log; nil when there is no file, or none that can be used.
    /// - Throws: ``RepositoryError``.
    func open(_ generation: EmbeddingGeneration) async throws -> (index: GenerationIndex, cursor: ChangeCursor)? {
        guard let record = try await register.snapshots()[generation.number] else { return nil }
        guard let path = folder.path(of: record.name) else { return nil }
        do {
            let index = try await onOwnThread {
                try CosineIndex.open(
                    snapshotAt: path, identity: record.name, dimensions: generation.space.dimensions,
                    threadCount: GenerationIndex.threadCount)
            }
            return (GenerationIndex(generation, index: index), record.cursor)
        } catch let error as SnapshotError {
            try await discard(generation, because: "\(error)")
            return nil
        }
    }

    /// Forgets the file of a generation and deletes it.
    func discard(_ generation: EmbeddingGeneration, because reason: String) async throws {
        logger.notice("The file of the index cannot be used and is dropped", metadata: ["index.reason": "\(reason)"])
        do {
            _ = try await register.setSnapshot(nil, of: generation.number)
        } catch let error as RepositoryError where error.isAboutStorage {
            // The next start finds the same; until then the rows are in memory as the store has them.
            return
        }
        try await sweep()
    }

    /// Writes the rows of an index to a new file, which is not valid yet.
    ///
    /// - Parameter source: The index; it may be searched and changed meanwhile.
    /// - Returns: The file.
    /// - Throws: `SnapshotError`; nothing is left of the file then.
    func write(_ source: GenerationIndex) async throws -> WrittenSnapshot {
        try await folder.makeFile { name, path in
            try source.index.writeSnapshot(to: path, identity: name)
        }
    }

    /// Makes a file that was written the valid one of its generation, and the place of the index's rows.
    ///
    /// Remembered before anything else: whatever happens between the steps, the remembered file holds no more than the
    /// store, and an older one is not taken for the newer.
    ///
    /// - Parameters:
    ///   - written: The file.
    ///   - source: The index whose rows it holds.
    ///   - cursor: Every change before it is in the file.
    /// - Returns: False when the generation no longer serves; the file is deleted then.
    /// - Throws: ``RepositoryError``; `SnapshotError`. The file is not valid then.
    func adopt(
        _ written: WrittenSnapshot, by source: GenerationIndex, at cursor: ChangeCursor
    ) async throws -> Bool {
        defer { folder.endWork() }
        do {
            let isWanted = try await register.setSnapshot(
                SnapshotRecord(name: folder.name(at: written.path), cursor: cursor), of: source.generation.number)
            if isWanted {
                try await onOwnThread { try source.index.adopt(written) }
            } else {
                unlink(written.path)
            }
            return isWanted
        } catch {
            unlink(written.path)
            throw error
        }
    }

    /// Deletes the files that are not remembered, and not being written.
    func sweep() async throws {
        try await folder.sweep { Set(try await register.snapshots().values.map(\.name)) }
    }
}
