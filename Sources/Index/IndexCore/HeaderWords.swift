/// The first 4 KiB of a file: 512 numbers of 64 bits, little-endian; the last one is the checksum of the others.
package struct HeaderWords: Sendable {
    /// Bytes of a header.
    package static let byteCount = 4096
    /// The most bytes of an identity in UTF-8.
    package static let identityByteLimit = 128
    private static let count = byteCount / 8

    private var words: [UInt64]

    package init() { words = Array(repeating: 0, count: Self.count) }

    /// Takes the 512 numbers of a header unchecked.
    package init(words: [UInt64]) {
        precondition(words.count == Self.count, "a header has 512 numbers")
        self.words = words
    }

    /// Reads the header at the start of a file.
    package init(at start: UnsafeRawPointer) {
        words = (0..<Self.count).map { start.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    }

    /// The number at a position; the last one is the checksum.
    package subscript(position: Int) -> UInt64 {
        get { words[position] }
        set { words[position] = newValue }
    }

    /// Whether the stored checksum matches the other numbers.
    package var isIntact: Bool { words[Self.count - 1] == checksum }

    /// The header as it is written to the file.
    package func encoded() -> [UInt64] { words.dropLast() + [checksum] }

    /// Writes an identity: its bytes start at `position`, and the number before holds their count.
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
