/// The values of `input_type`, or a field of another name, for questions and passages.
///
/// Some embedding servers put the prefixes of their models before the texts themselves, and need to know which.
package struct InputTypes: Hashable, Sendable {
    /// The usual name of the field.
    private static let usualField = "input_type"

    /// The name of the field; Jina's is `task`.
    package var field = usualField
    /// The value for a question.
    package var query: String
    /// The value for a passage.
    package var passage: String

    package init(field: String? = nil, query: String, passage: String) {
        self.field = field ?? Self.usualField
        self.query = query
        self.passage = passage
    }

    /// Reads `query/passage`, or with a field `task=query/passage`: words of letters, digits, `-`, `_` and `.`; nil for
    /// another text.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let words = parts[parts.count - 1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, words.count == 2, words.allSatisfy(Self.isWord) else { return nil }
        guard parts.count == 1 || Self.isWord(parts[0]) && !Self.taken.contains(String(parts[0])) else { return nil }
        self.init(
            field: parts.count == 2 ? String(parts[0]) : nil, query: String(words[0]), passage: String(words[1]))
    }

    /// Fields of a request that mean something else.
    private static let taken: Set<String> = [
        "model", "input", "dimensions", "output_dimension", "encoding_format", "output_dtype", "embedding_type",
        "embedding_types",
    ]

    private static func isWord(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "_.-".utf8.contains(byte)
            }
    }
}

extension InputTypes {
    /// Separates what is sent beside a text from the prefix in ``marked(queryPrefix:passagePrefix:types:output:)``; no prefix
    /// contains it.
    private static let separator: Character = "\u{1F}"
    /// Stands before an output type there; no input type contains it.
    private static let outputMark: Character = ";"

    /// Returns the prefixes of an embedding space.
    ///
    /// Vectors of texts that were sent with another input type, or that came as other numbers, cannot be compared, so both
    /// are parts of the prefix there.
    package static func marked(
        queryPrefix: String, passagePrefix: String, types: InputTypes?, output: OutputType? = nil
    ) -> (query: String, passage: String) {
        (
            marked(queryPrefix, types, types?.query, output), marked(passagePrefix, types, types?.passage, output)
        )
    }

    private static func marked(
        _ prefix: String, _ types: InputTypes?, _ word: String?, _ output: OutputType?
    ) -> String {
        let output = output?.numbers == .float ? nil : output
        guard word != nil || output != nil else { return prefix }
        let field = types.map { $0.field == usualField ? "" : "\($0.field)=" } ?? ""
        let type = output.map { "\(outputMark)\($0.text)" } ?? ""
        return "\(field)\(word ?? "")\(type)\(separator)\(prefix)"
    }

    /// Reads the prefixes of an embedding space.
    package static func read(queryPrefix: String, passagePrefix: String) -> (
        types: InputTypes?, output: OutputType?, queryPrefix: String, passagePrefix: String
    ) {
        let query = queryPrefix.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        let passage = passagePrefix.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard query.count == 2, passage.count == 2 else { return (nil, nil, queryPrefix, passagePrefix) }
        let heads = [query[0], passage[0]].map {
            $0.split(separator: outputMark, maxSplits: 1, omittingEmptySubsequences: false)
        }
        let words = heads.map { $0[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        let types =
            heads[0][0].isEmpty
            ? nil
            : InputTypes(
                field: words[0].count == 2 ? String(words[0][0]) : nil, query: String(words[0].last ?? ""),
                passage: String(words[1].last ?? ""))
        let output = heads[0].count == 2 ? OutputType(String(heads[0][1])) : nil
        return (types, output, String(query[1]), String(passage[1]))
    }
}
