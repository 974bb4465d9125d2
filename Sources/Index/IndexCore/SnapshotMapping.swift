import CKernels
import Glibc

/// The bytes of an open file, mapped for reading.
package struct SnapshotMapping {
    /// The first byte.
    package let base: UnsafeRawPointer
    /// Bytes of the file.
    package let byteCount: Int

    /// Maps a file of at least `leastByteCount` bytes; the caller keeps the descriptor.
    package init(descriptor: Int32, leastByteCount: Int) throws(SnapshotError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .io(operation: "stat", code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notASnapshot }
        byteCount = Int(status.st_size)
        guard byteCount >= leastByteCount else {
            throw .truncated(expected: leastByteCount, got: byteCount)
        }
        guard let address = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0), address != MAP_FAILED else {
            throw .io(operation: "map", code: errno)
        }
        base = UnsafeRawPointer(address)
    }

    /// Ends the mapping.
    package func unmap() { munmap(UnsafeMutableRawPointer(mutating: base), byteCount) }
}

/// A reason why a snapshot file cannot be written or used; the index in memory stays intact.
public enum SnapshotError: Error, Hashable, Sendable {
    /// There is no file at the path.
    case missing
    /// A call of the system failed with this `errno`.
    case io(operation: String, code: Int32)
    /// The file is not a snapshot.
    case notASnapshot
    /// Another version of this library wrote the file.
    case version(found: Int)
    /// The file belongs to another store, or to another generation of it.
    case identity
    /// The rows of the file have another form than the index expects: `dimensions` or `codes`.
    case mismatch(field: String)
    /// A part of the file differs from what was written: `header`, `table`, `keys`, `codes` and so on.
    case damaged(part: String)
    /// The file ends too early; sizes in bytes.
    case truncated(expected: Int, got: Int)
}

/// The checksum of bytes; defined for an empty buffer too.
package func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress else {
        return withUnsafeBytes(of: UInt8(0)) { none in none.baseAddress.map { nexus_checksum($0, 0) } ?? 0 }
    }
    return nexus_checksum(start, bytes.count)
}
