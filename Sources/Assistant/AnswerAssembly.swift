import ChatCore
import Retrieval

/// Puts an answer together while it streams.
///
/// What the model says passes an ``AnswerFilter`` first: ``text``, the deltas and the citations know its result alone.
struct AnswerAssembly: Sendable {
    /// What was found.
    let finding: Finding
    /// The hits in the order in which they were shown; the first has the number 1.
    let shown: [Hit]
    /// The text so far.
    private(set) var text = ""
    /// The citations so far.
    private(set) var citations: [Citation] = []

    private let permittedLinks: PermittedLinks
    private var filter: AnswerFilter
    private var parser: CitationParser
    private var hasRemovedLinks = false

    /// Begins an answer that may cite `shown`, and repeat the addresses in them and in the question.
    init(finding: Finding, shown: [Hit], question: String) {
        self.finding = finding
        self.shown = shown
        permittedLinks = PermittedLinks(in: [question] + shown.flatMap(\.texts))
        filter = AnswerFilter(permittedLinks: permittedLinks, sourceCount: shown.count)
        parser = CitationParser(sourceCount: shown.count)
    }

    /// The hits that were shown, with their numbers, as far as the search found them; best first.
    var shownSources: [Source] {
        shown.enumerated().filter { finding.foundKeys?.contains($1.message.key) ?? true }
            .map { Source(number: $0 + 1, hit: $1) }.sorted { $0.hit.rank < $1.hit.rank }
    }

    /// Adds text of the model, and returns what it makes known.
    mutating func take(_ delta: String) -> [AnswerEvent] {
        let passed = filter.push(delta)
        return show(passed) + events(of: parser.read(passed))
    }

    /// Ends the model's text.
    mutating func finish() -> [AnswerEvent] {
        let rest = filter.finish()
        hasRemovedLinks = hasRemovedLinks || filter.hasRemoved
        return show(rest) + events(of: parser.read(rest) + parser.finish())
    }

    /// Adds a quotation whose last `[number]` is its citation: brackets in the quoted text are none.
    mutating func quote(_ part: String, number: Int) -> [AnswerEvent] {
        var filter = AnswerFilter(permittedLinks: permittedLinks, sourceCount: nil)
        let quotation = filter.push(part) + filter.finish()
        hasRemovedLinks = hasRemovedLinks || filter.hasRemoved
        let offset = text.count
        text += quotation
        guard let range = quotation.ranges(of: "[\(number)]").last else { return [.delta(quotation)] }
        let start = offset + quotation.distance(from: quotation.startIndex, to: range.lowerBound)
        let end = offset + quotation.distance(from: quotation.startIndex, to: range.upperBound)
        return [.delta(quotation)] + events(of: [CitationParser.Mark(number: number, range: start..<end)])
    }

    /// Adds text that cites nothing.
    mutating func frame(_ frame: String) -> [AnswerEvent] {
        text += frame
        return [.delta(frame)]
    }

    /// Returns the whole answer.
    func answer(turnID: TurnID, limit: Int, usage: TokenUsage?, notices: Set<AnswerNotice>) -> Answer {
        Answer(
            turnID: turnID, text: text, sources: sources(limit: limit), citations: citations,
            noAnswerReason: finding.noAnswerReason, mode: finding.mode, generation: finding.generation,
            promptMessageKeys: shown.map(\.message.key), usage: usage,
            notices: hasRemovedLinks ? notices.union([.linksRemoved]) : notices,
            searchTrace: finding.trace)
    }

    private mutating func show(_ passed: String) -> [AnswerEvent] {
        guard !passed.isEmpty else { return [] }
        text += passed
        return [.delta(passed)]
    }

    private mutating func events(of marks: [CitationParser.Mark]) -> [AnswerEvent] {
        let found = marks.map {
            Citation(number: $0.number, messageKey: shown[$0.number - 1].message.key, range: $0.range)
        }
        citations += found
        return found.map(AnswerEvent.citation)
    }

    /// The best by rank and every one cited, ordered by rank.
    private func sources(limit: Int) -> [Source] {
        let numbers = Dictionary(
            shown.enumerated().map { ($1.message.key, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        let cited = Set(citations.map(\.messageKey))
        return finding.hits.enumerated()
            .filter { $0.offset < limit || cited.contains($0.element.message.key) }
            .map { Source(number: numbers[$0.element.message.key], hit: $0.element) }
    }
}

extension Hit {
    /// What the model is shown of it that others wrote.
    fileprivate var texts: [String] {
        [message.searchableText, message.senderName, conversation.displayName]
    }
}
