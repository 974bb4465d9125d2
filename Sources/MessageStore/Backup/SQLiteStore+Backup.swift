public import ChatCore
public import Foundation
import GRDB
import Glibc

extension SQLiteStore {
    /// Writes a backup: a folder with the database as it is at one moment, and a manifest.
    ///
    /// Others read and write meanwhile. The folder is made beside, as `NAME.partial`, and takes its name when it is whole
    /// and on the disk. The files of the indexes are not in it: they are derived.
    ///
    /// - Parameters:
    ///   - target: A folder that does not exist, or an empty one; outside of the data folder.
    ///   - program: The version of the program.
    ///   - moment: The present time.
    /// - Returns: The manifest.
    /// - Throws: ``BackupError``, ``RepositoryError``; nothing is left of the backup then.
    @concurrent public func backup(to target: URL, program: String, at moment: Timestamp) async throws
        -> BackupManifest
    {
        let place = try BackupPlace(target, dataFolder: folder)
        try place.begin()
        do {
            let database = place.partial.appending(path: BackupPlace.databaseName).path
            try FileSteps.create(database)
            try await vacuum(into: database)
            let manifest = try Self.manifest(of: database, program: program, at: moment)
            try FileSteps.write(
                try manifest.encoded(), to: place.partial.appending(path: BackupPlace.manifestName).path)
            try place.finish()
            return manifest
        } catch {
            place.abandon()
            throw error
        }
    }

    /// Copies the database as it is at one moment, without free pages.
    private func vacuum(into path: String) async throws {
        do {
            // Outside of a transaction, which the statement does not take.
            try await pool.unsafeRead { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        } catch {
            throw StorageFailure.translated(error)
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

/// Where a backup is written.
struct BackupPlace {
    static let databaseName = "nexus.sqlite"
    static let manifestName = "manifest.json"

    let target: URL
    /// The folder while it is not whole.
    let partial: URL

    /// Checks that a backup may be written there.
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

    /// Makes the folder; what a backup that broke off has left there goes.
    func begin() throws(BackupError) {
        for name in [Self.databaseName, Self.databaseName + "-journal", Self.manifestName] {
            try FileSteps.remove(partial.appending(path: name).path)
        }
        guard mkdir(partial.path, 0o700) == 0 || errno == EEXIST else {
            throw .io(operation: "mkdir", code: errno)
        }
        // Somebody else's files would be taken along otherwise.
        let isEmpty = (try? FileManager.default.contentsOfDirectory(atPath: partial.path).isEmpty) ?? false
        guard isEmpty else { throw .alreadyThere(path: partial.path) }
    }

    /// Gives the folder its name; an empty folder of this name is replaced.
    func finish() throws(BackupError) {
        try FileSteps.synchronise(partial.path)
        try FileSteps.move(partial.path, to: target.path)
    }

    /// Deletes what there is of the backup.
    func abandon() {
        for name in [Self.databaseName, Self.databaseName + "-journal", Self.manifestName] {
            unlink(partial.appending(path: name).path)
        }
        rmdir(partial.path)
    }
}
