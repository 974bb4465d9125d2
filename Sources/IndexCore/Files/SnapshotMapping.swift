import Glibc

/// The bytes of an open file, mapped for reading.
package struct SnapshotMapping {
    /// The first byte.
    package let base: UnsafeRawPointer
    /// Bytes of the file.
    package let byteCount: Int

    /// Maps a file, whose descriptor stays the caller's, and which has so many bytes at the least.
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
