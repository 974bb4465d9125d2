/// One token of a text.
public struct TextToken: Equatable, Sendable {
    /// What the token is made of.
    public enum Kind: Sendable {
        /// A run of letters and digits.
        case word
        /// One letter of Han, kana or Hangul.
        case unigram
        /// Two such letters that stand together.
        case bigram
    }

    /// The token folded: lower case, no accents, plain widths.
    public let word: String
    /// What it is indexed by: the stem of a word, anything else as it is.
    public let term: String
    /// Its place in the text, in UTF-8 bytes.
    public let range: Range<Int>
    /// What the token is made of.
    public let kind: Kind
}
