/// Turns texts into terms for the index, searches and highlighting: the only place that decides the form of a word.
///
/// All ranges are in UTF-8 bytes of the given text. Nothing here depends on a locale or on the machine.
package enum TextAnalyzer {
    /// The version of these rules; a new one makes a new lexical index necessary.
    package static let version = 3

    /// Returns the tokens of `text` in order, with their terms in `language`.
    ///
    /// A word is a run of letters and digits, as in SQLite's unicode61 tokenizer ("don't" becomes don and t). In
    /// Chinese, Japanese and Korean script every letter and every adjacent pair is a token. Case, accents and
    /// full-width forms are folded; emoji separate words. Of a run of more than 64 letters the first 64 count.
    ///
    /// - Complexity: Linear in the length of the text.
    package static func tokens(of text: String, language: TextLanguage) -> [TextToken] {
        var tokens: [TextToken] = []
        let stem = stemmers[language]
        TokenScanner.scan(text, keepsUmlauts: language == .german) { word, range, kind in
            let term = kind == .word ? stem?(word) ?? word : word
            let plain = language == .german ? withoutUmlauts(word) : word
            tokens.append(TextToken(word: plain, term: term, range: range, kind: kind))
        }
        return tokens
    }

    /// Returns the terms by which `text` is indexed, in order and with repeats; stop words are among them.
    package static func terms(of text: String, language: TextLanguage) -> [String] {
        var terms: [String] = []
        let stem = stemmers[language]
        TokenScanner.scan(text, keepsUmlauts: language == .german) { word, _, kind in
            terms.append(kind == .word ? stem?(word) ?? word : word)
        }
        return terms
    }

    /// Returns the term of a word in the index of a language.
    ///
    /// - Parameters:
    ///   - word: A folded word; in German with its umlauts.
    ///   - language: The language.
    /// - Returns: Its stem; the word itself in a language without a stemmer.
    package static func stem(_ word: String, language: TextLanguage) -> String {
        stemmers[language]?(word) ?? word
    }

    private static let stemmers = Dictionary(
        uniqueKeysWithValues: Language.all.compactMap { words in words.stem.map { (words.language, $0) } })

    private static func withoutUmlauts(_ word: String) -> String {
        guard !word.utf8.allSatisfy({ $0 < 0x80 }) else { return word }
        var plain = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            switch scalar {
            case "ä": plain.append("a")
            case "ö": plain.append("o")
            case "ü": plain.append("u")
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }
}

/// A language whose words the text analysis knows, see ``Language``; everything else is ``other``.
package enum TextLanguage: String, CaseIterable, Codable, Sendable {
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
    /// Any other language: words are folded and otherwise unchanged.
    case other = "und"
}

/// One token of a text.
package struct TextToken: Equatable, Sendable {
    /// The kind of characters in a token.
    package enum Kind: Sendable {
        /// A run of letters and digits.
        case word
        /// One letter of Han, kana or Hangul.
        case unigram
        /// Two adjacent letters of that kind.
        case bigram
    }

    /// The token folded: lower case, no accents, plain widths.
    package let word: String
    /// The indexed form: the stem of a word, any other token unchanged.
    package let term: String
    /// Its place in the text, in UTF-8 bytes.
    package let range: Range<Int>
    /// The kind of characters.
    package let kind: Kind
}
