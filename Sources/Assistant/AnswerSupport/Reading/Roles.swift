import TextAnalysis

/// The words that say which part each word has: "from", "to", "by"; particles behind it in Japanese.
enum Roles {
    /// - Returns: A word for each word; empty for one without.
    static func of(_ words: [ReadWord], claim: ClaimWords, language: TextLanguage) -> [String] {
        words.indices.map { place in
            language == .japanese ? particle(behind: place, words) : preposition(before: place, words, claim)
        }
    }

    private static func preposition(before place: Int, _ words: [ReadWord], _ claim: ClaimWords) -> String {
        for before in words[..<place].suffix(2).reversed() where before.clause == words[place].clause {
            if let role = claim.roles[before.word] { return role }
            if before.weight > 0.5 { return "" }
        }
        return ""
    }

    private static func particle(behind place: Int, _ words: [ReadWord]) -> String {
        for next in words[(place + 1)...].prefix(3) where next.isIdeographic && Script(next.word) == .hiragana {
            var rest = next.word[...]
            for honorific in honorifics where rest.hasPrefix(honorific) { rest = rest.dropFirst(honorific.count) }
            return particles.first { rest.hasPrefix($0) } ?? ""
        }
        return ""
    }

    private static let honorifics = ["さん", "くん", "ちゃん"]
    private static let particles = ["から", "まで", "に", "へ", "を", "が", "は", "と", "の"]
}
