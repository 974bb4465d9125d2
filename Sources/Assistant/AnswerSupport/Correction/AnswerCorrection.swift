/// What happens to an answer whose sentences were checked.
package enum SupportMode: String, Codable, CaseIterable, Sendable {
    /// Nothing is checked.
    case off
    /// Citations are corrected; clients mark sentences without support.
    case mark
    /// Sentences without support are removed, too.
    case remove
}

/// An answer whose citations fit its sources.
package struct CorrectedAnswer: Hashable, Sendable {
    package var text: String
    /// The sentences that are left, with their ranges in ``text``; they have the citations of ``citations``.
    package var sentences: [SentenceSupport]
    /// All citations in order.
    package var citations: [AnswerCitation]
    /// How many sentences were removed.
    package var removedCount: Int

    package init(
        text: String, sentences: [SentenceSupport], citations: [AnswerCitation], removedCount: Int = 0
    ) {
        self.text = text
        self.sentences = sentences
        self.citations = citations
        self.removedCount = removedCount
    }
}

/// Corrects the citations of a checked answer, and removes sentences without support; pure.
///
/// A supported sentence loses the citations that do not support it, and gets the source that does. A sentence without
/// support keeps its citations, so that readers see what it was said to be based on. What is stated in part is kept.
package enum AnswerCorrection {
    /// - Parameters:
    ///   - sentences: What ``SupportChecker`` says of this answer.
    ///   - answer: The answer that was checked.
    ///   - sources: The same sources; only those with a number are added.
    ///   - mode: What to do; ``SupportMode/off`` returns the answer as it is.
    /// - Returns: The corrected answer.
    /// - Complexity: O(*n*) in the length of the answer.
    package static func apply(
        _ sentences: [SentenceSupport], to answer: String, sources: [SupportSource], mode: SupportMode
    ) -> CorrectedAnswer {
        var builder = AnswerBuilder(answer)
        for (place, sentence) in sentences.enumerated() {
            let isRemoved = mode == .remove && sentence.needsSource && isWithoutSupport(sentence.support)
            let end = place + 1 < sentences.count ? sentences[place + 1].range.lowerBound : builder.count
            if isRemoved {
                builder.remove(sentence.range, upTo: end)
            } else {
                builder.take(sentence, brackets: mode == .off ? kept(sentence) : corrected(sentence, sources, builder))
            }
        }
        return builder.finish()
    }

    private static func isWithoutSupport(_ support: Support?) -> Bool {
        support == .unsupported || support == .contradicted
    }

    /// The brackets of a sentence with the numbers that they hold afterwards.
    struct Bracket {
        let range: Range<Int>
        var citations: [CitationSupport]
    }

    private static func kept(_ sentence: SentenceSupport) -> [Bracket] {
        sentence.citations.reduce(into: []) { brackets, citation in
            if brackets.last?.range == citation.range {
                brackets[brackets.count - 1].citations.append(citation)
            } else {
                brackets.append(Bracket(range: citation.range, citations: [citation]))
            }
        }
    }

    private static func corrected(
        _ sentence: SentenceSupport, _ sources: [SupportSource], _ builder: AnswerBuilder
    ) -> [Bracket] {
        var brackets = kept(sentence)
        guard sentence.needsSource, sentence.support == .supported else { return brackets }
        // Each of several brackets is for a part of the sentence.
        if brackets.count > 1, brackets.contains(where: { $0.citations.contains { !isWithoutSupport($0.support) } }) {
            return brackets
        }
        for place in brackets.indices {
            brackets[place].citations.removeAll { isWithoutSupport($0.support) }
        }
        let isCited = brackets.contains { !$0.citations.isEmpty }
        guard !isCited else { return brackets }
        guard let best = sentence.bestSource, sources.indices.contains(best), let number = sources[best].number else {
            // Nothing better is known.
            return kept(sentence)
        }
        // A further column would break a table.
        if brackets.isEmpty, builder.isTableRow(sentence.range) { return [] }
        let moved = CitationSupport(
            number: number, range: brackets.first?.range ?? builder.endOfStatement(sentence.range),
            support: .supported, score: sentence.score)
        if brackets.isEmpty { return [Bracket(range: moved.range, citations: [moved])] }
        brackets[0].citations = [moved]
        return brackets
    }
}

/// Writes an answer with changed brackets, and follows where its sentences are.
struct AnswerBuilder {
    private let bytes: [UInt8]
    private var output: [UInt8] = []
    /// The end of what was written or removed.
    private var position = 0
    private var sentences: [SentenceSupport] = []
    private var citations: [AnswerCitation] = []
    private var removedCount = 0

    var count: Int { bytes.count }

    init(_ answer: String) {
        bytes = Array(answer.utf8)
    }

    /// Returns the empty range before the signs that end a sentence, where a citation is added.
    func endOfStatement(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound {
            if let width = Self.endSigns.first(where: { ends(end, with: $0) })?.count {
                end -= width
            } else {
                break
            }
        }
        return end > range.lowerBound ? end..<end : range.upperBound..<range.upperBound
    }

    private static let endSigns: [[UInt8]] = [".", "!", "?", "。", "！", "？", "…"].map { Array($0.utf8) }

    private func ends(_ end: Int, with sign: [UInt8]) -> Bool {
        end >= sign.count && bytes[(end - sign.count)..<end].elementsEqual(sign)
    }

    /// Whether a sentence is a row of a Markdown table.
    func isTableRow(_ range: Range<Int>) -> Bool {
        range.first.map { bytes[$0] == UInt8(ascii: "|") } ?? false
    }

    mutating func take(_ sentence: SentenceSupport, brackets: [AnswerCorrection.Bracket]) {
        write(upTo: sentence.range.lowerBound)
        let start = output.count
        var checked = sentence
        checked.citations = []
        for bracket in brackets where bracket.range.lowerBound >= position {
            write(upTo: bracket.range.lowerBound)
            position = bracket.range.upperBound
            guard !bracket.citations.isEmpty else {
                if output.last == 0x20 { output.removeLast() }
                continue
            }
            if bracket.range.isEmpty, let last = output.last, last != 0x20, last < 0x80 { output.append(0x20) }
            let place = output.count
            output += Array(self.text(of: bracket).utf8)
            for var citation in bracket.citations {
                citation.range = place..<output.count
                checked.citations.append(citation)
                citations.append(AnswerCitation(number: citation.number, range: citation.range))
            }
        }
        write(upTo: sentence.range.upperBound)
        checked.range = start..<output.count
        sentences.append(checked)
    }

    /// A bracket that did not change is copied with its blanks and ranges.
    private func text(of bracket: AnswerCorrection.Bracket) -> String {
        let numbers = bracket.citations.map { String($0.number) }.joined(separator: ", ")
        let isWide = !bracket.range.isEmpty && bytes[bracket.range.lowerBound] != UInt8(ascii: "[")
        return isWide ? "【\(numbers)】" : "[\(numbers)]"
    }

    /// Leaves out a sentence and the white space behind it; of a sentence that is a line, the line.
    mutating func remove(_ range: Range<Int>, upTo next: Int) {
        write(upTo: range.lowerBound)
        removedCount += 1
        let isLineStart = output.isEmpty || output.last == 0x0A
        var end = range.upperBound
        while end < next, bytes[end] == 0x20 || bytes[end] == 0x09 || bytes[end] == 0x0D { end += 1 }
        if end < bytes.count, bytes[end] == 0x0A {
            if isLineStart { end += 1 }
        } else if !isLineStart, end >= bytes.count {
            while output.last == 0x20 { output.removeLast() }
        }
        position = max(position, end)
    }

    private mutating func write(upTo end: Int) {
        guard end > position else { return }
        output += bytes[position..<min(end, bytes.count)]
        position = end
    }

    mutating func finish() -> CorrectedAnswer {
        write(upTo: bytes.count)
        return CorrectedAnswer(
            text: String(decoding: output, as: UTF8.self), sentences: sentences, citations: citations,
            removedCount: removedCount)
    }
}
