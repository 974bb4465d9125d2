import Foundation

/// The map of characters that SentencePiece writes into its models: sequences of characters and what they become.
///
/// The sequences are a trie in the form of `darts-clone`: 32-bit units, where a child's place is the exclusive or of a
/// base and a byte. The values are places in a list of texts that end with a zero.
struct PrecompiledMap: Sendable {
    /// Longer characters are mapped part by part, as in the reference.
    private static let characterByteLimit = 6

    private let units: [UInt32]
    private let texts: [UInt8]

    /// Reads a map: the bytes of the trie as u32, little-endian, the trie, the texts; nil if it is damaged.
    init?(_ data: Data) {
        let bytes = [UInt8](data)
        let isRead = bytes.withUnsafeBytes { raw in
            var reader = ByteReader(raw)
            guard let size = reader.number(UInt32.self), size % 4 == 0, size > 0,
                let units = reader.numbers(Int(size) / 4, UInt32.self)
            else { return nil as ([UInt32], Int)? }
            return (units, reader.position)
        }
        guard let (units, end) = isRead else { return nil }
        self.units = units
        texts = Array(bytes[end...])
        guard String(validating: texts, as: UTF8.self) != nil else { return nil }
    }

    /// Returns a text with its characters mapped.
    func apply(to text: NormalizedText) -> NormalizedText {
        var result = NormalizedText()
        result.reserve(text.count)
        text.forEachGrapheme { grapheme in
            if grapheme.count < Self.characterByteLimit, let replacement = replacement(of: text.bytes[grapheme]) {
                return result.append(replacement, from: text.origin(of: grapheme))
            }
            var place = grapheme.lowerBound
            while place < grapheme.upperBound {
                let character = text.character(at: place)
                if let replacement = replacement(of: text.bytes[character]) {
                    result.append(replacement, from: text.origin(of: character))
                } else {
                    result.append(text, character)
                }
                place = character.upperBound
            }
        }
        return result
    }

    /// Returns the value of the shortest sequence that `key` starts with, which the reference takes for all of it.
    private func replacement(of key: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var node = offset(of: units[0])
        for byte in key {
            guard byte != 0 else { return nil }
            node ^= Int(byte)
            guard units.indices.contains(node), units[node] & 0x8000_00FF == UInt32(byte) else { return nil }
            let unit = units[node]
            node ^= offset(of: unit)
            guard unit >> 8 & 1 == 1 else { continue }
            guard units.indices.contains(node) else { return nil }
            let start = Int(units[node] & 0x7FFF_FFFF)
            guard start <= texts.count else { return nil }
            return texts[start...].prefix { $0 != 0 }
        }
        return nil
    }

    private func offset(of unit: UInt32) -> Int { Int(unit >> 10) << Int((unit & 0x200) >> 6) }
}
