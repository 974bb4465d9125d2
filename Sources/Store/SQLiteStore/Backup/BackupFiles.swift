import ChatCore
import Foundation
import Glibc
import MessageStore

/// The folder `files` of a backup: the stored files, each under its id.
enum BackupFiles {
    /// Copies files into a folder of the same name; it is made only if there are any.
    ///
    /// - Parameters:
    ///   - files: The files that the copied database names.
    ///   - source: The folder with the files.
    ///   - target: The folder of the copy.
    /// - Returns: The ids of files that are missing or damaged, and so were left out; nil for none.
    /// - Throws: ``BackupError/io(operation:code:)``.
    static func copy(named files: [StoredFile], from source: URL, to target: URL) throws(BackupError) -> [String]? {
        guard !files.isEmpty else { return nil }
        let folder = target.appending(path: FileLayout.folderName)
        try makeFolder(folder)
        var missing: [String] = []
        for file in files where try !copy(file, from: source, to: folder) { missing.append(file.id.rawValue) }
        try FileSteps.synchronise(folder.path)
        return missing.isEmpty ? nil : missing
    }

    /// Copies a file; returns false, and leaves nothing, when it is missing or damaged.
    private static func copy(_ file: StoredFile, from source: URL, to folder: URL) throws(BackupError) -> Bool {
        guard file.id.isFileName else { return false }
        let path = source.appending(path: file.id.rawValue).path
        guard access(path, F_OK) == 0 else { return false }
        let copy = folder.appending(path: file.id.rawValue).path
        let digest = try FileSteps.copy(path, to: copy)
        guard digest.byteCount == file.byteCount, digest.sha256 == file.sha256 else {
            try FileSteps.remove(copy)
            return false
        }
        return true
    }

    /// Copies the files of a backup into a folder that a restore is preparing.
    ///
    /// - Parameters:
    ///   - backup: The folder of the backup.
    ///   - manifest: Its manifest.
    ///   - files: The files that its database names.
    ///   - folder: The folder to make.
    /// - Throws: ``BackupError/notAsMade(field:)`` if a file is missing or differs that the manifest does not name.
    static func restore(
        _ backup: URL, as manifest: BackupManifest, named files: [StoredFile], to folder: URL
    ) throws(BackupError) {
        // Without a new folder the present one stays; the next start deletes what the database does not name.
        guard !files.isEmpty else { return }
        try makeFolder(folder)
        let source = backup.appending(path: FileLayout.folderName)
        let left = Set(manifest.missingFiles ?? [])
        for file in files where !left.contains(file.id.rawValue) {
            guard try copy(file, from: source, to: folder) else { throw .notAsMade(field: "files") }
        }
        try FileSteps.synchronise(folder.path)
    }

    /// Deletes the folder of files in an unfinished backup.
    static func remove(from partial: URL) throws(BackupError) {
        try removeFolder(partial.appending(path: FileLayout.folderName))
    }

    /// Deletes a folder with its content; a missing one is no error.
    static func removeFolder(_ folder: URL) throws(BackupError) {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            throw .io(operation: "remove folder", code: errno)
        }
    }

    private static func makeFolder(_ folder: URL) throws(BackupError) {
        guard mkdir(folder.path, 0o700) == 0 else { throw .io(operation: "mkdir", code: errno) }
    }
}
