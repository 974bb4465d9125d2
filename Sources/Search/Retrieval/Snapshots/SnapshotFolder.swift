import ChatCore
import Foundation
import IndexCore
import Synchronization

/// The snapshot files of one kind: how they are named, created, registered and deleted.
///
/// Files of other kinds in the same folder are left alone.
final class SnapshotFolder: Sendable {
    private let files: SnapshotFiles
    private let kind: SnapshotKind
    /// The name of the file that is being written.
    private let inWork = Mutex<String?>(nil)

    init(_ files: SnapshotFiles, of kind: SnapshotKind) {
        self.files = files
        self.kind = kind
    }

    /// Begins the name of every file of the kind.
    private var prefix: String { "\(kind.rawValue)-" }
    /// Begins the names of the files that this version can read.
    private var presentPrefix: String { "\(prefix)\(kind.version)-" }

    /// Returns the valid file of a slot; nil for none.
    func record(in slot: SnapshotSlot) async throws -> SnapshotRecord? {
        try await files.register.records(of: kind)[slot]
    }

    /// Returns the path of a file; nil if the name is not one of the present kind and version.
    func path(of name: String) -> String? {
        name.hasPrefix(presentPrefix) && !name.contains("/") ? files.folder + "/" + name : nil
    }

    /// Creates a file; ``adopt(_:in:at:)`` or ``abandon(_:)`` must follow, and it is not swept before that.
    ///
    /// - Parameter write: Fills the file, on its own thread; takes its name and path.
    /// - Returns: The file.
    /// - Throws: What `write` throws.
    func makeFile(
        _ write: @escaping @Sendable (_ name: String, _ path: String) throws -> WrittenFile
    ) async throws -> WrittenFile {
        do {
            return try await onOwnThread { [self] in
                let name = presentPrefix + files.makeName()
                inWork.withLock { $0 = name }
                // If this fails, writing fails too and reports why.
                try? FileManager.default.createDirectory(
                    atPath: files.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                return try write(name, files.folder + "/" + name)
            }
        } catch {
            endWork()
            throw error
        }
    }

    /// Makes a file the valid one of its slot, and lets the index use its rows.
    ///
    /// The name is remembered first. So after a crash the remembered file never holds more than the store, and an older
    /// file is never taken for the newer one.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - slot: Where it is remembered.
    ///   - cursor: Every change before it is in the file.
    /// - Returns: False if the slot takes no file any more; the file is deleted then.
    /// - Throws: ``RepositoryError``; `SnapshotError`. The file is deleted then.
    func adopt(_ file: WrittenFile, in slot: SnapshotSlot, at cursor: ChangeCursor) async throws -> Bool {
        defer { endWork() }
        do {
            let name = (file.path as NSString).lastPathComponent
            let isWanted = try await files.register.setRecord(SnapshotRecord(name: name, cursor: cursor), in: slot)
            if isWanted {
                try await onOwnThread { try file.adopt() }
            } else {
                unlink(file.path)
            }
            return isWanted
        } catch {
            unlink(file.path)
            throw error
        }
    }

    /// Deletes a file that is not wanted after all.
    func abandon(_ file: WrittenFile) {
        unlink(file.path)
        endWork()
    }

    private func endWork() { inWork.withLock { $0 = nil } }

    /// Deletes all files except one that is being written, and forgets their names.
    ///
    /// The files are deleted first: a name without a file does no harm, and on a full disk no name can be changed.
    ///
    /// - Throws: `SnapshotError` when a file is left; ``RepositoryError``.
    func deleteAll() async throws {
        guard try await sweep(keeping: { [] }) else { throw SnapshotError.io(operation: "unlink", code: EPERM) }
        for slot in try await files.register.records(of: kind).keys {
            _ = try await files.register.setRecord(nil, in: slot)
        }
    }

    /// Deletes the files that are neither valid nor being written.
    ///
    /// - Throws: ``RepositoryError``.
    func sweep() async throws {
        _ = try await sweep { Set(try await files.register.records(of: kind).values.map(\.name)) }
    }

    /// Deletes files, except one that is being written.
    ///
    /// - Parameter kept: Returns the names of those that stay; called after the folder was read.
    /// - Returns: Whether all others are gone now.
    /// - Throws: What `kept` throws; nothing is deleted then.
    private func sweep(keeping kept: () async throws -> Set<String>) async throws -> Bool {
        guard FileManager.default.fileExists(atPath: files.folder) else { return true }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: files.folder) else { return false }
        // Read before the register: a file that was completed in between is found there.
        let inWork = inWork.withLock { $0 }
        let kept = try await kept()
        var isClean = true
        for name in names where name.hasPrefix(prefix) && !kept.contains(name) {
            if let inWork, name.hasPrefix(inWork) { continue }
            if unlink(files.folder + "/" + name) != 0, errno != ENOENT { isClean = false }
        }
        return isClean
    }
}
