/// The values of `input_type` for questions and passages.
///
/// Some embedding servers put the prefixes of their models before the texts themselves, and need to know which.
package struct InputTypes: Hashable, Sendable {
    /// The value for a question.
    package var query: String
    /// The value for a passage.
    package var passage: String

    package init(query: String, passage: String) {
        self.query = query
        self.passage = passage
    }

    /// Reads `query/passage`: two words of letters, digits, `-`, `_` and `.`; nil for another text.
    package init?(_ text: String) {
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 2, words.allSatisfy(Self.isWord) else { return nil }
        self.init(query: String(words[0]), passage: String(words[1]))
    }

    private static func isWord(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "_.-".utf8.contains(byte)
            }
    }
}

extension InputTypes {
    /// Separates the input type from the prefix in ``marked(_:_:)``; no prefix contains it.
    private static let separator: Character = "\u{1F}"

    /// Returns a prefix as it stands in an embedding space: vectors of texts that were sent with another input type
    /// cannot be compared, so it is part of the prefix there.
    static func marked(_ prefix: String, _ type: String?) -> String {
        type.map { "\($0)\(separator)\(prefix)" } ?? prefix
    }

    /// Reads the prefixes of an embedding space.
    package static func read(queryPrefix: String, passagePrefix: String) -> (
        types: InputTypes?, queryPrefix: String, passagePrefix: String
    ) {
        let query = queryPrefix.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        let passage = passagePrefix.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard query.count == 2, passage.count == 2 else { return (nil, queryPrefix, passagePrefix) }
        return (
            InputTypes(query: String(query[0]), passage: String(passage[0])), String(query[1]), String(passage[1])
        )
    }

    /// Returns the prefixes of an embedding space.
    package static func marked(
        queryPrefix: String, passagePrefix: String, types: InputTypes?
    ) -> (query: String, passage: String) {
        (marked(queryPrefix, types?.query), marked(passagePrefix, types?.passage))
    }
}
