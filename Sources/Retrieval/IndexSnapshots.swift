public import ChatCore
import Foundation
import IndexFile
public import Logging
import Synchronization
import VectorIndex

/// The snapshot files of an index: a folder, their names, and which of them is valid.
///
/// A file is a cache, valid only while the store remembers its name, which is new for every file and stands in the
/// file too. So a database that comes from a backup, or is another one, never meets a file that knows more or other
/// rows than it. Files that are not remembered are deleted. The folder may be deleted at any time.
public final class IndexSnapshots: Sendable {
    /// Begins the name of every file.
    private static let prefix = "vectors-"
    /// Begins the names of files whose rows mean what they mean here: how senders are numbered, for instance.
    private static let presentPrefix = prefix + "1-"

    private let folder: String
    private let register: any SnapshotRegister
    private let makeName: @Sendable () -> String
    private let logger: Logger
    /// The file that is being written.
    private let inWork = Mutex<String?>(nil)

    /// Names the folder; it is made when the first file is written.
    ///
    /// - Parameters:
    ///   - folder: A path; nothing else may lie there.
    ///   - register: Remembers which file is valid.
    ///   - makeName: Returns a text that no file had before, of letters, digits and hyphens.
    ///   - logger: Told of files that are written, and of those that cannot be used.
    public init(
        folder: String, register: any SnapshotRegister,
        makeName: @escaping @Sendable () -> String, logger: Logger
    ) {
        self.folder = folder
        self.register = register
        self.makeName = makeName
        self.logger = logger
    }

    /// Opens the valid file of a generation.
    ///
    /// - Parameter generation: Whose rows are wanted.
    /// - Returns: The index and the change that it is at; nil when there is no file, or none that can be used.
    /// - Throws: ``RepositoryError``.
    func open(_ generation: EmbeddingGeneration) async throws -> (index: GenerationIndex, watermark: ChangeNumber)? {
        guard let name = try await register.snapshotNames()[generation.number] else { return nil }
        guard name.hasPrefix(Self.presentPrefix), !name.contains("/") else { return nil }
        let path = path(of: name)
        do {
            let opened = try await onOwnThread {
                try CosineIndex.open(
                    snapshotAt: path, identity: name, dimensions: generation.space.dimensions,
                    threadCount: GenerationIndex.threadCount)
            }
            return (GenerationIndex(generation, index: opened.index), ChangeNumber(rawValue: opened.watermark))
        } catch let error as SnapshotError {
            try await discard(generation, because: "\(error)")
            return nil
        }
    }

    /// Forgets the file of a generation and deletes it.
    func discard(_ generation: EmbeddingGeneration, because reason: String) async throws {
        logger.notice("The file of the index cannot be used and is dropped", metadata: ["index.reason": "\(reason)"])
        _ = try await register.setSnapshotName(nil, of: generation.number)
        try await sweep()
    }

    /// Writes the rows of an index to a new file, which is not valid yet.
    ///
    /// - Parameters:
    ///   - source: The index; it may be searched and changed meanwhile.
    ///   - watermark: A change that its rows contain.
    /// - Returns: The file.
    /// - Throws: `SnapshotError`; nothing is left of the file then.
    func write(_ source: GenerationIndex, watermark: ChangeNumber) async throws -> WrittenSnapshot {
        let name = Self.presentPrefix + makeName()
        let (folder, path) = (folder, path(of: name))
        inWork.withLock { $0 = name }
        do {
            return try await onOwnThread {
                // Where this fails, writing fails too, and tells why.
                try? FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                return try source.index.writeSnapshot(
                    to: path, stamp: SnapshotStamp(identity: name, watermark: watermark.rawValue))
            }
        } catch {
            inWork.withLock { $0 = nil }
            throw error
        }
    }

    /// Makes a file that was written the valid one of its generation, and the place of the index's rows.
    ///
    /// Remembered before anything else: whatever happens between the steps, the remembered file holds no more than the
    /// store, and an older one is not taken for the newer.
    ///
    /// - Returns: False when the generation was retired meanwhile; the file is deleted then.
    /// - Throws: ``RepositoryError``; `SnapshotError`. The file is not valid then.
    func adopt(_ written: WrittenSnapshot, by source: GenerationIndex) async throws -> Bool {
        defer { inWork.withLock { $0 = nil } }
        let name = (written.path as NSString).lastPathComponent
        do {
            let isWanted = try await register.setSnapshotName(name, of: source.generation.number)
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
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        // In this order: a file whose writing has ended meanwhile is among the names then.
        let inWork = inWork.withLock { $0 }
        let kept = Set(try await register.snapshotNames().values)
        for name in names where name.hasPrefix(Self.prefix) && !kept.contains(name) {
            if let inWork, name.hasPrefix(inWork) { continue }
            unlink(path(of: name))
        }
    }

    private func path(of name: String) -> String { folder + "/" + name }
}
