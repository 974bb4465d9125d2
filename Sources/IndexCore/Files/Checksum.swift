import CKernels

/// The checksum of bytes, of none too.
package func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress else {
        return withUnsafeBytes(of: UInt8(0)) { none in none.baseAddress.map { nexus_checksum($0, 0) } ?? 0 }
    }
    return nexus_checksum(start, bytes.count)
}
