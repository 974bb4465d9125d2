/// A language whose words the text analysis knows how to reduce; everything else is ``other``.
public enum TextLanguage: String, CaseIterable, Codable, Sendable {
    /// English: Porter's stemmer, English stop words.
    case english = "en"
    /// German: Snowball's stemmer, German stop words.
    case german = "de"
    /// Japanese: unigrams and bigrams, as for all Chinese, Japanese and Korean script; nothing is stemmed.
    case japanese = "ja"
    /// Any other language: words are folded and otherwise kept as they are.
    case other = "und"
}
