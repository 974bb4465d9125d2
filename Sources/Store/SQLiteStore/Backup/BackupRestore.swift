import ChatCore
package import Foundation
import Glibc
package import MessageStore

/// Restores a backup into a data folder.
///
/// The copy is made in the data folder under its own name and checked there. Renaming the checked copy is the step that
/// decides. If the process ends before it, the folder is unchanged; if it ends later, the next opening of the folder
/// completes the restore.
package enum BackupRestore {
    private static let partialName = "nexus.sqlite.restoring"
    private static let decidedName = "nexus.sqlite.restored"
    private static let filesName = "files.restoring"

    /// Reads and checks the manifest of a backup.
    ///
    /// - Parameter backup: The folder of the backup.
    /// - Returns: The manifest.
    /// - Throws: ``BackupError/noBackup(path:)``, ``BackupError/fromTheFuture(found:)``, ``BackupError/tooOld(found:)``.
    package static func manifest(of backup: URL) throws(BackupError) -> BackupManifest {
        guard let data = RegularFile.contents(backup.appending(path: BackupPlace.manifestName).path),
            let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data)
        else { throw .noBackup(path: backup.path) }
        guard manifest.format <= BackupManifest.presentFormat, manifest.schemaVersion <= Schema.newestVersion else {
            throw .fromTheFuture(found: manifest.program)
        }
        guard manifest.schemaVersion >= StoreSchema.version else { throw .tooOld(found: manifest.program) }
        return manifest
    }

    /// Restores a backup.
    ///
    /// - Parameters:
    ///   - backup: The folder of the backup.
    ///   - folder: The data folder; created if there is none.
    ///   - replacing: Whether the content of the folder may be replaced.
    /// - Returns: The manifest of the backup.
    /// - Throws: ``BackupError``; ``StoreOpenError`` when a process owns the folder. The folder is unchanged then.
    package static func run(from backup: URL, to folder: URL, replacing: Bool) throws -> BackupManifest {
        try run(from: backup, to: folder, replacing: replacing, decided: {})
    }

    /// The same; tests can interrupt it in `decided`, after the step that decides.
    package static func run(
        from backup: URL, to folder: URL, replacing: Bool, decided: () throws -> Void
    ) throws -> BackupManifest {
        let manifest = try manifest(of: backup)
        try SQLStore.makeFolder(folder)
        let lock = try InstanceLock.acquire(folder: folder)
        defer { lock.release() }
        try complete(in: folder)
        guard try replacing || isEmpty(folder) else { throw BackupError.folderNotEmpty(path: folder.path) }
        let partial = folder.appending(path: partialName).path
        do {
            let files = try copy(backup, as: manifest, to: partial)
            try BackupFiles.restore(backup, as: manifest, named: files, to: folder.appending(path: filesName))
            try FileSteps.move(partial, to: folder.appending(path: decidedName).path)
        } catch {
            unlink(partial)
            try? BackupFiles.removeFolder(folder.appending(path: filesName))
            throw error
        }
        try decided()
        try complete(in: folder)
        return manifest
    }

    /// Copies the database; returns the files that it names.
    private static func copy(
        _ backup: URL, as manifest: BackupManifest, to partial: String
    ) throws(BackupError) -> [StoredFile] {
        let digest = try FileSteps.copy(backup.appending(path: BackupPlace.databaseName).path, to: partial)
        guard digest.byteCount == manifest.byteCount else { throw .notAsMade(field: "byteCount") }
        guard digest.sha256 == manifest.sha256 else { throw .notAsMade(field: "sha256") }
        let contents = try BackupFile.contents(at: partial)
        guard contents.schemaVersion == manifest.schemaVersion else { throw .notAsMade(field: "schemaVersion") }
        guard contents.change == manifest.change else { throw .notAsMade(field: "change") }
        guard contents.counts == manifest.counts else { throw .notAsMade(field: "counts") }
        return contents.files
    }

    /// Completes a restore that was decided, and deletes the remains of one that was not.
    ///
    /// - Precondition: This process owns the folder.
    static func complete(in folder: URL) throws(BackupError) {
        let partial = folder.appending(path: partialName).path
        if FileManager.default.fileExists(atPath: partial) { try FileSteps.remove(partial) }
        let decided = folder.appending(path: decidedName).path
        let files = folder.appending(path: filesName)
        guard FileManager.default.fileExists(atPath: decided) else { return try BackupFiles.removeFolder(files) }
        if FileManager.default.fileExists(atPath: files.path) {
            let present = folder.appending(path: FileLayout.folderName)
            try BackupFiles.removeFolder(present)
            try FileSteps.move(files.path, to: present.path)
        }
        // Before the database, because SQLite would take a remaining log for that of the new database.
        let database = SQLiteEngine.databaseURL(in: folder).path
        for suffix in ["-wal", "-shm"] { try FileSteps.remove(database + suffix) }
        try FileSteps.synchronise(folder.path)
        try FileSteps.move(decided, to: database)
    }

    /// Whether a folder holds no data.
    private static func isEmpty(_ folder: URL) throws(BackupError) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw .io(operation: "read folder", code: errno)
        }
        return Set(names).isSubset(of: ["lock", "nexus.sock"])
    }
}
