/// Tells code from text in Markdown, one character after the other.
///
/// Of CommonMark's rules (https://spec.commonmark.org/0.31.2/#code-spans) the part that models use: spans between
/// equal runs of backticks within a line, and blocks fenced by three or more backticks at the start of a line.
struct CodeSpans: Sendable {
    /// Where the last character read stands.
    enum Place: Equatable {
        /// Outside of code.
        case text
        /// After a run of so many backticks that may turn out to open a span.
        case inline(Int)
        /// In a fenced block, opened by so many backticks; `isFirstLine` on the line of the opening fence.
        case block(Int, isFirstLine: Bool)
    }

    /// What a character did to a span.
    enum Change: Equatable {
        /// Nothing.
        case unchanged
        /// A span ended: what was in it is code.
        case closed
        /// The line ended within a span: it was none.
        case abandoned
    }

    /// Where the last character read stands.
    private(set) var place = Place.text

    private var run = 0
    private var isAtLineStart = true
    private var runIsAtLineStart = false

    /// Reads one character.
    mutating func read(_ character: Character) -> Change {
        if character == "`" {
            if run == 0 { runIsAtLineStart = isAtLineStart }
            run += 1
            isAtLineStart = false
            return .unchanged
        }
        var change = endRun()
        if character.isNewline {
            isAtLineStart = true
            switch place {
            case .inline:
                place = .text
                change = .abandoned
            case .block(let length, _): place = .block(length, isFirstLine: false)
            case .text: break
            }
        } else if !character.isWhitespace {
            isAtLineStart = false
        }
        return change
    }

    /// Ends the text.
    mutating func finish() -> Change { endRun() }

    private mutating func endRun() -> Change {
        guard run > 0 else { return .unchanged }
        defer { run = 0 }
        switch place {
        case .text:
            place = run >= 3 && runIsAtLineStart ? .block(run, isFirstLine: true) : .inline(run)
        case .inline(run):
            place = .text
            return .closed
        case .block(let length, let isFirstLine) where run >= length && (runIsAtLineStart || isFirstLine):
            place = .text
        case .inline, .block: break
        }
        return .unchanged
    }
}
