package import ChatCore

/// A summary as it is measured.
package struct EvaluatedSummary: Hashable, Sendable {
    /// A citation in it.
    package struct Citation: Hashable, Sendable {
        /// Its characters in the text; several numbers may share brackets.
        package var range: Range<Int>
        /// The cited message.
        package var key: MessageKey

        package init(range: Range<Int>, key: MessageKey) {
            self.range = range
            self.key = key
        }
    }

    /// The summary.
    package var text: String
    /// Its citations, in order.
    package var citations: [Citation]
    /// Whether it says that it does not cover the whole conversation.
    package var isIncomplete: Bool

    package init(text: String, citations: [Citation], isIncomplete: Bool = false) {
        self.text = text
        self.citations = citations
        self.isIncomplete = isIncomplete
    }
}

/// One statement of a summary: a sentence, or a line that is not a sentence.
package struct SummaryStatement: Hashable, Sendable {
    /// The statement, its citations included.
    package let text: String
    /// The messages that it cites, each once.
    package let cited: [MessageKey]

    /// Returns the statements of a summary in order.
    ///
    /// Headings are left out: lines that end with a colon, begin with `#`, or are emphasized as a whole. A citation
    /// belongs to the sentence that contains or precedes it.
    package static func list(in summary: EvaluatedSummary) -> [SummaryStatement] {
        var cutter = StatementCutter(summary)
        return cutter.statements()
    }
}

/// Cuts a summary into its statements.
private struct StatementCutter {
    private let characters: [Character]
    private let citations: [EvaluatedSummary.Citation]
    private var start = 0
    private var position = 0
    private var found: [SummaryStatement] = []

    init(_ summary: EvaluatedSummary) {
        characters = Array(summary.text)
        citations = summary.citations
    }

    mutating func statements() -> [SummaryStatement] {
        while position < characters.count {
            let character = characters[position]
            position += 1
            if character.isNewline {
                close()
            } else if isEnd(character) {
                let end = passCitations(from: position)
                let isApart = end > position || end == characters.count || "。！？".contains(character)
                guard isApart else { continue }
                position = end
                close()
            }
        }
        close()
        return found
    }

    /// Whether a character ends a sentence: the full stop of `12.` and of `z. B.` does not.
    private func isEnd(_ character: Character) -> Bool {
        if "。！？!?".contains(character) { return true }
        guard character == "." else { return false }
        let word = characters[start..<(position - 1)].suffix(while: { $0.isLetter || $0.isNumber })
        return word.count > 2 && !word.allSatisfy(\.isNumber)
            || characters[start..<(position - 1)].last.map { "])%€\"”".contains($0) } == true
    }

    /// Returns the place behind the blanks and citations at a place, within the line.
    private func passCitations(from place: Int) -> Int {
        var place = place
        while place < characters.count {
            if characters[place].isWhitespace, !characters[place].isNewline {
                place += 1
            } else if let citation = citations.first(where: { $0.range.lowerBound == place }) {
                place = citation.range.upperBound
            } else {
                break
            }
        }
        return place
    }

    private mutating func close() {
        defer { start = position }
        let text = String(characters[start..<position]).trimmingWhitespace()
        var seen: Set<MessageKey> = []
        let cited = citations.filter { start <= $0.range.lowerBound && $0.range.lowerBound < position }
            .map(\.key).filter { seen.insert($0).inserted }
        let words = text.trimmingPrefix(/[-*•–\s]*/)
        let isHeading =
            text.hasPrefix("#") || text.hasSuffix(":") || text.hasSuffix("：")
            || text.wholeMatch(of: /\*\*[^*]+\*\*:?/) != nil || text.hasSuffix(":**")
        guard words.count(where: \.isLetter) >= 3, !isHeading || !cited.isEmpty else { return }
        found.append(SummaryStatement(text: text, cited: cited))
    }
}

extension ArraySlice<Character> {
    /// Returns the longest suffix whose characters all pass.
    fileprivate func suffix(while passes: (Character) -> Bool) -> ArraySlice<Character> {
        var begin = endIndex
        while begin > startIndex, passes(self[begin - 1]) { begin -= 1 }
        return self[begin...]
    }
}
