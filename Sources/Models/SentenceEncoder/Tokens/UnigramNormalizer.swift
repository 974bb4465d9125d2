/// The text as the pieces of a Unigram model spell it: characters mapped, runs of spaces made one, each space written
/// as U+2581, and one more at the start.
struct UnigramNormalizer {
    private static let space: UInt8 = 0x20

    private let source: UnsafeBufferPointer<UInt8>
    private let map: CharacterMap
    private var position = 0
    private var isAtStart = true
    private var followsSpace = false

    /// The source is UTF-8 that is valid because it comes from a `String`.
    init(_ source: UnsafeBufferPointer<UInt8>, _ map: CharacterMap) { (self.source, self.map) = (source, map) }

    /// Appends what becomes of the next character, possibly nothing, and returns its place in the source; nil at the end.
    mutating func next(into bytes: inout [UInt8]) -> Range<Int>? {
        guard position < source.count else { return nil }
        let (scalar, length) = UTF8Scalar.decode(source, at: position)
        let origin = position..<position + length
        position += length
        if let replacement = map.replacement(of: scalar) {
            for byte in replacement { append(byte, to: &bytes) }
        } else {
            for place in origin { append(source[place], to: &bytes) }
        }
        return origin
    }

    private mutating func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        if byte == Self.space {
            if !followsSpace { bytes.append(contentsOf: UnigramLattice.mark) }
        } else {
            if isAtStart { bytes.append(contentsOf: UnigramLattice.mark) }
            bytes.append(byte)
        }
        (followsSpace, isAtStart) = (byte == Self.space, false)
    }
}

/// Reads characters from UTF-8 that is valid because it comes from a `String`.
enum UTF8Scalar {
    /// Returns the bytes of a character by its first.
    static func length(lead: UInt8) -> Int { lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }

    /// Returns where the character before a place starts.
    static func start(before position: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var start = position - 1
        while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }

    /// Returns the character at a place, and its bytes.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (scalar: UInt32, length: Int) {
        let lead = text[position]
        if lead < 0x80 { return (UInt32(lead), 1) }
        let length = min(length(lead: lead), text.count - position)
        var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
        for offset in 1..<max(1, length) { value = value << 6 | UInt32(text[position + offset] & 0x3F) }
        return (value, length)
    }
}
