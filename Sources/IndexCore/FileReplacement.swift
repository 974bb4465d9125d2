import Glibc

/// Makes a file beside a path, as `path + ".partial"`, which takes the path's name when it is on the disk.
///
/// A file that was there before is replaced; whoever has it open keeps what he sees. Only the owner may read the file.
///
/// - Parameters:
///   - path: Where the file will be; nobody else may write there at the same time.
///   - body: Fills the file, and is the owner of its descriptor.
/// - Returns: What `body` returns.
/// - Throws: ``SnapshotError/io(operation:code:)``, and what `body` throws; nothing is left of the new file then.
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

/// Writes bytes at an offset, all or with an error.
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
