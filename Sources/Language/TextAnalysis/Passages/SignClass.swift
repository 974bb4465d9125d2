/// What of a character decides where a text may be divided.
///
/// Reading these properties costs far more than using them, so those of ASCII are read once.
struct SignClass {
    /// What a sign does to a sentence.
    enum Role {
        case none, dot
        /// It closes a quotation or a bracket, and does not change whether a sentence has ended.
        case closer
        /// It ends a sentence, and white space follows.
        case spacedEnd
        /// It ends a sentence, and the next one may follow at once.
        case unspacedEnd
    }

    let character: Character
    let role: Role
    let isWhitespace: Bool
    let isNewline: Bool
    let isLowercase: Bool
    let isLetterOrNumber: Bool
    let isPunctuation: Bool
    let isIdeograph: Bool

    init(_ character: Character) {
        self.character = character
        role = Self.role(of: character)
        (isWhitespace, isNewline) = (character.isWhitespace, character.isNewline)
        (isLowercase, isLetterOrNumber) = (character.isLowercase, character.isLetter || character.isNumber)
        (isPunctuation, isIdeograph) = (character.isPunctuation, character.isIdeograph)
    }

    private static func role(of character: Character) -> Role {
        if character == "." { return .dot }
        if closers.contains(character) { return .closer }
        if spaced.contains(character) { return .spacedEnd }
        return unspaced.contains(character) ? .unspacedEnd : .none
    }

    private static let closers: Set<Character> = [
        "\"", "'", "”", "’", "“", "»", "«", ")", "]", "}", "」", "』", "】", "》", "）", "*", "_", "~",
    ]
    private static let spaced: Set<Character> = ["!", "?", "…", "؟", "۔", "։", "‼", "⁉", "⁈"]
    private static let unspaced: Set<Character> = ["。", "！", "？", "｡", "।", "॥", "።", "။", "።"]

    /// Those of ASCII, by value.
    private static let ascii = (UInt8(0)..<128).map { SignClass(Character(Unicode.Scalar($0))) }

    /// Visits the characters of a text with their UTF-8 offsets.
    ///
    /// - Complexity: O(*n*).
    static func forEach(of text: String, _ body: (SignClass, _ offset: Int) -> Void) {
        let (bytes, ascii) = (text.utf8, ascii)
        var (index, offset) = (text.startIndex, 0)
        while index < text.endIndex {
            let (byte, next) = (bytes[index], bytes.index(after: index))
            // Two values of ASCII are two characters, but for the end of a line.
            if byte < 0x80, byte != 0x0D, next == text.endIndex || bytes[next] < 0x80 {
                body(ascii[Int(byte)], offset)
                (index, offset) = (next, offset + 1)
            } else {
                let character = text[index]
                body(SignClass(character), offset)
                (index, offset) = (text.index(after: index), offset + character.utf8.count)
            }
        }
    }
}

extension Character {
    /// Whether its script is written without spaces and may be divided at any of its characters.
    var isIdeograph: Bool {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x2E80 else { return false }
        return !(0xAC00...0xD7A3).contains(scalar.value) && CharacterFolding.isIdeograph(scalar)
    }
}
