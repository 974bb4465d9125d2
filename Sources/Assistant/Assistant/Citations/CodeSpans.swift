/// Distinguishes code from text in Markdown, character by character.
///
/// It follows the part of CommonMark (https://spec.commonmark.org/0.31.2/#code-spans) that models use: spans between
/// equal runs of backticks within a line, and blocks fenced by three or more backticks at the start of a line.
struct CodeSpans: Sendable {
    /// The place of the last character read.
    enum Place: Equatable {
        /// Outside of code.
        case text
        /// After a run of this many backticks that may open a span.
        case inline(Int)
        /// In a fenced block that was opened by this many backticks; `isFirstLine` on the line of the opening fence.
        case block(Int, isFirstLine: Bool)
    }

    /// The effect of a character on a span.
    enum Change: Equatable {
        case unchanged
        /// A span ended: its content is code.
        case closed
        /// The line ended within a span, so it is not a span.
        case abandoned
    }

    /// The place of the last character read.
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
