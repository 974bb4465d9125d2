import Foundation

/// Reads little-endian numbers and runs of bytes one after the other; nil at the end of the bytes.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads a number.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        guard let bytes = take(MemoryLayout<Number>.size) else { return nil }
        return Number(littleEndian: bytes.loadUnaligned(as: Number.self))
    }

    /// Reads a number that must not be negative, as most counts in the file are written with a sign.
    mutating func count() -> Int? {
        guard let value = number(Int32.self), value >= 0 else { return nil }
        return Int(value)
    }

    /// Reads a 32-bit float.
    mutating func float() -> Float? { number(UInt32.self).map(Float.init(bitPattern:)) }

    /// Reads so many bytes; nil when there are fewer.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// Reads so many numbers; nil when there are fewer, or when their size overflows.
    mutating func numbers<Number: FixedWidthInteger>(_ count: Int, _ type: Number.Type = Number.self) -> [Number]? {
        let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Number>.size)
        guard !overflow, let bytes = take(size) else { return nil }
        return (0..<count).map {
            Number(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Number>.size, as: Number.self))
        }
    }
}
