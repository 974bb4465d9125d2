/// Turns texts into one vector a token, so that a question's words can each look for their match in a message.
public protocol TokenEncoder: Sendable {
    /// Encodes `texts`, each on its own.
    ///
    /// - Parameter texts: Any number of texts.
    /// - Returns: The tokens of each text, in the order of the texts, all of the same dimensions; none for a text without
    ///   a token.
    /// - Throws: ``ModelServiceError`` when there is no model, `CancellationError`.
    func tokenVectors(of texts: [TokenText]) async throws -> [TokenVectors]
}

/// A text whose tokens are wanted, and what the model reads before it.
public struct TokenText: Hashable, Sendable {
    /// The sender's name: put in front as `Sender: `, it gives the tokens context and has no vectors itself; empty for none.
    public var prefix: String
    /// The text.
    public var text: String

    /// Makes a text with what stands before it.
    public init(prefix: String = "", text: String) {
        self.prefix = prefix
        self.text = text
    }
}

/// What a token stands for.
public struct EncodedToken: Hashable, Sendable {
    /// The word that the token is a piece of, as UTF-8 offsets into the text.
    public let range: Range<Int>
    /// Whether the piece holds a letter or digit; false for punctuation and for what the vocabulary does not know.
    public let isWord: Bool

    public init(range: Range<Int>, isWord: Bool) {
        self.range = range
        self.isWord = isWord
    }
}
