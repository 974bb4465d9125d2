import Crypto
import Foundation

/// What remains of an erased message of an import, so that another export of its chat does not bring it back under another
/// id: a hash of conversation, text and minute.
public enum ErasedLine {
    private static let prefix = "erased:"

    /// Returns the mark of a message: an id that no message has, refused like that of an erased one.
    ///
    /// - Parameters:
    ///   - text: The key of its text, see ``key(of:)``.
    ///   - time: When it was sent.
    ///   - id: Its conversation.
    /// - Returns: The mark.
    public static func mark(text: UInt64, time: Timestamp, in id: ConversationID) -> MessageID {
        let minute = time.microseconds.quotient(flooringBy: 60_000_000)
        let digest = SHA256.hash(data: Data("\(id.rawValue) \(text) \(minute)".utf8)).prefix(16)
        let digits = digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return MessageID(rawValue: prefix + digits.joined())
    }

    /// Whether an id is a mark.
    public static func isMark(_ id: String) -> Bool { id.hasPrefix(prefix) }

    /// The hash of a text without what applications write differently: invisible marks, variants of emojis, widths of
    /// white space.
    public static func key(of text: String) -> UInt64 {
        var hash = TextHash()
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { hash.add(byte == 0x20 || (0x09...0x0D).contains(byte), CollectionOfOne(byte)) }
        } else {
            for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars where !isDropped(scalar) {
                hash.add(scalar.properties.isWhitespace, UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return hash.value
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .format || (0xFE00...0xFE0F).contains(scalar.value)
    }
}

/// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over the words of a text with one blank between them.
private struct TextHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
    private var hasBegun = false
    private var isBehindBlank = false

    mutating func add(_ isBlank: Bool, _ bytes: some Collection<UInt8>) {
        if isBlank {
            isBehindBlank = hasBegun
            return
        }
        if isBehindBlank { add(0x20) }
        (hasBegun, isBehindBlank) = (true, false)
        for byte in bytes { add(byte) }
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
