import ChatCore
import Retrieval

/// Puts an answer together while it streams.
///
/// The model's text passes an ``AnswerFilter`` first: ``text``, the deltas and the citations contain only filtered
/// text.
struct AnswerAssembly: Sendable {
    let finding: Finding
    /// The hits in the order in which they were shown: the model cites them by their places, from 1.
    let shown: [Hit]
    private(set) var text = ""
    private(set) var citations: [Citation] = []
    private(set) var sentences: [CheckedSentence]?

    private let permittedLinks: PermittedLinks
    private var filter: AnswerFilter
    private var numbering: CitationNumbering
    private var hasRemovedLinks = false

    /// Begins an answer that may cite `shown`, and repeat the addresses in them and in the question.
    init(finding: Finding, shown: [Hit], question: String) {
        self.finding = finding
        self.shown = shown
        permittedLinks = PermittedLinks(in: [question] + shown.flatMap(\.texts))
        filter = AnswerFilter(permittedLinks: permittedLinks, sourceCount: shown.count)
        numbering = CitationNumbering(sourceCount: shown.count)
    }

    /// The hits that were shown and that the search found, best first; none is cited yet.
    var shownSources: [Source] {
        shown.filter { finding.foundKeys?.contains($0.message.key) ?? true }
            .map { finding.source($0) }.sorted { $0.hit.rank < $1.hit.rank }
    }

    /// The most messages that an answer without citations lists.
    private static let givenLimit = 100

    /// The hits that were shown: those that the search found, then the newest of a conversation.
    private var given: [Hit] {
        let isFound = { (hit: Hit) in finding.foundKeys?.contains(hit.message.key) ?? true }
        let others = shown.filter { !isFound($0) }.sorted { $0.rank > $1.rank }
        return Array((shown.filter(isFound) + others).prefix(Self.givenLimit))
    }

    /// Adds text of the model and returns the resulting events.
    mutating func take(_ delta: String) -> [AnswerEvent] {
        show(numbering.read(filter.push(delta)))
    }

    /// Ends the model's text.
    mutating func finish() -> [AnswerEvent] {
        let rest = filter.finish()
        hasRemovedLinks = hasRemovedLinks || filter.hasRemoved
        return show(numbering.read(rest)) + show(numbering.finish())
    }

    /// Adds a quotation whose last `[place]` is its citation; brackets inside the quoted text do not count.
    mutating func quote(_ part: String, place: Int) -> [AnswerEvent] {
        var filter = AnswerFilter(permittedLinks: permittedLinks, sourceCount: nil)
        let quotation = filter.push(part) + filter.finish()
        hasRemovedLinks = hasRemovedLinks || filter.hasRemoved
        guard let cited = quotation.ranges(of: "[\(place)]").last else { return frame(quotation) }
        let number = numbering.number(of: place)
        let start = text.count + quotation.distance(from: quotation.startIndex, to: cited.lowerBound)
        let mark = CitationNumbering.Mark(place: place, number: number, range: start..<start + "[\(number)]".count)
        let numbered = quotation[..<cited.lowerBound] + "[\(number)]" + quotation[cited.upperBound...]
        return show((String(numbered), [mark]))
    }

    /// Takes the text whose sentences were checked.
    mutating func replace(with checked: CheckedText) {
        (text, citations, sentences) = (checked.text, checked.citations, checked.sentences)
    }

    /// Adds text without citations.
    mutating func frame(_ frame: String) -> [AnswerEvent] {
        text += frame
        return [.delta(frame)]
    }

    /// Whether it has text without a citation.
    var isUncited: Bool { citations.isEmpty && !text.trimmingWhitespace().isEmpty }

    func answer(turnID: TurnID, limit: Int, usage: TokenUsage?, notices: Set<AnswerNotice>) -> Answer {
        var answer = Answer(
            turnID: turnID, text: text,
            sources: sources(limit: limit, listsShown: notices.contains(.uncited)), citations: citations,
            noAnswerReason: finding.noAnswerReason, mode: finding.mode, generation: finding.generation,
            promptMessageKeys: shown.map(\.message.key), usage: usage,
            notices: hasRemovedLinks ? notices.union([.linksRemoved]) : notices,
            searchTrace: finding.trace)
        answer.sentences = sentences
        return answer
    }

    private mutating func show(_ passed: (text: String, marks: [CitationNumbering.Mark])) -> [AnswerEvent] {
        text += passed.text
        let found = passed.marks.map {
            Citation(number: $0.number, messageKey: shown[$0.place - 1].message.key, range: $0.range)
        }
        citations += found
        return (passed.text.isEmpty ? [] : [.delta(passed.text)]) + found.map(AnswerEvent.citation)
    }

    /// The best sources by rank and every cited one, or every one that the model was shown, ordered by rank.
    private func sources(limit: Int, listsShown: Bool) -> [Source] {
        let listed = Set(listsShown ? given.map(\.message.key) : [])
        let numbers = Dictionary(
            citations.map { ($0.messageKey, $0.number) }, uniquingKeysWith: { first, _ in first })
        return finding.hits.enumerated()
            .filter { offset, hit in
                offset < limit || numbers[hit.message.key] != nil || listed.contains(hit.message.key)
            }
            .map { _, hit in finding.source(hit, number: numbers[hit.message.key]) }
    }
}

extension Hit {
    /// The texts by other people that the model is shown in this hit.
    fileprivate var texts: [String] {
        [message.searchableText, message.senderName, conversation.displayName]
    }
}
