import ChatCore

/// A quoted part of a question.
package struct QuotedPhrase: Equatable, Sendable {
    /// The text between the marks.
    package let text: String
    /// Its place without the marks, in UTF-8 bytes.
    package let range: Range<Int>
}

/// Finds quoted phrases.
package enum QuotedPhrases {
    /// The most UTF-8 bytes of a phrase; in a longer one a mark was forgotten.
    static let byteLimit = 300

    /// Returns the phrases between quotation marks of any kind, and between backticks, in order and without overlap.
    ///
    /// Marks without a counterpart and phrases without a word are left out. Straight single quotes are apostrophes.
    package static func find(in text: String) -> [QuotedPhrase] {
        var phrases: [QuotedPhrase] = []
        var open: (closers: [Unicode.Scalar], start: Int)?
        var offset = 0
        for scalar in text.unicodeScalars {
            let end = offset + UTF8.width(scalar)
            if let current = open, current.closers.contains(scalar), offset - current.start <= byteLimit {
                append(text, current.start..<offset, to: &phrases)
                open = nil
            } else if open == nil || offset - (open?.start ?? 0) > byteLimit, let closers = closers[scalar] {
                open = (closers, end)
            }
            offset = end
        }
        return phrases
    }

    private static func append(_ text: String, _ range: Range<Int>, to phrases: inout [QuotedPhrase]) {
        let part = String(text.part(utf8: range))
        guard !TextAnalyzer.tokens(of: part, language: .other).isEmpty else { return }
        phrases.append(QuotedPhrase(text: part, range: range))
    }

    private static let closers: [Unicode.Scalar: [Unicode.Scalar]] = [
        "\"": ["\""], "“": ["”", "\""], "„": ["“", "”", "\""], "”": ["”"], "«": ["»"], "»": ["«"], "‹": ["›"],
        "›": ["‹"], "‘": ["’"], "‚": ["‘", "’"], "「": ["」"], "『": ["』"], "`": ["`"],
    ]
}

extension TextAnalyzer {
    /// Returns whether a text ends as a question does: in "?", its full-width or its Arabic form.
    ///
    /// Blanks, closing brackets and quotes, exclamation marks and emoji after it do not count.
    package static func isQuestion(_ text: String) -> Bool {
        for scalar in text.unicodeScalars.reversed().prefix(64) {
            switch scalar {
            case "?", "？", "؟": return true
            case "!", "！", ")", "]", "\"", "'", "”", "’", "»", "」", "*", "_", "~", "\u{200D}": continue
            default:
                if scalar.properties.isWhitespace || scalar.properties.isVariationSelector { continue }
                let category = scalar.properties.generalCategory
                guard category == .otherSymbol || category == .modifierSymbol else { return false }
            }
        }
        return false
    }
}
