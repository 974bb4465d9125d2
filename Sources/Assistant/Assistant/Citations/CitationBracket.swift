/// The text since an opening bracket, read as a possible citation.
struct CitationBracket: Sendable {
    /// The state after a further character.
    enum Reading: Equatable {
        /// It may still become a citation.
        case open
        /// It is not a citation.
        case broken
        /// It is complete, with these numbers in order, each once.
        case closed([Int])
    }

    /// The longest content that is read as a citation, in characters.
    private static let longestContent = 60

    /// The position of the bracket in the text, in characters.
    let start: Int

    private let closer: Character
    private let sourceCount: Int
    private var content = ""
    private var length = 0

    /// Begins at an opening bracket; nil when `character` is not one.
    init?(opening character: Character, at position: Int, sourceCount: Int) {
        switch character {
        case "[": closer = "]"
        case "【": closer = "】"
        default: return nil
        }
        start = position
        self.sourceCount = sourceCount
    }

    /// Reads one more character.
    mutating func read(_ character: Character) -> Reading {
        if character == closer { return numbers.map(Reading.closed) ?? .broken }
        guard length < Self.longestContent, Self.mayStandWithin(character) else { return .broken }
        content.append(character)
        length += 1
        return .open
    }

    private static func mayStandWithin(_ character: Character) -> Bool {
        isDigit(character) || isSeparator(character) || isDash(character) || character == " "
            || character == "\u{A0}"
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
    private static func isSeparator(_ character: Character) -> Bool { ",;，、".contains(character) }
    private static func isDash(_ character: Character) -> Bool { "-–".contains(character) }

    /// The numbers of existing sources; nil when the content is not a list of numbers and ranges.
    private var numbers: [Int]? {
        var numbers: [Int] = []
        for part in content.split(omittingEmptySubsequences: false, whereSeparator: Self.isSeparator) {
            let ends = part.split(omittingEmptySubsequences: false, whereSeparator: Self.isDash).map(Self.number)
            guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first <= last else {
                return nil
            }
            guard first >= 1, first <= sourceCount else { continue }
            numbers += (first...min(last, sourceCount)).filter { !numbers.contains($0) }
        }
        return numbers
    }

    private static func number(_ text: Substring) -> Int? {
        let digits = text.drop { !isDigit($0) }.prefix(while: isDigit)
        guard !digits.isEmpty, digits.count <= 4, text.filter(isDigit).count == digits.count else { return nil }
        return Int(digits)
    }
}
