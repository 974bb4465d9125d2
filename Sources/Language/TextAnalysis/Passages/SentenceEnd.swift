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
    mutating func take(_ character: Character, isFirstOfWord: Bool) {
        if isFirstOfWord { word = "" }
        lastIsIdeograph = character.isIdeograph
        if Self.closers.contains(character) { return }
        switch character {
        case ".":
            isReached = word.hasSuffix(".") || !Self.isAbbreviation(word)
            needsNoSpace = false
        case _ where Self.spaced.contains(character): (isReached, needsNoSpace) = (true, false)
        case _ where Self.unspaced.contains(character): (isReached, needsNoSpace) = (true, true)
        default: (isReached, needsNoSpace) = (false, false)
        }
        if character == "." || character.isLetter || character.isNumber {
            // No abbreviation is longer.
            if word.utf8.count < 32 { word.append(character) }
        } else {
            word = ""
        }
    }

    /// Whether a character belongs to a sentence that has ended: another sign, or the end of a quotation.
    static func continues(_ character: Character) -> Bool {
        character == "." || closers.contains(character) || spaced.contains(character) || unspaced.contains(character)
    }

    private static let closers: Set<Character> = [
        "\"", "'", "”", "’", "“", "»", "«", ")", "]", "}", "」", "』", "】", "》", "）", "*", "_", "~",
    ]
    private static let spaced: Set<Character> = ["!", "?", "…", "؟", "۔", "։", "‼", "⁉", "⁈"]
    private static let unspaced: Set<Character> = ["。", "！", "？", "｡", "।", "॥", "።", "။", "។"]

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

extension Character {
    /// Whether its script is written without spaces and may be divided at any of its characters.
    var isIdeograph: Bool {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x2E80 else { return false }
        return !(0xAC00...0xD7A3).contains(scalar.value) && CharacterFolding.isIdeograph(scalar)
    }
}
