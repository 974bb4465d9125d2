package import ChatCore
package import Foundation
import Glibc
package import MessageStore

extension SQLStore {
    /// Writes a backup: a folder with one consistent state of the database, and a manifest.
    ///
    /// Reads and writes continue meanwhile. The folder is made as `NAME.partial` and renamed when it is complete and on
    /// the disk. It holds the stored files, but not those of the indexes, because they are derived.
    ///
    /// - Parameters:
    ///   - target: A folder that does not exist or is empty, outside of the data folder.
    ///   - program: The version of the program.
    ///   - moment: The present time.
    /// - Returns: The manifest.
    /// - Throws: ``BackupError``, ``RepositoryError``; the unfinished backup is deleted then.
    @concurrent package func backup(to target: URL, program: String, at moment: Timestamp) async throws
        -> BackupManifest
    {
        let files = try fileFolder
        // Files that are deleted from now on are still needed.
        files.hold()
        let result: Result<BackupManifest, any Error>
        do {
            result = .success(try await write(to: target, program: program, at: moment))
        } catch {
            result = .failure(error)
        }
        files.letGo()
        await self.files.removeDeleted()
        return try result.get()
    }

    private func write(to target: URL, program: String, at moment: Timestamp) async throws -> BackupManifest {
        let place = try BackupPlace(target, dataFolder: folder)
        try place.begin()
        do {
            let database = place.partial.appending(path: BackupPlace.databaseName).path
            try FileSteps.create(database)
            try await engine.copy(to: database)
            var manifest = try Self.manifest(of: database, program: program, at: moment)
            manifest.missingFiles = try BackupFiles.copy(
                named: BackupFile.contents(at: database).files, from: fileFolder.url, to: place.partial)
            try FileSteps.write(
                try manifest.encoded(), to: place.partial.appending(path: BackupPlace.manifestName).path)
            try place.finish()
            return manifest
        } catch {
            place.abandon()
            throw error
        }
    }

    private static func manifest(
        of database: String, program: String, at moment: Timestamp
    ) throws -> BackupManifest {
        do {
            try BackupFile.prepare(at: database)
        } catch {
            throw StorageFailure.translated(error)
        }
        try FileSteps.synchronise(database)
        let contents = try BackupFile.contents(at: database)
        let digest = try FileSteps.digest(of: database)
        return BackupManifest(
            format: BackupManifest.presentFormat, madeAt: moment.iso8601, program: program,
            schemaVersion: contents.schemaVersion, change: contents.change, counts: contents.counts,
            byteCount: digest.byteCount, sha256: digest.sha256)
    }
}

extension BackupManifest {
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data([0x0A])
    }
}

/// The place of a new backup.
struct BackupPlace {
    static let databaseName = "nexus.sqlite"
    static let manifestName = "manifest.json"

    let target: URL
    /// The folder until it is complete.
    let partial: URL

    /// Checks that a backup may be written to `target`.
    init(_ target: URL, dataFolder: URL) throws(BackupError) {
        let target = target.standardizedFileURL
        let path = target.path
        let data = dataFolder.standardizedFileURL.resolvingSymlinksInPath().path
        let parent = target.deletingLastPathComponent().resolvingSymlinksInPath().path
        guard path != data, parent != data, !parent.hasPrefix(data + "/") else { throw .insideDataFolder(path: path) }
        self.target = target
        partial = target.deletingLastPathComponent().appending(path: target.lastPathComponent + ".partial")
        guard FileManager.default.fileExists(atPath: path) else { return }
        let isEmpty = (try? FileManager.default.contentsOfDirectory(atPath: path).isEmpty) ?? false
        guard isEmpty else { throw .alreadyThere(path: path) }
    }

    /// Creates the folder, and deletes the remains of an interrupted backup.
    func begin() throws(BackupError) {
        for name in [Self.databaseName, Self.databaseName + "-journal", Self.manifestName] {
            try FileSteps.remove(partial.appending(path: name).path)
        }
        try BackupFiles.remove(from: partial)
        guard mkdir(partial.path, 0o700) == 0 || errno == EEXIST else {
            throw .io(operation: "mkdir", code: errno)
        }
        // Otherwise other files would become part of the backup.
        let isEmpty = (try? FileManager.default.contentsOfDirectory(atPath: partial.path).isEmpty) ?? false
        guard isEmpty else { throw .alreadyThere(path: partial.path) }
    }

    /// Renames the folder to its final name; an empty folder of this name is replaced.
    func finish() throws(BackupError) {
        try FileSteps.synchronise(partial.path)
        try FileSteps.move(partial.path, to: target.path)
    }

    /// Deletes the unfinished backup.
    func abandon() {
        for name in [Self.databaseName, Self.databaseName + "-journal", Self.manifestName] {
            unlink(partial.appending(path: name).path)
        }
        try? BackupFiles.remove(from: partial)
        rmdir(partial.path)
    }
}
