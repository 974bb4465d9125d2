package import ChatCore

/// Turns a text into the ids of tokens that a model reads.
package protocol SentenceTokenizer: Sendable {
    /// The number of different token ids.
    var vocabularyCount: Int { get }

    /// Returns the ids of the tokens of `text` between start and end token, cut to `limit` with both.
    ///
    /// - Parameters:
    ///   - text: Any text; only the necessary part is read.
    ///   - limit: The most ids.
    /// - Returns: 2 to `limit` ids.
    /// - Precondition: `limit` is at least 2.
    func tokenIDs(_ text: String, limit: Int) -> [Int32]

    /// Returns how many tokens all of `text` has, start and end included.
    func tokenCount(_ text: String) -> Int

    /// Returns the ids of the tokens of a text after its prefix, between start and end token.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - prefix: A text before it, with a space at its end; or empty.
    ///   - limit: The most ids.
    ///   - prefixLimit: The most ids of the prefix, so that a long one does not displace the text.
    /// - Returns: All ids, and the text parts of the last ones before the end token, which are those of the text.
    /// - Precondition: `limit` is at least `prefixLimit` and 2 more.
    func tokens(
        of text: String, prefix: String, limit: Int, prefixLimit: Int
    ) -> (ids: [Int32], tokens: [EncodedToken])
}
