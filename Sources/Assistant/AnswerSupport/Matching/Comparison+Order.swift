import TextAnalysis

extension Comparison {
    /// Compares what comes first, who does it to whom, and which number belongs to what.
    func compareOrder(_ facts: [FactPlaces], _ chosen: [Int], _ outcome: inout Outcome) {
        let isSame = chosen.contains { events[$0].isSame }
        let isReversed = !isSame && chosen.contains { events[$0].isTurned }
        if isReversed || isTurned(facts, outcome) || isExchanged(facts) { outcome.features.swapped = 1 }
        if isSame {
            // "A before B" says what "B after A" says.
            outcome.features.opposite = 0
            outcome.reasons.remove(.opposite)
            outcome.features.confirmed = min(outcome.features.confirmed + 0.5, 1)
        }
        if outcome.features.swapped > 0 { outcome.reasons.insert(.order) }
    }

    // MARK: Events

    /// What a source says of the order of events in the sentence.
    struct Events {
        var isSame = false
        var isTurned = false
    }

    static func events(of sentence: TextReading, in source: ComparedSource) -> Events {
        var events = Events()
        for own in sentence.order.pairs {
            for other in source.reading.order.pairs {
                guard let isOpposite = relation(own, other, sentence, source) else { continue }
                let one = min(
                    likeness(own.early, other.early, but: other.late, source.match),
                    likeness(own.late, other.late, but: other.early, source.match))
                let two = min(
                    likeness(own.early, other.late, but: other.early, source.match),
                    likeness(own.late, other.early, but: other.late, source.match))
                let (same, turned) = isOpposite ? (two, one) : (one, two)
                if same > 0.7, same > turned { events.isSame = true }
                if turned > 0.7, turned > same { events.isTurned = true }
            }
        }
        return events
    }

    /// Returns whether two pairs say opposite things of their words: "faster" and "slower"; nil if they say nothing
    /// that can be compared.
    private static func relation(
        _ own: EventOrder.Pair, _ other: EventOrder.Pair, _ sentence: TextReading, _ source: ComparedSource
    ) -> Bool? {
        guard let key = own.key, let otherKey = other.key else {
            return own.key == nil && other.key == nil ? false : nil
        }
        let reading = source.reading
        if sentence.words[key].word == reading.words[otherKey].word || source.match[key, otherKey] > 0.9 {
            return false
        }
        let given = Set(reading.sides[otherKey] ?? [])
        return (sentence.sides[key] ?? []).contains { given.contains(-$0) } ? true : nil
    }

    /// Returns how alike the likest words are, without those that another group resembles as much.
    private static func likeness(
        _ rows: [Int], _ columns: [Int], but others: [Int], _ match: WordMatch
    ) -> Float {
        return rows.reduce(0) { best, row in
            let own = columns.reduce(Float(0)) { max($0, match[row, $1]) }
            let other = others.reduce(Float(0)) { max($0, match[row, $1]) }
            return own > other ? max(best, own) : best
        }
    }

    // MARK: Roles

    /// Whether two facts have each other's part: "from 9 to 10" for "from 10 to 9", "Ada gave Ben" for "Ben gave Ada".
    private func isTurned(_ facts: [FactPlaces], _ outcome: Outcome) -> Bool {
        for (place, first) in facts.enumerated() where first.match > 0 && !first.matches.isEmpty {
            for second in facts[(place + 1)...]
            where second.kind == first.kind && second.match > 0 && second.word != first.word {
                var (same, turned) = (false, false)
                for one in first.matches.prefix(6) where one.word >= 0 {
                    for two in second.matches.prefix(6)
                    where two.source == one.source && two.word >= 0 && two.word != one.word {
                        switch roles(first.word, second.word, one, two, first.kind, outcome) {
                        case true?: turned = true
                        case false?: same = true
                        case nil: break
                        }
                    }
                }
                if turned, !same { return true }
            }
        }
        return false
    }

    /// Returns whether the roles of two facts are turned round; nil if nothing can be said.
    private func roles(
        _ first: Int, _ second: Int, _ one: FactPlaces.Place, _ two: FactPlaces.Place, _ kind: FactPlaces.Kind,
        _ outcome: Outcome
    ) -> Bool? {
        let source = sources[one.source].reading
        let (own, other) = (
            (sentence.reading.roles[first], sentence.reading.roles[second]),
            (source.roles[one.word], source.roles[two.word])
        )
        if own.0 != own.1 {
            if own == other { return false }
            return own.0 == other.1 && own.1 == other.0 ? true : nil
        }
        // "Ada gave Ben the key" has no word for the roles, so that the order says them.
        guard kind == .name, own.0.isEmpty, other.0.isEmpty, other.1.isEmpty, outcome.features.uncovered < 0.15,
            !sentence.reading.isList(first, second), !source.isList(one.word, two.word),
            source.words[one.word].clause == source.words[two.word].clause,
            words[first].clause == words[second].clause
        else { return nil }
        return (first < second) != (one.word < two.word)
    }

    // MARK: Numbers

    /// Whether two numbers belong to each other's words: "12 for A, 9 for B".
    private func isExchanged(_ facts: [FactPlaces]) -> Bool {
        let facts = facts.filter { $0.kind != .name && $0.match >= 0.8 }.prefix(Self.pairedFactCount)
        for (place, first) in facts.enumerated() {
            for second in facts.dropFirst(place + 1) where second.kind == first.kind {
                guard words[first.word].segment != words[second.word].segment,
                    let one = first.matches.first, let two = second.matches.first(where: { $0.source == one.source })
                else { continue }
                let source = sources[one.source]
                guard source.reading.words[one.word].segment != source.reading.words[two.word].segment else { continue }
                let same = around(first.word, one, source) + around(second.word, two, source)
                let exchanged = around(first.word, two, source) + around(second.word, one, source)
                if exchanged > same + 0.4 { return true }
            }
        }
        return false
    }

    /// Returns how well the segment of a place resembles the words of a fact's segment.
    private func around(_ fact: Int, _ place: FactPlaces.Place, _ source: ComparedSource) -> Float {
        let given = source.reading.words
        let columns = Self.near(place.word, given)
        var (sum, count): (Float, Float) = (0, 0)
        for row in Self.near(fact, words) where row != fact {
            let isLetter = words[row].weight == 0 && words[row].isCapitalised && words[row].letters.count == 1
            guard words[row].weight > 0.5 || isLetter else { continue }
            count += 1
            sum += columns.reduce(0) { best, column in
                max(
                    best,
                    isLetter ? words[row].word == given[column].word ? 1 : 0 : source.match[row, column])
            }
        }
        return count > 0 ? sum / count : 0
    }

    /// Facts whose words are compared in pairs.
    private static let pairedFactCount = 6
    /// Words before and behind a number that belong to it.
    private static let reach = 8

    private static func near(_ place: Int, _ words: [ReadWord]) -> [Int] {
        guard words.indices.contains(place) else { return [] }
        return (max(0, place - reach)..<min(words.count, place + reach + 1)).filter {
            words[$0].segment == words[place].segment
        }
    }
}

extension TextReading {
    /// Whether nothing but "and" is between two words.
    func isList(_ first: Int, _ second: Int) -> Bool {
        let between = min(first, second) + 1..<max(first, second)
        guard between.count <= 3 else { return false }
        return between.allSatisfy { isJoint[$0] } || language == .japanese && between.count <= 1
            || between.contains { isJoint[$0] } && between.count <= 2
    }
}
