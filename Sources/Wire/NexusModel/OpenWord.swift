/// A word of a list that a later server may make longer: the words that this version knows are cases, others are
/// `unknown`.
///
/// In JSON it is the word itself. A literal is read like a word of the server: `"group"` is
/// ``ChatConversation/Kind/group``.
public protocol OpenWord: RawRepresentable, Hashable, Sendable, Codable, CaseIterable, ExpressibleByStringLiteral,
    CustomStringConvertible
where RawValue == String, AllCases == [Self] {
    /// The cases with a word that this version knows.
    static var allCases: [Self] { get }
    /// Makes the case of a word.
    init(rawValue: String)
    /// A word that this version does not know.
    static func unknown(_ word: String) -> Self
}

extension OpenWord {
    /// Makes the case of a word.
    public init(rawValue word: String) { self = Self.allCases.first { $0.rawValue == word } ?? .unknown(word) }

    /// Makes the case of the same word of another list, such as the server's own.
    package init(_ word: some RawRepresentable<String>) { self.init(rawValue: word.rawValue) }

    /// The word.
    public var description: String { rawValue }

    public init(stringLiteral word: String) { self.init(rawValue: word) }

    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
