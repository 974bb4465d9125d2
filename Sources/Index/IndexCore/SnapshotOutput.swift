import Glibc

/// Collects the bytes of a file and writes them in large pieces, at any offset.
package final class SnapshotOutput {
    /// Large enough that system calls cost nothing compared with the copy.
    private static let bufferByteCount = 8 * 1024 * 1024
    package let descriptor: Int32
    /// Writes beyond it fail as on a full disk; for tests.
    private let byteLimit: Int
    private let buffer: UnsafeMutableRawPointer
    private let capacity: Int
    private var used = 0
    private var offset = 0

    /// The caller keeps the descriptor; `largestPiece` is the largest count that ``reserve(_:)`` is called with.
    package init(descriptor: Int32, largestPiece: Int, byteLimit: Int) throws(SnapshotError) {
        capacity = max(Self.bufferByteCount, largestPiece)
        var address: UnsafeMutableRawPointer?
        guard posix_memalign(&address, 4096, capacity) == 0, let address else {
            throw .io(operation: "allocate", code: ENOMEM)
        }
        buffer = address
        self.descriptor = descriptor
        self.byteLimit = byteLimit
    }

    deinit { free(buffer) }

    /// Continues at another offset.
    package func seek(to offset: Int) throws(SnapshotError) {
        try flush()
        self.offset = offset
    }

    /// Returns memory for the next `count` bytes of the file; the caller fills it before the next call.
    package func reserve(_ count: Int) throws(SnapshotError) -> UnsafeMutableRawPointer {
        if used + count > capacity { try flush() }
        defer { used += count }
        return buffer + used
    }

    /// Appends any number of bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SnapshotError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(capacity))
            UnsafeMutableRawBufferPointer(start: try reserve(piece.count), count: piece.count).copyMemory(from: piece)
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Passes all collected bytes to the system.
    package func flush() throws(SnapshotError) {
        guard offset + used <= byteLimit else { throw .io(operation: "write", code: ENOSPC) }
        try writeFully(UnsafeRawBufferPointer(start: buffer, count: used), at: offset, to: descriptor)
        // Starts the disk at once: otherwise it is idle until many bytes wait, and then the writer waits for the disk.
        posix_fadvise(descriptor, off_t(offset), off_t(used), POSIX_FADV_DONTNEED)
        offset += used
        used = 0
    }
}
