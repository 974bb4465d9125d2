import Foundation

/// A whole file, mapped into memory for reading until the last reference goes.
///
/// A file that is replaced by renaming stays as it was; one that is cut short in place ends the process at the
/// next access, which is why ``ModelFiles`` only ever renames.
///
/// Unchecked: the bytes are set in the initialiser, never written, and live as long as the object.
final class MappedFile: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    /// Maps a regular file; nil when there is none or the system refuses.
    init?(url: URL) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let count = Int(status.st_size)
        if count == 0 {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            return nil
        }
        bytes = UnsafeRawBufferPointer(start: start, count: count)
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }
}
