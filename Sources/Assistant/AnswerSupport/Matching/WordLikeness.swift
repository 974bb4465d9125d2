/// How alike two words are as they are written.
enum WordLikeness {
    /// - Returns: 1 for the same stem, 0 for words that have nothing in common.
    static func of(_ left: ReadWord, _ right: ReadWord) -> Float {
        if left.stem == right.stem || left.word == right.word { return 1 }
        guard left.isIdeographic == right.isIdeographic else { return 0 }
        return left.isIdeographic ? ideographs(left.scalars, right.scalars) : letters(left, right)
    }

    /// Which share of the wanted characters is given.
    private static func ideographs(_ wanted: [Unicode.Scalar], _ given: [Unicode.Scalar]) -> Float {
        if wanted.count == 1 { return given.count <= 3 && given.contains(wanted[0]) ? 0.7 : 0 }
        var found = 0
        for place in 0..<(wanted.count - 1) {
            let isFound = (0..<max(given.count - 1, 0)).contains {
                given[$0] == wanted[place] && given[$0 + 1] == wanted[place + 1]
            }
            if isFound { found += 1 }
        }
        let share = Float(found) / Float(wanted.count - 1)
        if share == 1 { return 0.95 }
        let single = wanted.filter { given.contains($0) }.count
        return max(0.85 * share, 0.5 * Float(single) / Float(wanted.count))
    }

    private static func letters(_ word: ReadWord, _ other: ReadWord) -> Float {
        if word.hasDigit || other.hasDigit { return 0 }
        let (left, right) = (word.letters, other.letters)
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        if short.count == 3, long.suffix(4).elementsEqual("days".utf8) || long.suffix(3).elementsEqual("day".utf8) {
            return long.starts(with: short) ? 0.9 : 0
        }
        guard short.count >= 4 else { return 0 }
        var prefix = 0
        while prefix < short.count, short[prefix] == long[prefix] { prefix += 1 }
        // "Beginn" and "beginnt", "Versicherung" and "versichert".
        if prefix >= 4, Double(prefix) >= 0.7 * Double(long.count) { return 0.9 }
        // "Fußball" and "Fußballtraining", "Winterreifen" and "Reifen".
        if prefix == short.count || long.suffix(short.count).elementsEqual(short) { return 0.75 }
        if short.count >= 5, long.count - short.count <= 1, isTypo(short, long) { return 0.85 }
        return prefix >= 5 ? 0.6 : 0
    }

    /// Whether one letter differs, is missing, or two are swapped.
    private static func isTypo(_ short: [UInt8], _ long: [UInt8]) -> Bool {
        var start = 0
        while start < short.count, short[start] == long[start] { start += 1 }
        if short.count < long.count { return short[start...].elementsEqual(long[(start + 1)...]) }
        guard start + 1 < short.count else { return true }
        if short[(start + 1)...].elementsEqual(long[(start + 1)...]) { return true }
        return short[start] == long[start + 1] && short[start + 1] == long[start]
            && short[(start + 2)...].elementsEqual(long[(start + 2)...])
    }
}
