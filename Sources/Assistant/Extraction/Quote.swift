import ChatCore
import TextAnalysis

/// Finds a quote in a message: white space, case, accents, emoji and punctuation do not count.
struct Quote {
    /// The longest beginning of a message that replaces a quote that was not found, in UTF-8 bytes.
    static let ownByteLimit = 300

    private let words: [String]

    init(_ text: String) {
        words = Self.tokens(of: text).map(\.word)
    }

    /// Whether it is long enough to distinguish a message from others.
    var isTelling: Bool { words.reduce(0) { $0 + $1.count } >= 12 }

    /// Returns where `text` contains the words in their order with nothing between them, in UTF-8 bytes.
    func range(in text: String) -> Range<Int>? {
        guard !words.isEmpty else { return nil }
        let tokens = Self.tokens(of: text)
        guard tokens.count >= words.count else { return nil }
        for start in 0...(tokens.count - words.count)
        where words.indices.allSatisfy({ tokens[start + $0].word == words[$0] }) {
            return tokens[start].range.lowerBound..<tokens[start + words.count - 1].range.upperBound
        }
        return nil
    }

    private static func tokens(of text: String) -> [TextToken] {
        TextAnalyzer.tokens(of: text, language: .other).filter { $0.kind != .bigram }
    }
}
