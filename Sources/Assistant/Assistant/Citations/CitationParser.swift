/// Finds citations in an answer while it arrives.
///
/// A citation is `[1]`, `[1, 2]` (also with `;`, `，`, `、`), a range `[1-3]`, or the same in `【 】`; blanks are allowed
/// inside. The content of a bracket is a citation as a whole or not at all; numbers without a source are ignored. A
/// bracket after a word counts (models write `Friday[1]`), one after a backslash does not. Text between backticks and
/// in fenced blocks does not count, so that code such as `a[1]` is left alone. A backtick that is not closed on its
/// line does not begin code.
///
/// The parser holds no text back. It reads at most one character behind the input, because a later scalar may join the
/// last character. The result does not depend on how the text is split.
package struct CitationParser: Sendable {
    /// A number used in the text.
    package struct Mark: Hashable, Sendable {
        /// The number of a source.
        package let number: Int
        /// The characters of the text that form the citation, brackets included.
        package let range: Range<Int>

        package init(number: Int, range: Range<Int>) {
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
    /// - Parameter sourceCount: The number of sources; they are numbered from 1.
    package init(sourceCount: Int) {
        self.sourceCount = sourceCount
    }

    /// The start of text that may still become part of a citation; nil when there is none.
    ///
    /// The text before it is final.
    var openPosition: Int? {
        if let mark = marksInCode.first { return mark.range.lowerBound }
        if let bracket { return bracket.start }
        return unread == "[" || unread == "【" ? position : nil
    }

    /// Reads more text, and returns the citations that it completes, in order.
    package mutating func read(_ delta: String) -> [Mark] {
        unread += delta
        guard let last = unread.indices.last else { return [] }
        let settled = unread[..<last]
        unread = String(unread[last])
        return settled.flatMap { read($0) }
    }

    /// Reads the rest, and returns the citations that the end completes.
    package mutating func finish() -> [Mark] {
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
