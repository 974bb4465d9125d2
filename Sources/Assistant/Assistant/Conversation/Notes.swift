import ChatCore
import Prompting

/// A language model's notes on a part of a conversation: statements, each with its citations.
struct Notes: Equatable {
    /// One statement per line; `[n]` cites the n-th of ``cited``.
    private(set) var text: String
    /// The cited numbers, each once, as shown in the prompt from 1.
    private(set) var cited: [Int]

    /// Reads a reply.
    ///
    /// Links, HTML and numbers that were not shown are removed, and so are lines without a citation and the last line
    /// of a reply that was cut off. Nil when nothing is left: the reply was empty, a refusal, or without basis.
    ///
    /// - Parameters:
    ///   - reply: The text of the model.
    ///   - isWhole: Whether it is complete.
    ///   - sourceCount: The number of shown messages; they are numbered from 1.
    ///   - permittedLinks: The addresses that are kept.
    ///   - lineLimit: The most statements that are kept.
    init?(reply: String, isWhole: Bool, sourceCount: Int, permittedLinks: PermittedLinks, lineLimit: Int) {
        var filter = AnswerFilter(permittedLinks: permittedLinks, sourceCount: sourceCount)
        let passed = filter.push(reply) + filter.finish()
        var lines = passed.split { $0.isNewline }.map { String($0).trimmingWhitespace() }
        if !isWhole { lines = lines.dropLast() }
        let statements = lines.compactMap { CitedLine($0, sourceCount: sourceCount) }.prefix(lineLimit)
        guard !statements.isEmpty else { return nil }
        var numbers: [Int: Int] = [:]
        cited = []
        text = ""
        for statement in statements {
            for case .citation(let number) in statement.pieces where numbers[number] == nil {
                cited.append(number)
                numbers[number] = cited.count
            }
            text += (text.isEmpty ? "" : "\n") + statement.text { numbers[$0] }
        }
    }
}

/// A text in which `[n]` are citations.
struct CitedLine: Equatable {
    /// Words and citations in order; the place of a citation is its number here.
    let pieces: [SummaryText.Piece]

    /// Reads a text; nil when it has no citation, or only citations.
    init?(_ text: String, sourceCount: Int) {
        var parser = CitationParser(sourceCount: sourceCount)
        let marks = parser.read(text) + parser.finish()
        let characters = Array(text)
        var pieces: [SummaryText.Piece] = []
        var position = 0
        for mark in marks {
            if mark.range.lowerBound > position {
                pieces.append(.text(String(characters[position..<mark.range.lowerBound])))
            }
            pieces.append(.citation(mark.number))
            position = max(position, mark.range.upperBound)
        }
        if position < characters.count { pieces.append(.text(String(characters[position...]))) }
        let hasWords = pieces.contains { piece in
            if case .text(let text) = piece { text.contains { $0.isLetter || $0.isNumber } } else { false }
        }
        guard !marks.isEmpty, hasWords else { return nil }
        self.pieces = pieces
    }

    /// Returns the text with other citation numbers.
    func text(_ number: (Int) -> Int?) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .citation(let old): number(old).map { "[\($0)]" } ?? ""
            }
        }.joined()
    }
}

extension SpanSummary {
    /// Returns the text with each citation as the place of its message; citations without a place are left out.
    func pieces(_ place: (MessageID) -> Int?) -> [SummaryText.Piece] {
        text.split(separator: "\n").enumerated().flatMap { offset, line -> [SummaryText.Piece] in
            let start: [SummaryText.Piece] = offset == 0 ? [] : [.text("\n")]
            // Line by line, as it was written: an open code span in one line must not affect the next.
            guard let cited = CitedLine(String(line), sourceCount: citedIDs.count) else { return [] }
            return start
                + cited.pieces.compactMap { piece in
                    guard case .citation(let number) = piece else { return piece }
                    // bounded: 1 to the number of cited ids
                    return place(citedIDs[number - 1]).map { .citation($0) }
                }
        }
    }
}
