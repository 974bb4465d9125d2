import Foundation

/// A text in which facts are looked for: folded, without citations and marks of emphasis.
///
/// Case, accents, widths and the separators of numbers do not matter (`9,000` is `9.000` is `9000`). An alternative
/// matches at the beginning of a word: `crane` matches "cranes" and "crane-lift", but `rate` does not match "crate". A
/// number at its end must match as a whole. A day such as `2026-11-12` matches every usual way to write its day and
/// month in English, German and Japanese.
///
/// The groups of a fact must match near each other, so that a number of something else does not count.
struct SaidText {
    /// The most consecutive lines, blank ones left out, that may tell a fact together.
    private static let nearness = 3

    private let parts: [SaidPart]

    init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline).filter { $0.contains { !$0.isWhitespace } }
        let starts = lines.indices.prefix(max(1, lines.count - Self.nearness + 1))
        parts = starts.map { SaidPart(lines[$0...].prefix(Self.nearness).joined(separator: "\n")) }
    }

    /// Whether one alternative of each group matches.
    func says(_ groups: [[String]]) -> Bool {
        parts.contains { part in groups.allSatisfy { $0.contains(where: part.holds) } }
    }
}

/// Some lines of a text.
private struct SaidPart {
    private let folded: String
    private let days: DayMentions

    init(_ text: String) {
        folded = Self.fold(text.replacing(/\[\d+(?:\s*[,;–-]\s*\d+)*\]/, with: " "))
        days = DayMentions(folded)
    }

    /// Whether an alternative matches.
    func holds(_ alternative: String) -> Bool {
        if let day = DayMentions.Day(alternative) { return days.contains(day) || days.writes(day, in: folded) }
        let wanted = Self.fold(alternative)
        return !wanted.isEmpty && folded.ranges(of: wanted).contains { isWhole($0, wanted) }
    }

    /// Whether a match begins a word and does not end inside a number.
    private func isWhole(_ range: Range<String.Index>, _ wanted: String) -> Bool {
        if let first = wanted.first, first.isSpelled, let before = folded[..<range.lowerBound].last {
            if before.isSpelled { return false }
            if first.isNumber, before == ".", folded[..<range.lowerBound].dropLast().last?.isNumber == true {
                return false
            }
        }
        guard wanted.last?.isNumber == true else { return true }
        let rest = folded[range.upperBound...]
        if rest.first?.isNumber == true { return false }
        return !(rest.first == "." && rest.dropFirst().first?.isNumber == true)
    }

    private static func fold(_ text: String) -> String {
        text.precomposedStringWithCompatibilityMapping
            .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .replacing(/[*_`#~]/, with: "")
            .replacing(/(\d)[,.'’](?=\d{3}(?!\d))/) { "\($0.output.1)" }
            .replacing(/(\d),(?=\d{1,2}(?!\d))/) { "\($0.output.1)." }
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension Character {
    /// Whether it belongs to words that blanks separate: a digit, or a letter of a script unlike Han, kana and Hangul.
    fileprivate var isSpelled: Bool {
        guard isLetter || isNumber else { return false }
        return !unicodeScalars.contains { (0x3040...0x9FFF).contains($0.value) || (0xAC00...0xD7A3).contains($0.value) }
    }
}
