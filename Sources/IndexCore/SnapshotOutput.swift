import Glibc

/// A file being written: collects bytes and writes them in large pieces, from any offset on.
package final class SnapshotOutput {
    /// Large enough that calls of the system cost nothing beside the copy.
    private static let bufferByteCount = 8 * 1024 * 1024
    package let descriptor: Int32
    /// Writes beyond it fail as on a full disk; so tests meet one.
    private let byteLimit: Int
    private let buffer: UnsafeMutableRawPointer
    private let capacity: Int
    private var used = 0
    private var offset = 0

    /// Takes a descriptor that stays the caller's; `largestPiece` is the most that ``reserve(_:)`` will be asked for.
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

    /// Goes on at another offset.
    package func seek(to offset: Int) throws(SnapshotError) {
        try flush()
        self.offset = offset
    }

    /// Makes room for the next `count` bytes of the file, which the caller fills before the next call.
    package func reserve(_ count: Int) throws(SnapshotError) -> UnsafeMutableRawPointer {
        if used + count > capacity { try flush() }
        defer { used += count }
        return buffer + used
    }

    /// Adds bytes of any number.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(SnapshotError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(capacity))
            UnsafeMutableRawBufferPointer(start: try reserve(piece.count), count: piece.count).copyMemory(from: piece)
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Hands everything to the system.
    package func flush() throws(SnapshotError) {
        guard offset + used <= byteLimit else { throw .io(operation: "write", code: ENOSPC) }
        try writeFully(UnsafeRawBufferPointer(start: buffer, count: used), at: offset, to: descriptor)
        // Makes the disk begin at once: otherwise it stands idle until much is waiting, and then the writer waits for it.
        posix_fadvise(descriptor, off_t(offset), off_t(used), POSIX_FADV_DONTNEED)
        offset += used
        used = 0
    }
}
