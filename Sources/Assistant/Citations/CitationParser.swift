/// Finds citations in an answer as it arrives.
///
/// A citation is `[1]`, `[1, 2]` (also with `;`, `，`, `、`), a span `[1-3]`, or the same in `【 】`; blanks may stand
/// within. What is in brackets is a citation as a whole or not at all; of its numbers those count that sources have.
/// A bracket after a word counts (models write `Friday[1]`), one after a backslash does not. Between backticks and in
/// fenced blocks nothing counts, so that code such as `a[1]` is left alone; a backtick that is not closed on its line
/// is no code.
///
/// The parser never holds text back: it reads along, at most one character behind, because what follows may still
/// join the last one. However the text is split, it finds the same.
public struct CitationParser: Sendable {
    /// A number used in the text.
    public struct Mark: Hashable, Sendable {
        /// The number of a source.
        public let number: Int
        /// Which characters of the text are the citation, brackets included.
        public let range: Range<Int>

        public init(number: Int, range: Range<Int>) {
            self.number = number
            self.range = range
        }
    }

    private let sourceCount: Int
    private var unread = ""
    private var position = 0
    private var previous: Character?
    private var bracket: CitationBracket?
    private var code = CodeSpans()
    private var marksInCode: [Mark] = []

    /// Starts at the beginning of an answer.
    ///
    /// - Parameter sourceCount: The sources have the numbers from 1 to this.
    public init(sourceCount: Int) {
        self.sourceCount = sourceCount
    }

    /// Where the text begins that may still become part of a citation; nil when there is none.
    ///
    /// What stands before it is settled.
    var openPosition: Int? {
        if let mark = marksInCode.first { return mark.range.lowerBound }
        if let bracket { return bracket.start }
        return unread == "[" || unread == "【" ? position : nil
    }

    /// Reads on, and returns the citations that are complete now, in order of the text.
    public mutating func read(_ delta: String) -> [Mark] {
        unread += delta
        guard let last = unread.indices.last else { return [] }
        let settled = unread[..<last]
        unread = String(unread[last])
        return settled.flatMap { read($0) }
    }

    /// Reads what is left, and returns the citations that the end completes.
    public mutating func finish() -> [Mark] {
        var marks = unread.flatMap { read($0) }
        unread = ""
        if code.finish() == .closed { marksInCode = [] }
        marks += marksInCode
        marksInCode = []
        return marks
    }

    private mutating func read(_ character: Character) -> [Mark] {
        var marks: [Mark] = []
        switch code.read(character) {
        case .closed: marksInCode = []
        case .abandoned:
            marks = marksInCode
            marksInCode = []
        case .unchanged: break
        }
        let found = readBracket(character)
        switch code.place {
        case .text: marks += found
        case .inline: marksInCode += found
        case .block: break
        }
        previous = character
        position += 1
        return marks
    }

    private mutating func readBracket(_ character: Character) -> [Mark] {
        if let opened = CitationBracket(opening: character, at: position, sourceCount: sourceCount) {
            bracket = previous == "\\" ? nil : opened
            return []
        }
        switch bracket?.read(character) {
        case .open?, nil: return []
        case .broken?:
            bracket = nil
            return []
        case .closed(let numbers)?:
            let range = (bracket?.start ?? position)..<position + 1
            bracket = nil
            return numbers.map { Mark(number: $0, range: range) }
        }
    }
}
