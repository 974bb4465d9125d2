import ChatCore

/// What each source says of each fact of a sentence: found once, then put together for any group of sources.
struct FactTable {
    /// What one source says of a fact.
    struct Statements {
        /// How well it states the fact, with the words that do; nil for no word in particular.
        var stated: [(match: Float, word: FactPlaces.Place?)] = []
        /// The same, but only if the sources before it state the fact less well than ``fallbackLimit``.
        var fallback: [(match: Float, word: FactPlaces.Place?)] = []
        var fallbackLimit: Float = 0
        var rivals: [FactPlaces.Place] = []

        mutating func state(_ match: Float, _ place: FactPlaces.Place?) { stated.append((match, place)) }
    }

    private struct Row {
        let kind: FactPlaces.Kind
        let word: Int
        var isSure = true
        var sources: [Statements]
    }

    private let sentence: ReadSentence
    private let sources: [ReadSource]
    private let likeness: SentenceLikeness
    private let numbers: [[Int]]
    private var rows: [Row] = []

    /// - Parameters:
    ///   - sentence: With its days as they are meant on the days of these sources.
    ///   - sources: Those that are compared.
    ///   - likeness: The words of the sentence beside the vocabulary of all sources.
    ///   - numbers: The numbers of the words of each of these sources in the vocabulary.
    /// - Complexity: O(*f* · *g*) in the facts of the sentence and of the sources, both of which are limited.
    init(sentence: ReadSentence, sources: [ReadSource], likeness: SentenceLikeness, numbers: [[Int]]) {
        (self.sentence, self.sources, self.likeness, self.numbers) = (sentence, sources, likeness, numbers)
        for quantity in sentence.reading.quantities.prefix(room) { rows.append(row(of: quantity)) }
        for time in sentence.reading.times.prefix(room) { rows.append(row(of: time)) }
        for day in sentence.dayRanges.prefix(room) { rows.append(row(ofDay: day)) }
        for name in sentence.reading.names.prefix(room) { rows.append(row(of: name)) }
    }

    private var room: Int { SupportLimits.comparedFactCount - rows.count }

    /// Returns the facts with the places that state them in some sources; all sources may have rivals.
    func facts(of chosen: [Int]) -> [FactPlaces] {
        var facts = rows.map { row in
            var fact = FactPlaces(kind: row.kind, word: row.word)
            fact.isSure = row.isSure
            for number in chosen {
                let own = row.sources[number]
                Self.add(own.stated, to: &fact)
                if fact.match < own.fallbackLimit { Self.add(own.fallback, to: &fact) }
            }
            for own in row.sources { fact.rivals += own.rivals }
            return fact
        }
        leaveOutUsed(&facts)
        let isChosen = sources.indices.map(chosen.contains)
        for place in facts.indices {
            facts[place].hasOwnRival = facts[place].rivals.contains { isChosen[$0.source] }
        }
        return facts
    }

    private static func add(_ stated: [(match: Float, word: FactPlaces.Place?)], to fact: inout FactPlaces) {
        for (match, place) in stated {
            fact.match = max(fact.match, match)
            if let place { fact.matches.append(place) }
        }
    }

    /// Leaves out rivals that the sentence states as well.
    private func leaveOutUsed(_ facts: inout [FactPlaces]) {
        var used: [FactPlaces.Kind: Set<Int>] = [:]
        for fact in facts where fact.kind != .name {
            for place in fact.matches { used[fact.kind, default: []].insert(place.key) }
        }
        for place in facts.indices where facts[place].match > 0 {
            guard let used = used[facts[place].kind] else { continue }
            facts[place].rivals.removeAll { used.contains($0.key) }
        }
    }

    private func row(of quantity: Quantity) -> Row {
        let found = sources.indices.map { number in
            let (source, reading) = (sources[number], sources[number].reading)
            var own = Statements(fallbackLimit: 0.1)
            for other in reading.quantities {
                let place = FactPlaces.Place(source: number, word: other.word)
                if quantity.equals(other) {
                    own.state(1, place)
                } else if quantity.isOfKind(other), !other.isWeak || quantity.isWeak {
                    own.rivals.append(place)
                }
            }
            for time in reading.times where quantity.unit == nil && quantity.values == [Double(time.minute / 60)] {
                own.state(0.8, FactPlaces.Place(source: number, word: time.word))
            }
            // A digit of a day: "the 18th".
            if source.namesDay, quantity.values.first.map(source.digits.contains) ?? false {
                own.fallback.append((0.8, nil))
            }
            return own
        }
        return Row(kind: .quantity, word: quantity.word, isSure: !quantity.isWeak, sources: found)
    }

    private func row(of time: StatedTime) -> Row {
        let found = sources.indices.map { number in
            let reading = sources[number].reading
            var own = Statements()
            for other in reading.times {
                let place = FactPlaces.Place(source: number, word: other.word)
                if time.equals(other) { own.state(1, place) } else { own.rivals.append(place) }
            }
            for quantity in reading.quantities where quantity.unit == nil && time.minute % 60 == 0 {
                let hour = Double(time.minute / 60)
                guard quantity.values.contains(where: { $0 == hour || $0 == hour - 12 }) else { continue }
                own.state(0.8, FactPlaces.Place(source: number, word: quantity.word))
            }
            return own
        }
        return Row(kind: .time, word: time.word, sources: found)
    }

    private func row(ofDay range: Range<Int>) -> Row {
        let found = sources.indices.map { number in
            let source = sources[number]
            var own = Statements()
            guard let day = sentence.days[source.dayKey]?.first(where: { $0.range == range }) else { return own }
            takeWords(of: range, in: number, to: &own)
            takeNumber(of: day, in: number, to: &own)
            for other in source.days {
                let match = day.match(other)
                if match > 0 {
                    own.state(
                        other.isSentDay ? 0.8 * match : match,
                        other.isSentDay ? nil : FactPlaces.Place(source: number, word: other.word, weight: match))
                } else if !other.isSentDay {
                    own.rivals.append(.init(source: number, word: other.word))
                }
            }
            return own
        }
        return Row(kind: .day, word: sentence.reading.place(of: range.lowerBound), sources: found)
    }

    /// "There on the 2nd of August, back on the 16th": the month is said once.
    private func takeNumber(of day: StatedDays, in number: Int, to own: inout Statements) {
        guard let span = day.spans.first, span.count == 1, sources[number].namesDay else { return }
        let date = Double(Timestamp.civilDate(dayNumber: span.lowerBound).day)
        for quantity in sources[number].reading.quantities where quantity.unit == nil && quantity.values == [date] {
            own.state(0.85, FactPlaces.Place(source: number, word: quantity.word))
        }
    }

    /// "On Saturdays" says what "on Saturday" says.
    private func takeWords(of range: Range<Int>, in number: Int, to own: inout Statements) {
        let text = sentence.reading.text.part(utf8: range)
        guard !text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return }
        for (row, word) in sentence.reading.words.enumerated()
        where range.overlaps(word.range) && word.word.utf8.count >= 5 && !word.isIdeographic {
            for place in likeness.places(like: row, atLeast: 0.75, in: numbers[number]) {
                own.state(0.9, .init(source: number, word: place))
            }
        }
    }

    private func row(of name: StatedName) -> Row {
        let word = name.word
        // A German noun is no rival of the writer.
        var isNamed = name.isSure
        let found = sources.indices.map { number in
            let source = sources[number]
            let reading = source.reading
            var own = Statements(fallbackLimit: 1)
            for other in reading.names {
                if isSame(name, other, sentence.reading.words[word], reading.words[other.word]) {
                    own.state(1, .init(source: number, word: other.word))
                    isNamed = true
                } else {
                    own.rivals.append(.init(source: number, word: other.word, weight: other.isSure ? 1 : 0.8))
                }
            }
            let isOfOthers = reading.names.contains { $0.isSure && $0.name != name.name }
            let whole = FactPlaces.Place(
                source: number, word: -1,
                weight: reading.isQuestion ? 0.2 : isOfOthers || !reading.writers.isEmpty ? 0.4 : 0.7)
            let writers = reading.writers.map { FactPlaces.Place(source: number, word: $0) }
            if source.sender == name.name {
                for place in reading.isQuestion ? [whole] : writers + [whole] { own.state(1, place) }
            } else if !reading.isQuestion, isNamed {
                own.rivals += writers + (reading.names.contains(where: \.isSure) || !name.isSure ? [] : [whole])
            }
            // A name may be written without a capital in chats.
            for place in likeness.places(like: word, atLeast: 0.85, in: numbers[number]) {
                own.fallback.append((1, .init(source: number, word: place)))
            }
            return own
        }
        return Row(kind: .name, word: word, isSure: name.isSure, sources: found)
    }

    private func isSame(_ name: StatedName, _ other: StatedName, _ word: ReadWord, _ otherWord: ReadWord) -> Bool {
        name.name == other.name || WordLikeness.of(word, otherWord) >= 0.85
    }
}
