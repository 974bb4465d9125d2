package import Foundation

extension ModelFiles {
    /// Copies missing files from another folder: each is copied next to its place, checked and renamed.
    ///
    /// Existing files are not changed, and after an error every file in `folder` is either unchanged or correct.
    ///
    /// - Parameters:
    ///   - source: A folder with files of these names.
    ///   - folder: The model's folder; created if it is missing.
    /// - Throws: ``ModelFilesError``.
    package func install(from source: URL, to folder: URL) throws(ModelFilesError) {
        for file in files where !isInPlace(file, folder: folder) {
            try install(copyOf: source.appending(path: file.name), as: file, in: folder)
        }
    }

    /// Copies one file with any name, which is recognised by its size, next to its place; checks and renames it.
    ///
    /// - Parameters:
    ///   - original: The file.
    ///   - folder: The model's folder; created if it is missing.
    /// - Throws: ``ModelFilesError``; ``ModelFilesError/wrongDigest(file:)`` also when no known file has its size.
    package func install(copyOf original: URL, to folder: URL) throws(ModelFilesError) {
        guard let identity = FileIdentity(url: original) else { throw .missing(file: original.path) }
        guard let file = files.first(where: { $0.byteCount == identity.byteCount }) else {
            throw .wrongDigest(file: original.lastPathComponent)
        }
        try install(copyOf: original, as: file, in: folder)
    }

    private func install(copyOf original: URL, as file: ModelFile, in folder: URL) throws(ModelFilesError) {
        try Self.makeFolder(folder, for: file)
        let part = folder.appending(path: ".\(file.name).\(getpid()).part")
        defer { unlink(part.path) }
        guard FileIdentity(url: original) != nil else { throw .missing(file: file.name) }
        unlink(part.path)
        // For a link, as in the hub's own cache, the file that it points to is copied.
        do { try FileManager.default.copyItem(at: original.resolvingSymlinksInPath(), to: part) } catch {
            throw .unwritable(file: file.name)
        }
        try install(file: part, as: file, in: folder)
    }

    /// Checks a file, for example a downloaded one, and renames it into place.
    ///
    /// - Parameters:
    ///   - part: The file, on the same file system as `folder`; it stays where it is if it is wrong.
    ///   - file: The expected file.
    ///   - folder: The model's folder; created if it is missing.
    /// - Throws: ``ModelFilesError``; then an existing file is unchanged.
    package func install(file part: URL, as file: ModelFile, in folder: URL) throws(ModelFilesError) {
        try FileDigest.check(part, is: file)
        try Self.makeFolder(folder, for: file)
        let target = folder.appending(path: file.name)
        guard Self.synchronize(part), rename(part.path, target.path) == 0, Self.synchronize(folder) else {
            throw .unwritable(file: file.name)
        }
    }

    private static func makeFolder(_ folder: URL, for file: ModelFile) throws(ModelFilesError) {
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw .unwritable(file: file.name)
        }
    }

    /// Waits until a file or the names in a folder are on the disk, so that a crash leaves no empty file in place.
    private static func synchronize(_ url: URL) -> Bool {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
