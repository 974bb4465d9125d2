import AnswerSupport
import ChatCore
import Retrieval
import TextAnalysis

/// Checks the sentences of a complete answer against the messages that its prompt showed, and corrects its citations.
struct AnswerVerifier: Sendable {
    let mode: SupportMode
    /// The IANA name of the asker's time zone, for conversations without one.
    let timeZone: String?
    /// Whether readers already have the text: then citations are added to the list, at the ends of their sentences, and
    /// the text stays as it is.
    let keepsText: Bool
    /// Whether the prompt had summaries, too: a sentence that no message supports may be based on these.
    let hasSummaries: Bool

    private let checker = SupportChecker(encoder: nil)
    private static let leastWordCount = 6
    private static let leastAnswerWordCount = 12

    /// - Parameters:
    ///   - text: The answer.
    ///   - citations: Its citations, in order.
    ///   - shown: The messages of the prompt.
    /// - Returns: The corrected answer.
    /// - Throws: `CancellationError`.
    func check(_ text: String, _ citations: [Citation], shown: [Hit]) async throws -> CheckedText {
        let offsets = CharacterOffsets(text)
        let numbers = Dictionary(citations.map { ($0.messageKey, $0.number) }, uniquingKeysWith: { first, _ in first })
        let compared = comparable(shown, citing: numbers, in: text)
        var sources = compared.map { hit in
            SupportSource(
                text: hit.message.searchableText, senderName: hit.message.senderName, sentAt: hit.message.timestamp,
                timeZone: hit.conversation.timeZone ?? timeZone ?? "UTC", number: numbers[hit.message.key])
        }
        var sentences = try await checker.check(
            answer: text,
            citations: citations.map { AnswerCitation(number: $0.number, range: offsets.bytes(of: $0.range)) },
            sources: sources)
        leaveOpen(&sentences, sources, language: Self.language(of: text, atLeast: Self.leastAnswerWordCount))
        number(&sources, for: sentences, after: citations)
        let corrected =
            keepsText
            ? cited(text, sentences, sources)
            : renumbered(AnswerCorrection.apply(sentences, to: text, sources: sources, mode: mode)) { numbers in
                for place in sentences.indices {
                    for citation in sentences[place].citations.indices {
                        let number = sentences[place].citations[citation].number
                        sentences[place].citations[citation].number = numbers[number] ?? number
                    }
                }
                for place in sources.indices { sources[place].number = sources[place].number.flatMap { numbers[$0] } }
                return AnswerCorrection.apply(sentences, to: text, sources: sources, mode: mode)
            }
        var keys = Dictionary(citations.map { ($0.number, $0.messageKey) }, uniquingKeysWith: { first, _ in first })
        for (source, hit) in zip(sources, compared) {
            if let number = source.number { keys[number] = hit.message.key }
        }
        return described(corrected, keys)
    }

    /// The messages that are compared: those that are cited, then those that share the rarest words with the answer.
    private func comparable(_ shown: [Hit], citing numbers: [MessageKey: Int], in text: String) -> [Hit] {
        guard shown.count > SupportLimits.sourceCount else { return shown }
        let language = LanguageGuess.language(of: text) ?? .english
        let terms = shown.map { hit in
            Set(TextAnalyzer.terms(of: String(hit.message.searchableText.prefix(2_000)), language: language))
        }
        var spread: [String: Int] = [:]
        let said = Set(TextAnalyzer.terms(of: text, language: language))
        for known in terms { for term in known where said.contains(term) { spread[term, default: 0] += 1 } }
        let scores = terms.map { known in
            known.reduce(0.0) { $0 + (spread[$1].map { 1 / Double($0) } ?? 0) }
        }
        let order = shown.indices.sorted { left, right in
            let isCited = (numbers[shown[left].message.key] != nil, numbers[shown[right].message.key] != nil)
            if isCited.0 != isCited.1 { return isCited.0 }
            return (scores[right], left) < (scores[left], right)
        }
        return order.prefix(SupportLimits.sourceCount).sorted().map { shown[$0] }
    }

    /// Leaves open what cannot be compared: a sentence that seems to have no support, but is based on messages in
    /// another language or on summaries, or is in a language without word lists.
    private func leaveOpen(
        _ sentences: inout [SentenceSupport], _ sources: [SupportSource], language: TextLanguage?
    ) {
        guard let language else { return }
        let isForeign = sources.map { source in
            Self.language(of: source.text, atLeast: Self.leastWordCount).map { $0 != language } ?? false
        }
        for place in sentences.indices where sentences[place].support.map({ $0 != .supported }) ?? false {
            let cited = Set(sentences[place].citations.map(\.number))
            let own = sources.indices.filter { sources[$0].number.map(cited.contains) ?? false }
            let isOpen =
                hasSummaries || language == .other
                || (own.isEmpty ? Array(sources.indices) : own).contains { isForeign[$0] }
            guard isOpen else { continue }
            sentences[place].support = nil
            sentences[place].reasons = []
            for citation in sentences[place].citations.indices
            where sentences[place].citations[citation].support != .supported {
                sentences[place].citations[citation].support = nil
                sentences[place].citations[citation].score = nil
            }
        }
    }

    /// Returns the language of a text that has enough words to tell: "It was on Thursday" has a German word.
    private static func language(of text: String, atLeast count: Int) -> TextLanguage? {
        TextAnalyzer.tokens(of: text, language: .other).count >= count ? LanguageGuess.language(of: text) : nil
    }

    /// Gives numbers to the sources that sentences without a right citation are going to cite.
    private func number(
        _ sources: inout [SupportSource], for sentences: [SentenceSupport], after citations: [Citation]
    ) {
        var next = (citations.map(\.number).max() ?? 0) + 1
        for sentence in sentences where isToBeCited(sentence) {
            guard let best = sentence.bestSource, sources[best].number == nil else { continue }
            sources[best].number = next
            next += 1
        }
    }

    /// Whether a sentence is supported, but not by a message that it cites.
    private func isToBeCited(_ sentence: SentenceSupport) -> Bool {
        guard sentence.needsSource, sentence.support == .supported, sentence.bestSource != nil else { return false }
        return sentence.citations.allSatisfy { $0.support == .unsupported || $0.support == .contradicted }
    }

    /// Adds citations without changing the text.
    private func cited(_ text: String, _ sentences: [SentenceSupport], _ sources: [SupportSource]) -> CorrectedAnswer {
        var sentences = sentences
        for place in sentences.indices where isToBeCited(sentences[place]) {
            guard let number = sentences[place].bestSource.flatMap({ sources[$0].number }) else { continue }
            let end = sentences[place].range.upperBound
            sentences[place].citations.append(
                CitationSupport(
                    number: number, range: end..<end, support: .supported, score: sentences[place].score))
        }
        return CorrectedAnswer(
            text: text, sentences: sentences,
            citations: sentences.flatMap(\.citations).map { AnswerCitation(number: $0.number, range: $0.range) })
    }

    /// Numbers citations by their first appearance, as in every answer.
    private func renumbered(
        _ answer: CorrectedAnswer, again apply: ([Int: Int]) -> CorrectedAnswer
    ) -> CorrectedAnswer {
        var numbers: [Int: Int] = [:]
        for citation in answer.citations where numbers[citation.number] == nil {
            numbers[citation.number] = numbers.count + 1
        }
        return numbers.allSatisfy { $0.key == $0.value } ? answer : apply(numbers)
    }

    private func described(_ answer: CorrectedAnswer, _ keys: [Int: MessageKey]) -> CheckedText {
        let offsets = CharacterOffsets(answer.text)
        let citations = answer.sentences.flatMap(\.citations).compactMap { citation in
            keys[citation.number].map {
                Citation(
                    number: citation.number, messageKey: $0, range: offsets.characters(of: citation.range),
                    support: citation.support, score: citation.score)
            }
        }
        let sentences = answer.sentences.map {
            CheckedSentence(
                range: offsets.characters(of: $0.range), needsSource: $0.needsSource, support: $0.support,
                score: $0.support == nil ? nil : $0.score, reasons: $0.reasons)
        }
        return CheckedText(
            text: answer.text, citations: citations, sentences: sentences, removedCount: answer.removedCount)
    }
}
