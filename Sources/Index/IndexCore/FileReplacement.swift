import Glibc

/// Writes a file as `path + ".partial"`, and renames it to `path` when it is on the disk.
///
/// An existing file is replaced; a process that has it open keeps the old content. Only the owner may read the file.
///
/// - Parameters:
///   - path: The path of the file; no one else may write there at the same time.
///   - body: Fills the file, and owns its descriptor.
/// - Returns: The result of `body`.
/// - Throws: ``SnapshotError/io(operation:code:)``, and the errors of `body`; the new file is removed then.
package func replaceFile<Result>(
    at path: String, filling body: (Int32) throws(SnapshotError) -> Result
) throws(SnapshotError) -> Result {
    let partial = path + ".partial"
    unlink(partial)
    let descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io(operation: "create", code: errno) }
    do throws(SnapshotError) {
        let result = try body(descriptor)
        guard rename(partial, path) == 0 else { throw .io(operation: "rename", code: errno) }
        try synchroniseFolder(of: path)
        return result
    } catch {
        unlink(partial)
        throw error
    }
}

private func synchroniseFolder(of path: String) throws(SnapshotError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(operation: "open folder", code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .io(operation: "fsync folder", code: errno) }
}

/// Writes all bytes at an offset, or throws.
package func writeFully(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, to descriptor: Int32
) throws(SnapshotError) {
    var done = 0
    while done < bytes.count {
        let piece = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = pwrite(descriptor, piece.baseAddress, piece.count, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .io(operation: "write", code: count < 0 ? errno : ENOSPC) }
        done += count
    }
}
