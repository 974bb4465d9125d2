import ChatCore
import Foundation
import Synchronization

/// The snapshot files of one kind in a folder: how they are named, made and swept.
///
/// Files of other kinds may lie beside them and are left alone.
final class SnapshotFolder: Sendable {
    private let folder: String
    /// Begins the name of every file of the kind.
    private let prefix: String
    /// Begins the names of files whose rows mean what they mean here: how senders are numbered, for instance.
    private let presentPrefix: String
    private let makeName: @Sendable () -> String
    /// The file that is being written.
    private let inWork = Mutex<String?>(nil)

    /// Names the folder; it is made when the first file is written.
    ///
    /// - Parameters:
    ///   - folder: A path.
    ///   - kind: What the files hold, in a word; no other kind begins with it.
    ///   - version: Another for rows that mean something else; files of others are swept, never opened.
    ///   - makeName: Returns a text that no file had before, of letters, digits and hyphens.
    init(_ folder: String, kind: String, version: Int, makeName: @escaping @Sendable () -> String) {
        self.folder = folder
        prefix = "\(kind)-"
        presentPrefix = "\(kind)-\(version)-"
        self.makeName = makeName
    }

    /// Where the file of a name lies; nil when it is no name of the present kind and version.
    func path(of name: String) -> String? {
        name.hasPrefix(presentPrefix) && !name.contains("/") ? folder + "/" + name : nil
    }

    /// The name of a file at a path.
    func name(at path: String) -> String { (path as NSString).lastPathComponent }

    /// Makes a file, which sweeping leaves alone until ``endWork()``.
    ///
    /// - Parameter write: Fills it, on a thread of its own; takes its name and path.
    /// - Returns: What `write` returns.
    /// - Throws: What `write` throws; the work has ended then.
    func makeFile<Written: Sendable>(
        _ write: @escaping @Sendable (_ name: String, _ path: String) throws -> Written
    ) async throws -> Written {
        do {
            return try await onOwnThread { [self] in
                let name = presentPrefix + makeName()
                inWork.withLock { $0 = name }
                // Where this fails, writing fails too, and tells why.
                try? FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                return try write(name, folder + "/" + name)
            }
        } catch {
            endWork()
            throw error
        }
    }

    /// Lets sweeping decide on the file that was made, too.
    func endWork() { inWork.withLock { $0 = nil } }

    /// Deletes the files that are not to be kept, and not being written.
    ///
    /// - Parameter kept: Returns the names of the files to be kept; called after the folder was read.
    /// - Returns: Whether all others are gone now.
    /// - Throws: What `kept` throws; nothing is deleted then.
    @discardableResult func sweep(keeping kept: () async throws -> Set<String>) async throws -> Bool {
        guard FileManager.default.fileExists(atPath: folder) else { return true }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return false }
        // In this order: a file whose writing has ended meanwhile is among the names then.
        let inWork = inWork.withLock { $0 }
        let kept = try await kept()
        var isClean = true
        for name in names where name.hasPrefix(prefix) && !kept.contains(name) {
            if let inWork, name.hasPrefix(inWork) { continue }
            if unlink(folder + "/" + name) != 0, errno != ENOENT { isClean = false }
        }
        return isClean
    }
}
