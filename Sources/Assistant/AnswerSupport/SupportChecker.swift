package import ChatCore
package import TextAnalysis

/// Checks each sentence of an answer against the messages of its prompt.
///
/// Numbers, amounts, days, times, names, negations and order are compared exactly; the other words by their stems and,
/// with an encoder, by the vectors of their tokens. The messages' own times and zones decide what "tomorrow" means.
package struct SupportChecker: Sendable {
    private let encoder: (any TokenEncoder)?
    private let work: SupportWork?

    /// The score from which a sentence counts as supported.
    package static let threshold = 0.5
    /// How many sources are compared closely with a sentence beside those that it cites, and how many of these.
    private static let consideredCount = 4
    private static let citedCount = 6
    /// How many sources may support a sentence together.
    private static let jointCount = 3

    /// - Parameters:
    ///   - encoder: Compares words by meaning; nil compares them as they are written.
    ///   - work: Counts what is compared.
    package init(encoder: (any TokenEncoder)?, work: SupportWork? = nil) {
        (self.encoder, self.work) = (encoder, work)
    }

    /// Checks the sentences of an answer.
    ///
    /// - Parameters:
    ///   - answer: Plain text or Markdown; see ``SupportLimits`` for what is read.
    ///   - citations: Those of the answer with their places.
    ///   - sources: The messages of the prompt, those that may be cited with their numbers.
    ///   - people: Names of further people of the conversation.
    ///   - language: That of texts whose own is unknown.
    /// - Returns: The sentences in order; empty for an empty answer.
    /// - Throws: The encoder's errors, `CancellationError`.
    @concurrent
    package func check(
        answer: String, citations: [AnswerCitation], sources: [SupportSource], people: [String] = [],
        language: TextLanguage = .english
    ) async throws -> [SentenceSupport] {
        let all = AnswerSentences.of(answer, citations: citations)
        let sentences = Array(all.prefix(SupportLimits.sentenceCount))
        let sources = Array(sources.prefix(SupportLimits.sourceCount))
        let reader = SourceReader(
            answer: answer, sources: sources, people: people, language: language)
        let read = sources.enumerated().map { reader.read($1, at: $0) }
        let statements = sentences.map { reader.read($0.text) }
        let need = SourceNeed(language: reader.language)
        let needing = sentences.indices.filter {
            !sentences[$0].isCode && need.isNeeded(sentences[$0].text, statements[$0])
        }
        let vocabulary = Vocabulary(read)
        let tokens = try await likeness(of: needing.map { statements[$0] }, to: sources, read)
        var checked = all.map { sentence in
            SentenceSupport(
                range: sentence.range, needsSource: false,
                citations: sentence.citations.map {
                    CitationSupport(number: citations[$0].number, range: citations[$0].range)
                })
        }
        for (row, place) in needing.enumerated() {
            try Task.checkCancellation()
            let statement = statements[place]
            let likeness = SentenceLikeness(statement.reading, vocabulary)
            let coverages = SourceCoverage.all(
                of: statement.reading, likeness, vocabulary, read, tokens: tokens[row])
            let cited = sentences[place].citations.map { citations[$0] }
            let compared = considered(coverages, read, cited, sources)
            let comparison = Comparison(
                sentence: reader.adding(days: compared.map { read[$0].dayKey }, to: statement),
                sources: compared.map { read[$0] },
                matches: compared.map { source in
                    WordMatch(
                        likeness, vocabulary.numbers[source], tokens: tokens[row][source],
                        vocabularyCount: vocabulary.words.count)
                },
                likeness: likeness, numbers: compared.map { vocabulary.numbers[$0] })
            let own = compared.map { sources[$0] }
            checked[place] = support(of: comparison, cited, own, sentences[place].range)
            checked[place].bestSource = checked[place].bestSource.map { compared[$0] }
            work?.add(comparison.pairCount)
        }
        return checked
    }

    /// Returns the places of the cited sources, of those that resemble a sentence most, and of the questions before.
    private func considered(
        _ coverages: [Float], _ read: [ReadSource], _ cited: [AnswerCitation], _ sources: [SupportSource]
    ) -> [Int] {
        let numbers = Set(cited.map(\.number))
        let ranked = read.indices.sorted { (coverages[$1], $0) < (coverages[$0], $1) }.prefix(Self.consideredCount)
        let places = Set(ranked).union(
            sources.indices.filter { sources[$0].number.map(numbers.contains) ?? false }.prefix(Self.citedCount))
        let questions = places.filter { $0 > 0 && read[$0 - 1].reading.isQuestion }.map { $0 - 1 }
        return places.union(questions).sorted()
    }

    /// Returns the likeness of the words of each sentence to those of each source; empty lists without an encoder.
    private func likeness(
        of sentences: [ReadSentence], to sources: [SupportSource], _ read: [ReadSource]
    ) async throws -> [[[Float]]] {
        guard let encoder, !sentences.isEmpty, !sources.isEmpty else {
            return sentences.map { _ in sources.map { _ in [] } }
        }
        let texts =
            sentences.map { TokenText(text: $0.reading.text) }
            + zip(sources, read).map { TokenText(prefix: $0.senderName, text: $1.reading.text) }
        let vectors = try await encoder.tokenVectors(of: texts)
        let compared = sentences.indices.map { row in
            sources.indices.map {
                TokenLikeness(sentence: vectors[row], source: vectors[sentences.count + $0])
            }
        }
        let total = compared.joined().map(\.total).reduce(into: (sum: 0.0, count: 0)) {
            $0 = ($0.sum + $1.sum, $0.count + $1.count)
        }
        let mean = total.count == 0 ? 0 : Float(total.sum / Double(total.count))
        return compared.enumerated().map { row, sources in
            sources.enumerated().map { column, likeness in
                likeness.words(sentences[row].reading.words, read[column].reading.words, mean: mean)
            }
        }
    }

    private var model: SupportModel { encoder == nil ? .withWords : .withTokens }

    /// What some sources say about a sentence.
    private struct Judgement {
        let outcome: Comparison.Outcome
        let score: Double
        let support: Support
    }

    private func judgement(_ comparison: Comparison, of chosen: [Int]) -> Judgement {
        let outcome = comparison.outcome(of: chosen)
        let score = model.score(outcome.features)
        return Judgement(outcome: outcome, score: score, support: support(outcome, score))
    }

    private func support(_ outcome: Comparison.Outcome, _ score: Double) -> Support {
        if score >= Self.threshold { return .supported }
        if model.contradiction(outcome.features) > 1.5, outcome.features.uncovered < 0.6 { return .contradicted }
        return outcome.hasSupportedPart ? .partly : .unsupported
    }

    private func support(
        of comparison: Comparison, _ cited: [AnswerCitation], _ sources: [SupportSource], _ range: Range<Int>
    ) -> SentenceSupport {
        guard !sources.isEmpty else {
            return SentenceSupport(
                range: range, needsSource: true,
                citations: cited.map { CitationSupport(number: $0.number, range: $0.range) }, support: .unsupported,
                score: 0, reasons: [.content])
        }
        let alone = sources.indices.map { judgement(comparison, of: [$0]) }
        let ranked = sources.indices.sorted { (alone[$1].score, $0) < (alone[$0].score, $1) }
        let places = cited.compactMap { citation in sources.firstIndex { $0.number == citation.number } }
        var best = alone[ranked[0]]
        for group in [places, Array(ranked.prefix(Self.jointCount))] where Set(group).count > 1 {
            let joint = judgement(comparison, of: Array(Set(group)).sorted())
            if joint.score > best.score { best = joint }
        }
        var checked = SentenceSupport(range: range, needsSource: true, support: best.support, score: best.score)
        checked.features = best.outcome.features
        checked.reasons = best.support == .supported ? [] : best.outcome.reasons.sorted()
        if alone[ranked[0]].score >= Self.threshold { checked.bestSource = ranked[0] }
        checked.citations = cited.map { citation in
            guard let place = sources.firstIndex(where: { $0.number == citation.number }) else {
                return CitationSupport(number: citation.number, range: citation.range)
            }
            let own = alone[place]
            // One of several messages that support the sentence together supports a part of it.
            let isPart =
                best.support == .supported && own.support != .supported && own.outcome.features.uncovered < 0.6
                && checked.bestSource == nil
            return CitationSupport(
                number: citation.number, range: citation.range, support: isPart ? .partly : own.support,
                score: own.score)
        }
        return checked
    }
}

/// Reads the texts of an answer and its sources with what is known of the people and days.
struct SourceReader {
    /// The language of the answer.
    let language: TextLanguage
    private let names: NameIndex
    private let days: [DayReader]
    private let dayKeys: [Int]
    private let senders: [String: String]
    private let fallback: TextLanguage

    init(answer: String, sources: [SupportSource], people: [String], language fallback: TextLanguage) {
        self.fallback = fallback
        let guessed =
            LanguageGuess.language(of: answer)
            ?? LanguageGuess.dominant(of: sources.map { LanguageGuess.language(of: $0.text) }) ?? fallback
        language = guessed
        var senders: [String: String] = [:]
        var participants: [Participant] = []
        for name in sources.map(\.senderName) + people.prefix(200) where senders[name] == nil && !name.isEmpty {
            let id = "#\(participants.count)"
            senders[name] = id
            participants.append(Participant(id: UserID(rawValue: id), displayName: name))
        }
        self.senders = senders
        names = NameIndex(participants)
        var days: [DayReader] = []
        var known: [String: Int] = [:]
        dayKeys = sources.map { source in
            let reader =
                days.last { $0.zone == source.timeZone }.map { DayReader(moment: source.sentAt, $0) }
                ?? DayReader(moment: source.sentAt, zone: source.timeZone)
            let key = "\(source.timeZone) \(reader.today ?? 0)"
            if let place = known[key] { return place }
            known[key] = days.count
            days.append(reader)
            return days.count - 1
        }
        self.days = days
    }

    func read(_ source: SupportSource, at place: Int) -> ReadSource {
        let text = Self.beginning(of: source.text, SupportLimits.sourceByteCount)
        let key = dayKeys[place]
        let reader = days[key].moment == source.sentAt ? days[key] : DayReader(moment: source.sentAt, days[key])
        let found = reader.read(text)
        let own = LanguageGuess.language(of: text) ?? language
        let reading = TextReader(language: own, names: names).read(text, days: found)
        var days = found.days
        if let today = reader.today {
            days.append(StatedDays(range: 0..<0, spans: [today...today], isSentDay: true))
        }
        return ReadSource(
            reading: reading, days: days, sender: senders[source.senderName] ?? "", dayKey: key, place: place)
    }

    func read(_ sentence: String) -> ReadSentence {
        let text = Self.beginning(of: sentence, SupportLimits.sentenceByteCount)
        let found = days.first?.read(text) ?? .init()
        let reading = TextReader(language: language, names: names).read(text, days: found)
        return ReadSentence(reading: reading, days: [0: found.days], dayRanges: found.days.map(\.range))
    }

    /// Reads what the days of a sentence mean on further days; without days there is nothing to read.
    func adding(days keys: [Int], to sentence: ReadSentence) -> ReadSentence {
        var sentence = sentence
        for key in keys where sentence.days[key] == nil && !sentence.dayRanges.isEmpty {
            sentence.days[key] = days[key].read(sentence.reading.text).days
        }
        return sentence
    }

    /// Returns the beginning of a text, cut between two characters.
    private static func beginning(of text: String, _ byteCount: Int) -> String {
        text.utf8.count <= byteCount ? text : String(text.part(utf8: 0..<byteCount))
    }
}
