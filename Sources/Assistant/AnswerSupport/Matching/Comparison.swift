/// Compares a sentence with sources.
struct Comparison {
    let sentence: ReadSentence
    let sources: [ComparedSource]
    let contexts: FactContexts
    let clauses: SentenceClauses
    private let facts: FactTable
    /// What each source says of the order of events.
    let events: [Events]

    var words: [ReadWord] { sentence.reading.words }

    /// - Parameters:
    ///   - sentence: With its days as they are meant on the days of these sources.
    ///   - sources: Those that are compared closely.
    ///   - matches: The sentence beside each of them.
    ///   - likeness: The words of the sentence beside the vocabulary of all sources.
    ///   - numbers: The numbers of the words of each source in the vocabulary.
    init(
        sentence: ReadSentence, sources: [ReadSource], matches: [WordMatch], likeness: SentenceLikeness,
        numbers: [[Int]]
    ) {
        self.sentence = sentence
        let clauses = SentenceClauses(sentence)
        self.clauses = clauses
        self.sources = zip(sources, matches).map { ComparedSource($0, $1, beside: clauses) }
        contexts = FactContexts(sentence.reading, self.sources)
        events = self.sources.map { Self.events(of: sentence.reading, in: $0) }
        facts = FactTable(sentence: sentence, sources: sources, likeness: likeness, numbers: numbers)
    }

    /// The pairs of words that were compared so far.
    var pairCount: Int { contexts.pairCount + sources.reduce(0) { $0 + words.count * $1.match.count } }

    /// What was compared, and the reasons that follow from it.
    struct Outcome {
        var features = SupportFeatures()
        var reasons: Set<SupportReason> = []
        /// Whether a part of the sentence is stated as it is.
        var hasSupportedPart = false
    }

    /// - Parameter chosen: The sources that count together; one or more.
    /// - Returns: The features of these sources together.
    func outcome(of chosen: [Int]) -> Outcome {
        var outcome = Outcome()
        let facts = facts.facts(of: chosen)
        let strengths = strengths(chosen, facts)
        cover(&outcome, strengths, chosen)
        check(facts, strengths, chosen, &outcome)
        compareNegations(chosen, &outcome)
        compareRejections(chosen, &outcome)
        outcome.features.reversed = reversed(facts)
        outcome.features.negatedShare = negatedShare(chosen)
        outcome.features.asked = asked(chosen)
        compareOrder(facts, chosen, &outcome)
        let isElsewhere = [
            outcome.features.rejection, outcome.features.reversed, outcome.features.swapped, outcome.features.misplaced,
            outcome.features.otherPerson - 0.25, outcome.features.negation - 0.8,
        ].contains { $0 > 0 }
        // A fact at another place confirms nothing.
        if isElsewhere { outcome.features.confirmed = 0 }
        if outcome.features.reversed > 0.5 { outcome.reasons.insert(.order) }
        return outcome
    }

    /// Returns how well each word is resembled by the best word of the sources.
    private func strengths(_ chosen: [Int], _ facts: [FactPlaces]) -> [Float] {
        var best = words.indices.map { row in chosen.reduce(Float(0)) { max($0, sources[$1].match.best[row]) } }
        for fact in facts where fact.kind == .name {
            if fact.match == 1 { best[fact.word] = 1 }
            // Another name resembles it only as a name.
            if fact.match == 0, fact.isSure { best[fact.word] = 0 }
        }
        return best
    }

    private func cover(_ outcome: inout Outcome, _ strengths: [Float], _ chosen: [Int]) {
        let counted = clauses.counted
        let total = counted.reduce(Float(0)) { $0 + words[$1].weight }
        guard total > 0 else {
            (outcome.features.uncovered, outcome.features.weakest, outcome.features.scattered) = (0, 0, 0)
            return
        }
        let covered = counted.reduce(Float(0)) { $0 + words[$1].weight * strengths[$1] }
        outcome.features.uncovered = Double(1 - covered / total)
        let telling = counted.filter { words[$0].weight >= 0.5 }.map { strengths[$0] }.sorted()
        let lowest = telling.prefix(max(1, telling.count / 3))
        if !lowest.isEmpty { outcome.features.weakest = Double(1 - lowest.reduce(0, +) / Float(lowest.count)) }
        // One word that no source has among words that they have: "the red folder" for the blue one.
        let isForeign = outcome.features.weakest > 0.8 && outcome.features.uncovered < 0.3
        outcome.features.foreign =
            isForeign ? (outcome.features.weakest - 0.8) * 5 * (1 - outcome.features.uncovered / 0.3) : 0
        outcome.features.scattered = Double(1 - (chosen.map { sources[$0].bestClauseShare }.max() ?? 0))
        if outcome.features.weakest > 0.6 { outcome.reasons.insert(.content) }
        let parts = parts(strengths)
        outcome.features.weakPart = Double(1 - (parts.min() ?? 1))
        outcome.hasSupportedPart = parts.contains { $0 >= 0.7 }
    }

    /// Returns which share of each part of the sentence the sources resemble.
    private func parts(_ strengths: [Float]) -> [Float] {
        var clauses: [Int: (covered: Float, total: Float)] = [:]
        for (place, word) in words.enumerated() where word.weight > 0 {
            clauses[word.segment, default: (0, 0)].covered += word.weight * strengths[place]
            clauses[word.segment, default: (0, 0)].total += word.weight
        }
        return clauses.values.filter { $0.total >= 1 }.map { $0.covered / $0.total }
    }

    // MARK: Facts

    private func check(_ facts: [FactPlaces], _ strengths: [Float], _ chosen: [Int], _ outcome: inout Outcome) {
        for fact in facts {
            let weight = fact.isSure ? 1 : 0.4
            if fact.kind == .name {
                if fact.match == 0, fact.isSure {
                    outcome.features.unknownNames += 1
                    outcome.reasons.insert(.name)
                }
            } else if fact.match == 0 {
                if !fact.hasOwnRival {
                    outcome.features.missing += weight
                } else {
                    outcome.features.conflicts += weight
                    outcome.reasons.insert(fact.kind.reason)
                }
            }
            if fact.match > 0, fact.isSure, fact.kind != .name {
                outcome.features.confirmed = min(outcome.features.confirmed + 0.5, 1)
            }
            guard fact.match > 0, !fact.rivals.isEmpty, !fact.matches.isEmpty else { continue }
            if fact.kind == .name, sentence.reading.hasReport, isSender(fact, chosen) { continue }
            let advantage = Double(
                contexts.context(of: fact, fact.rivals) - contexts.context(of: fact, fact.matches))
            if fact.kind == .name {
                let surplus = max(0, advantage - Self.personNoise) * (fact.isSure ? 1 : 0.85)
                outcome.features.otherPerson = max(outcome.features.otherPerson, surplus)
                if surplus > 0.1 { outcome.reasons.insert(.name) }
            } else {
                // Small differences say nothing: other facts are beside the same words.
                let surplus = min(1, max(0, advantage - Self.factNoise) * 5)
                outcome.features.misplaced = max(outcome.features.misplaced, surplus)
                if surplus > 0.2 { outcome.reasons.insert(fact.kind.reason) }
            }
        }
    }

    /// Advantages of other people and facts that sentences which are supported have, too.
    private static let personNoise = 0.05
    private static let factNoise = 0.25

    private func isSender(_ fact: FactPlaces, _ chosen: [Int]) -> Bool {
        sentence.reading.names.contains { name in
            sentence.reading.place(of: name.range.lowerBound) == fact.word
                && chosen.contains { sources[$0].source.sender == name.name }
        }
    }

    /// Returns whether facts are in another order than in a source: 1 if those of one kind are and those of another are
    /// not, or there is only one kind; 0.5 for names alone, whose order a passive turns round.
    private func reversed(_ facts: [FactPlaces]) -> Double {
        var signs: [FactPlaces.Kind: Int] = [:]
        for (place, first) in facts.enumerated() where first.match > 0 && first.isSure {
            for second in facts[(place + 1)...] where second.kind == first.kind && second.match > 0 && second.isSure {
                guard let one = first.matches.first, let two = second.matches.first, one.source == two.source,
                    one.word >= 0, two.word >= 0, one.word != two.word, first.word != second.word
                else { continue }
                signs[first.kind, default: 0] += (one.word < two.word) == (first.word < second.word) ? 1 : -1
            }
        }
        let isReversed = signs.values.contains { $0 < 0 }
        guard isReversed else { return 0 }
        if signs.values.contains(where: { $0 > 0 }) { return 1 }
        return signs.count > 1 ? 0 : signs[.name] != nil ? 0.5 : 1
    }
}

extension FactPlaces.Kind {
    var reason: SupportReason {
        switch self {
        case .quantity: .number
        case .time: .time
        case .day: .date
        case .name: .name
        }
    }
}
