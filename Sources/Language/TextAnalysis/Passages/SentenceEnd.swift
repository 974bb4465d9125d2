/// Determines whether a sentence has just ended, character by character.
///
/// White space is not passed in; the text after it decides whether an end counts, see ``TextBreaks``.
struct SentenceEnd {
    /// Whether the last character ends a sentence, or closes a quotation or bracket after one that does.
    private(set) var isReached = false
    /// Whether the next sentence may follow without a space.
    private(set) var needsNoSpace = false
    /// Whether the last character is an ideograph or of a syllabary.
    private(set) var lastIsIdeograph = false
    /// The letters, digits and dots since the last other character.
    private var word = ""

    /// Takes a character that is no white space.
    mutating func take(_ sign: SignClass, isFirstOfWord: Bool) {
        if isFirstOfWord { word = "" }
        lastIsIdeograph = sign.isIdeograph
        switch sign.role {
        case .closer: return
        case .dot:
            isReached = word.hasSuffix(".") || !Self.isAbbreviation(word)
            needsNoSpace = false
        case .spacedEnd: (isReached, needsNoSpace) = (true, false)
        case .unspacedEnd: (isReached, needsNoSpace) = (true, true)
        case .none: (isReached, needsNoSpace) = (false, false)
        }
        if sign.role == .dot || sign.isLetterOrNumber {
            // No abbreviation is longer.
            if word.utf8.count < 32 { word.append(sign.character) }
        } else {
            word = ""
        }
    }

    /// Whether a dot after `word` ends no sentence: initials, `z.B.`, ordinals and numbers of lists, titles.
    private static func isAbbreviation(_ word: String) -> Bool {
        let parts = word.split(separator: ".")
        guard let first = parts.first else { return false }
        if parts.count > 1 { return parts.allSatisfy { $0.count <= 2 } }
        if first.allSatisfy(\.isNumber) { return first.count <= 2 }
        return (first.count == 1 && !(first.first?.isIdeograph ?? false)) || abbreviations.contains(first.lowercased())
    }

    private static let abbreviations = Language.all.map(\.abbreviations)
        .reduce(NeighbourLanguage.all.reduce(into: Set()) { $0.formUnion($1.abbreviations) }) { $0.union($1) }
}
