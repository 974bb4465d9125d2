import CKernels
import Glibc

/// A file being written: collects bytes and writes them in large pieces, from any offset on.
final class SnapshotOutput {
    /// Large enough that calls of the system cost nothing beside the copy.
    private static let bufferByteCount = 8 * 1024 * 1024
    let descriptor: Int32
    /// Writes beyond it fail as on a full disk; so tests meet one.
    private let byteLimit: Int
    private let buffer: UnsafeMutableRawPointer
    private let capacity: Int
    private var used = 0
    private var offset = 0

    /// Takes a descriptor that stays the caller's; `largestPiece` is the most that ``reserve(_:)`` will be asked for.
    init(descriptor: Int32, largestPiece: Int, byteLimit: Int) throws(SnapshotError) {
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
    func seek(to offset: Int) throws(SnapshotError) {
        try flush()
        self.offset = offset
    }

    /// Makes room for the next `count` bytes of the file, which the caller fills before the next call.
    func reserve(_ count: Int) throws(SnapshotError) -> UnsafeMutableRawPointer {
        if used + count > capacity { try flush() }
        defer { used += count }
        return buffer + used
    }

    /// Adds bytes of any number.
    func append(_ bytes: UnsafeRawBufferPointer) throws(SnapshotError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(capacity))
            UnsafeMutableRawBufferPointer(start: try reserve(piece.count), count: piece.count).copyMemory(from: piece)
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Hands everything to the system.
    func flush() throws(SnapshotError) {
        guard offset + used <= byteLimit else { throw .io(operation: "write", code: ENOSPC) }
        try writeFully(UnsafeRawBufferPointer(start: buffer, count: used), at: offset, to: descriptor)
        // Makes the disk begin at once: otherwise it stands idle until much is waiting, and then the writer waits for it.
        posix_fadvise(descriptor, off_t(offset), off_t(used), POSIX_FADV_DONTNEED)
        offset += used
        used = 0
    }
}

/// Writes bytes at an offset, all or with an error.
func writeFully(
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

/// The checksum of bytes, of none too.
func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress else {
        return withUnsafeBytes(of: UInt8(0)) { none in none.baseAddress.map { nexus_checksum($0, 0) } ?? 0 }
    }
    return nexus_checksum(start, bytes.count)
}
