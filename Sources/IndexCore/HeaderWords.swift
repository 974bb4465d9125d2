/// The first 4 KiB of a file: 512 numbers of 64 bits, little-endian, the last of them a checksum of the others.
package struct HeaderWords: Sendable {
    /// Bytes of a header.
    package static let byteCount = 4096
    /// The most bytes of an identity in UTF-8.
    package static let identityByteLimit = 128
    private static let count = byteCount / 8

    private var words: [UInt64]

    /// Starts with zeros.
    package init() { words = Array(repeating: 0, count: Self.count) }

    /// Takes the numbers of a header as they are; 512 of them.
    package init(words: [UInt64]) {
        precondition(words.count == Self.count, "a header has 512 numbers")
        self.words = words
    }

    /// Takes the header that a file begins with.
    package init(at start: UnsafeRawPointer) {
        words = (0..<Self.count).map { start.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    }

    /// The number at a position; the last is the checksum's.
    package subscript(position: Int) -> UInt64 {
        get { words[position] }
        set { words[position] = newValue }
    }

    /// Whether the checksum is that of the other numbers.
    package var isIntact: Bool { words[Self.count - 1] == checksum }

    /// The header as it stands in the file.
    package func encoded() -> [UInt64] { words.dropLast() + [checksum] }

    /// Puts an identity in: its bytes from a position on, their number before.
    ///
    /// - Precondition: At most ``identityByteLimit`` bytes.
    package mutating func write(identity: String, at position: Int) {
        let bytes = Array(identity.utf8)
        precondition(bytes.count <= Self.identityByteLimit, "the identity is too long")
        words[position - 1] = UInt64(bytes.count)
        for (offset, byte) in bytes.enumerated() {
            words[position + offset / 8] |= UInt64(byte) << UInt64(offset % 8 * 8)
        }
    }

    /// Whether the identity at a position is this one.
    package func holds(identity: String, at position: Int) -> Bool {
        guard identity.utf8.count <= Self.identityByteLimit else { return false }
        var expected = HeaderWords()
        expected.write(identity: identity, at: position)
        let range = position - 1..<position + Self.identityByteLimit / 8
        return words[range] == expected.words[range]
    }

    private var checksum: UInt64 {
        words.withUnsafeBytes { IndexCore.checksum(of: UnsafeRawBufferPointer(rebasing: $0.dropLast(8))) }
    }
}
