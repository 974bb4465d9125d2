/// A language whose words the text analysis knows, see ``Language``; everything else is ``other``.
public enum TextLanguage: String, CaseIterable, Codable, Sendable {
    /// English: Porter's stemmer.
    case english = "en"
    /// German: Snowball's stemmer.
    case german = "de"
    /// Japanese: unigrams and bigrams, as for all Chinese, Japanese and Korean script; nothing is stemmed.
    case japanese = "ja"
    /// French: Savoy's light stemmer.
    case french = "fr"
    /// Spanish: Savoy's light stemmer.
    case spanish = "es"
    /// Any other language: words are folded and otherwise kept as they are.
    case other = "und"
}
