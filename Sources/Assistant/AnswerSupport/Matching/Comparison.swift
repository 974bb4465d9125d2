/// Compares a sentence with sources.
struct Comparison {
    let sentence: ReadSentence
    let sources: [ReadSource]
    /// The sentence beside each source.
    let matches: [WordMatch]

    private var words: [ReadWord] { sentence.reading.words }

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
        let facts = FactFinder(sentence: sentence, sources: sources, chosen: Set(chosen)).all()
        let strengths = strengths(chosen, facts)
        cover(&outcome, strengths, chosen)
        check(facts, strengths, chosen, &outcome)
        compareNegations(chosen, &outcome)
        compareRejections(chosen, &outcome)
        outcome.features.reversed = reversed(facts)
        outcome.features.negatedShare = negatedShare(chosen)
        outcome.features.asked = asked(chosen)
        let isElsewhere = [
            outcome.features.rejection, outcome.features.reversed, outcome.features.misplaced,
            outcome.features.otherPerson - 0.25,
        ].contains { $0 > 0 }
        // A fact at another place confirms nothing.
        if isElsewhere { outcome.features.confirmed = 0 }
        if outcome.features.reversed > 0.5 { outcome.reasons.insert(.order) }
        return outcome
    }

    /// Returns how well each word is resembled by the best word of the sources.
    private func strengths(_ chosen: [Int], _ facts: [FactPlaces]) -> [Float] {
        var best = words.indices.map { row in chosen.reduce(Float(0)) { max($0, matches[$1].best(row)) } }
        for fact in facts where fact.kind == .name {
            if fact.match == 1 { best[fact.word] = 1 }
            // Another name resembles it only as a name.
            if fact.match == 0, fact.isSure { best[fact.word] = 0 }
        }
        return best
    }

    private func cover(_ outcome: inout Outcome, _ strengths: [Float], _ chosen: [Int]) {
        let counted = words.indices.filter { words[$0].weight > 0 }
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
        let clauses = chosen.flatMap { number in coverages(of: counted, in: number).map(\.1) }
        outcome.features.scattered = Double(1 - (clauses.max() ?? 0))
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

    /// Returns which share of some words of the sentence each clause of a source resembles.
    private func coverages(of rows: [Int], in number: Int) -> [(clause: Int, Float)] {
        let reading = sources[number].reading
        let total = rows.reduce(Float(0)) { $0 + words[$1].weight }
        guard total > 0, let last = reading.words.last else { return [] }
        var best = [Float](repeating: 0, count: (last.clause + 1) * rows.count)
        for (column, word) in reading.words.enumerated() {
            for (index, row) in rows.enumerated() {
                let place = word.clause * rows.count + index
                best[place] = max(best[place], matches[number][row, column])
            }
        }
        return (0...last.clause).map { clause in
            var sum: Float = 0
            for (index, row) in rows.enumerated() { sum += words[row].weight * best[clause * rows.count + index] }
            return (clause, sum / total)
        }
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
            } else if fact.kind == .day, fact.match < 0.8 {
                outcome.features.inexact += Double(1 - fact.match)
            }
            if fact.match > 0, fact.isSure, fact.kind != .name {
                outcome.features.confirmed = min(outcome.features.confirmed + 0.5, 1)
            }
            guard fact.match > 0, !fact.rivals.isEmpty, !fact.matches.isEmpty else { continue }
            if fact.kind == .name, sentence.reading.hasReport, isSender(fact, chosen) { continue }
            let advantage = Double(context(of: fact, fact.rivals) - context(of: fact, fact.matches))
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
                && chosen.contains { sources[$0].sender == name.name }
        }
    }

    /// Returns how well the words around a place of the sources resemble those around a fact: 0...1.
    private func context(of fact: FactPlaces, _ places: [FactPlaces.Place]) -> Float {
        let segment = words[fact.word].segment
        var rows: [(row: Int, weight: Float)] = []
        var total: Float = 0
        for (row, word) in words.enumerated() where row != fact.word {
            let isNumber = word.weight == 0 && isDigits(word.word)
            guard word.weight >= 0.2 || isNumber else { continue }
            let distance = Float((row - fact.word).magnitude)
            let weight = (isNumber ? 0.8 : word.weight) * (word.segment == segment ? 1 : 0.25) / (1 + distance / 6)
            rows.append((row, weight))
            total += weight
        }
        guard total > 0 else { return 0 }
        var best: Float = 0
        for place in places.prefix(24) {
            let reading = sources[place.source].reading
            if place.word < 0 {
                var sum: Float = 0
                for (row, weight) in rows {
                    sum += weight * max(matches[place.source].best(row), answered(row, place.source))
                }
                best = max(best, 0.6 * place.weight * sum / total)
                continue
            }
            guard reading.words.indices.contains(place.word) else { continue }
            let own = reading.words[place.word]
            let window = max(0, place.word - 24)..<min(reading.words.count, place.word + 25)
            var sum: Float = 0
            for (row, weight) in rows {
                var strongest: Float = 0
                for column in window where column != place.word {
                    let word = reading.words[column]
                    let distance = Float((column - place.word).magnitude)
                    let share: Float = word.segment == own.segment ? 1 : word.clause == own.clause ? 0.7 : 0.45
                    let likeness =
                        words[row].weight > 0
                        ? matches[place.source][row, column] : word.word == words[row].word ? 1 : 0
                    strongest = max(strongest, likeness * share / (1 + distance / 8))
                }
                sum += weight * max(strongest, 0.6 * answered(row, place.source))
            }
            best = max(best, place.weight * sum / total)
        }
        return best
    }

    private func isDigits(_ word: String) -> Bool { word.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Returns how well a word resembles one of the question that a message answers: the message right before it.
    private func answered(_ row: Int, _ source: Int) -> Float {
        guard source > 0, sources[source - 1].place + 1 == sources[source].place,
            sources[source - 1].reading.isQuestion, !sources[source].reading.isQuestion
        else { return 0 }
        return matches[source - 1].best(row)
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

    // MARK: Negation

    private func compareNegations(_ chosen: [Int], _ outcome: inout Outcome) {
        for pair in aligned(chosen) {
            let source = sources[pair.source].reading
            let columns = source.words.indices.filter { source.words[$0].clause == pair.clause }
            let rows = words.indices.filter { pair.clauses.contains(words[$0].clause) }
            let own = negation(sentence.reading, rows) { row in
                columns.contains { matches[pair.source][row, $0] > 0.9 }
            }
            let other = negation(source, columns) { column in rows.contains { matches[pair.source][$0, column] > 0.9 } }
            let isOpposite = pair.clauses.contains { self.isOpposite($0, pair.source, pair.clause) }
            let (isDenied, otherIsNegated) = (own.isNegated, other.isNegated)
            // "Broken" denies nothing of a clause that hardly speaks of the same.
            let isSoft = own.isExplicit == other.isExplicit && pair.share < 0.7
            if isDenied != otherIsNegated, !isOpposite, !isSoft || hasOpposite(rows, source, columns) {
                outcome.features.negation = max(outcome.features.negation, pair.share)
                if pair.share > 0.5 { outcome.reasons.insert(.negation) }
            }
            if isOpposite, isDenied == otherIsNegated {
                outcome.features.opposite = max(outcome.features.opposite, pair.share)
                outcome.reasons.insert(.opposite)
            }
        }
    }

    /// A clause of a source and those of the sentence that resemble it most.
    private struct AlignedClauses {
        let source: Int
        let clause: Int
        var clauses: [Int]
        var share: Double
    }

    private func aligned(_ chosen: [Int]) -> [AlignedClauses] {
        var pairs: [AlignedClauses] = []
        let clauses = Dictionary(grouping: words.indices.filter { words[$0].weight > 0.1 }) { words[$0].clause }
        for (clause, all) in clauses.sorted(by: { $0.key < $1.key }) {
            // What is said of a thing does not find it.
            let things = all.filter { sentence.reading.sides[$0] == nil && !sentence.reading.implied.contains($0) }
            let rows = things.isEmpty ? all : things
            var best: (source: Int, clause: Int, share: Float)?
            for number in chosen {
                for (other, share) in coverages(of: rows, in: number) where share > best?.share ?? 0.25 {
                    best = (number, other, share)
                }
            }
            guard var best else { continue }
            if things.count < all.count {
                best.share = coverages(of: all, in: best.source).first { $0.clause == best.clause }?.1 ?? best.share
            }
            if let place = pairs.firstIndex(where: { $0.source == best.source && $0.clause == best.clause }) {
                pairs[place].clauses.append(clause)
                pairs[place].share = max(pairs[place].share, Double(best.share))
            } else {
                pairs.append(
                    AlignedClauses(
                        source: best.source, clause: best.clause, clauses: [clause], share: Double(best.share)))
            }
        }
        return pairs
    }

    /// Whether words are negated, or one of them implies it and the other side does not have it.
    private func negation(
        _ reading: TextReading, _ places: [Int], isShared: (Int) -> Bool
    ) -> (isNegated: Bool, isExplicit: Bool) {
        let isExplicit = reading.negations.contains(where: places.contains)
        let isImplied = reading.implied.contains { places.contains($0) && !isShared($0) }
        return (isExplicit != isImplied, isExplicit)
    }

    private func hasOpposite(_ rows: [Int], _ source: TextReading, _ columns: [Int]) -> Bool {
        let given = Set(columns.flatMap { source.sides[$0] ?? [] })
        return rows.contains { (sentence.reading.sides[$0] ?? []).contains { given.contains(-$0) } }
    }

    /// The clauses that are negated by a word of their own, and those that are negated in sum.
    private func negatedClauses(
        _ reading: TextReading, isShared: (Int) -> Bool
    ) -> (explicit: Set<Int>, all: Set<Int>) {
        let explicit = Set(reading.negations.map { reading.words[$0].clause })
        let implied = reading.implied.filter { !isShared($0) }.map { reading.words[$0].clause }
        return (explicit, explicit.symmetricDifference(implied))
    }

    /// Returns the share of words whose likest words are all negated while they are not, or the reverse.
    private func negatedShare(_ chosen: [Int]) -> Double {
        let negated = negatedClauses(sentence.reading) { row in chosen.contains { matches[$0].best(row) > 0.9 } }
        let others = chosen.map { number in
            negatedClauses(sources[number].reading) { column in
                words.indices.contains { matches[number][$0, column] > 0.9 }
            }
        }
        var (differing, total): (Float, Float) = (0, 0)
        for (row, word) in words.enumerated() where word.weight >= 0.5 {
            total += word.weight
            var (same, other): (Float, Float) = (0, 0)
            for (number, clauses) in zip(chosen, others) {
                let reading = sources[number].reading
                for (column, candidate) in reading.words.enumerated() {
                    let strength = matches[number][row, column]
                    let isSame =
                        clauses.all.contains(candidate.clause) == negated.all.contains(word.clause)
                        || clauses.explicit.contains(candidate.clause) == negated.explicit.contains(word.clause)
                    if isSame {
                        same = max(same, strength)
                    } else {
                        other = max(other, strength)
                    }
                }
            }
            if other > 0.6, other > same + 0.25 { differing += word.weight }
        }
        return total == 0 ? 0 : Double(differing / total)
    }

    /// Returns the share of words that only questions of the sources resemble.
    private func asked(_ chosen: [Int]) -> Double {
        var (asked, total): (Float, Float) = (0, 0)
        for (row, word) in words.enumerated() where word.weight >= 0.5 {
            total += word.weight
            var (stated, best): (Float, Float) = (0, 0)
            for number in chosen {
                for (column, candidate) in sources[number].reading.words.enumerated() {
                    let strength = matches[number][row, column]
                    if candidate.isAsked { best = max(best, strength) } else { stated = max(stated, strength) }
                }
            }
            if best > 0.6, best > stated + 0.25 { asked += word.weight }
        }
        return total == 0 ? 0 : Double(asked / total)
    }

    /// Whether a clause of the sentence has a word whose opposite a clause of a source has instead.
    private func isOpposite(_ clause: Int, _ number: Int, _ other: Int) -> Bool {
        let source = sources[number].reading
        // A word that implies a negation was counted as one.
        let given = Set(
            source.sides.filter { source.words[$0.key].clause == other && !source.implied.contains($0.key) }
                .flatMap(\.value))
        return sentence.reading.sides.contains { place, sides in
            guard words[place].clause == clause, !sentence.reading.implied.contains(place) else { return false }
            let isThere = source.words.indices.contains {
                source.words[$0].clause == other && matches[number][place, $0] > 0.94
            }
            return !isThere && sides.contains { given.contains(-$0) && !given.contains($0) }
        }
    }

    private func isRejected(_ row: Int) -> Bool { sentence.reading.rejected.contains(row) }

    private func compareRejections(_ chosen: [Int], _ outcome: inout Outcome) {
        let negated = chosen.map { number in
            Set(sources[number].reading.negations.map { sources[number].reading.words[$0].clause })
        }
        for (row, word) in words.enumerated() where word.weight >= 0.5 || word.weight == 0 && isFact(row) {
            var (accepted, rejected) = (false, false)
            for (number, clauses) in zip(chosen, negated) {
                let reading = sources[number].reading
                for (column, other) in reading.words.enumerated() {
                    let isSame = word.weight > 0 ? matches[number][row, column] > 0.9 : other.word == word.word
                    guard isSame else { continue }
                    let isDenied = clauses.contains(other.clause)
                    if reading.rejected.contains(column) || isDenied { rejected = true }
                    if !reading.rejected.contains(column), !isDenied || !isRejected(row) { accepted = true }
                }
            }
            if isRejected(row) ? accepted && !rejected : rejected && !accepted {
                outcome.features.rejection += 1
            }
        }
        outcome.features.rejection = min(outcome.features.rejection, 2)
    }

    private func isFact(_ row: Int) -> Bool {
        words[row].word.utf8.contains { (0x30...0x39).contains($0) }
            || sentence.dayRanges.contains { $0.overlaps(words[row].range) }
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
