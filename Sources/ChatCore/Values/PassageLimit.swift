/// How long a passage may be, in the tokens of the model that reads it.
public struct PassageLimit: Sendable {
    /// For services whose models read much more: what is about one thing is found better than what is about many.
    public static let defaultTokenCount = 512

    /// The most tokens of a passage with its sender's name.
    public let tokenCount: Int
    /// Counts the tokens of a text: at most as many as it has UTF-8 bytes.
    public let count: @Sendable (String) -> Int

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - tokenCount: The most tokens, 1 or more.
    ///   - count: Counts tokens; without the model's own tokenizer they are guessed, upwards.
    /// - Precondition: `tokenCount` is at least 1.
    public init(
        tokenCount: Int = defaultTokenCount, count: @escaping @Sendable (String) -> Int = { TokenEstimate.count($0) }
    ) {
        precondition(tokenCount >= 1, "a passage has a token")
        self.tokenCount = tokenCount
        self.count = count
    }

    /// Returns whether a text is within the limit.
    package func admits(_ text: String) -> Bool {
        text.utf8.count <= tokenCount || count(text) <= tokenCount
    }
}
