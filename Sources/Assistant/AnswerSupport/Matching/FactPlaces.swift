import ChatCore

/// Where a fact of a sentence is stated in the sources, and where another of its kind is.
struct FactPlaces {
    /// A word of a source.
    struct Place: Hashable {
        let source: Int
        /// -1 for a message as a whole: who wrote it is said nowhere in it.
        let word: Int
        /// How surely it states the fact.
        var weight: Float = 1
    }

    enum Kind { case quantity, time, day, name }

    let kind: Kind
    /// The word of the sentence.
    let word: Int
    /// How well the best source states it: 0...1.
    var match: Float = 0
    var matches: [Place] = []
    var rivals: [Place] = []
    /// Whether a source must state it.
    var isSure = true
    /// Whether one of the chosen sources has a rival.
    var hasOwnRival = false
}

extension FactPlaces {
    /// Takes a place that states the fact, if its source is one of those that count.
    mutating func state(_ match: Float, _ place: Place?, in chosen: Set<Int>) {
        if let place, !chosen.contains(place.source) { return }
        guard !chosen.isEmpty else { return }
        self.match = max(self.match, match)
        if let place { matches.append(place) }
    }
}

/// Finds the facts of a sentence in sources.
struct FactFinder {
    let sentence: ReadSentence
    let sources: [ReadSource]
    /// The numbers of the sources that may state a fact; all may have rivals of it.
    let chosen: Set<Int>

    func all() -> [FactPlaces] {
        let facts = withoutUsed(quantities()) + withoutUsed(times()) + withoutUsed(days()) + names()
        return facts.prefix(SupportLimits.comparedFactCount).map { fact in
            var fact = fact
            fact.hasOwnRival = fact.rivals.contains { chosen.contains($0.source) }
            return fact
        }
    }

    /// Leaves out rivals that the sentence states as well.
    private func withoutUsed(_ facts: [FactPlaces]) -> [FactPlaces] {
        let used = Set(facts.flatMap(\.matches).map { [$0.source, $0.word] })
        return facts.map { fact in
            var fact = fact
            if fact.match > 0 { fact.rivals.removeAll { used.contains([$0.source, $0.word]) } }
            return fact
        }
    }

    private func quantities() -> [FactPlaces] {
        sentence.reading.quantities.map { quantity in
            var fact = FactPlaces(kind: .quantity, word: sentence.reading.place(of: quantity.range.lowerBound))
            fact.isSure = !quantity.isWeak
            for number in sources.indices {
                let reading = sources[number].reading
                for other in reading.quantities {
                    let place = FactPlaces.Place(source: number, word: reading.place(of: other.range.lowerBound))
                    if quantity.equals(other) {
                        fact.state(1, place, in: chosen)
                    } else if quantity.isOfKind(other), !other.isWeak || quantity.isWeak {
                        fact.rivals.append(place)
                    }
                }
                for time in reading.times where quantity.unit == nil && quantity.values == [Double(time.minute / 60)] {
                    let place = FactPlaces.Place(source: number, word: reading.place(of: time.range.lowerBound))
                    fact.state(0.8, place, in: chosen)
                }
                // A digit of a day: "the 18th".
                if fact.match == 0, chosen.contains(number), sources[number].days.contains(where: { !$0.isSentDay }),
                    reading.words.contains(where: { Double($0.word) == quantity.values.first })
                {
                    fact.match = 0.8
                }
            }
            return fact
        }
    }

    private func times() -> [FactPlaces] {
        sentence.reading.times.map { time in
            var fact = FactPlaces(kind: .time, word: sentence.reading.place(of: time.range.lowerBound))
            for number in sources.indices {
                let reading = sources[number].reading
                for other in reading.times {
                    let place = FactPlaces.Place(source: number, word: reading.place(of: other.range.lowerBound))
                    if time.equals(other) {
                        fact.state(1, place, in: chosen)
                    } else {
                        fact.rivals.append(place)
                    }
                }
                for quantity in reading.quantities where quantity.unit == nil && time.minute % 60 == 0 {
                    guard
                        quantity.values.contains(where: {
                            $0 == Double(time.minute / 60) || $0 == Double(time.minute / 60 - 12)
                        })
                    else { continue }
                    let place = FactPlaces.Place(source: number, word: reading.place(of: quantity.range.lowerBound))
                    fact.state(0.8, place, in: chosen)
                }
            }
            return fact
        }
    }

    private func days() -> [FactPlaces] {
        sentence.dayRanges.map { range in
            var fact = FactPlaces(kind: .day, word: sentence.reading.place(of: range.lowerBound))
            for number in sources.indices {
                let source = sources[number]
                guard let day = sentence.days[source.dayKey]?.first(where: { $0.range == range }) else { continue }
                takeWords(of: range, in: number, to: &fact)
                takeNumber(of: day, in: number, to: &fact)
                for other in source.days {
                    let match = day.match(other)
                    let word = source.reading.place(of: other.range.lowerBound)
                    if match > 0 {
                        let place = FactPlaces.Place(source: number, word: word, weight: match)
                        if chosen.contains(number) {
                            fact.state(
                                other.isSentDay ? 0.8 * match : match, other.isSentDay ? nil : place, in: chosen)
                        }
                    } else if !other.isSentDay {
                        fact.rivals.append(.init(source: number, word: word))
                    }
                }
            }
            return fact
        }
    }

    /// "There on the 2nd of August, back on the 16th": the month is said once.
    private func takeNumber(of day: StatedDays, in number: Int, to fact: inout FactPlaces) {
        let reading = sources[number].reading
        guard let span = day.spans.first, span.count == 1, sources[number].days.contains(where: { !$0.isSentDay })
        else {
            return
        }
        let date = Double(Timestamp.civilDate(dayNumber: span.lowerBound).day)
        for quantity in reading.quantities where quantity.unit == nil && quantity.values == [date] {
            let place = FactPlaces.Place(source: number, word: reading.place(of: quantity.range.lowerBound))
            fact.state(0.85, place, in: chosen)
        }
    }

    /// "On Saturdays" says what "on Saturday" says.
    private func takeWords(of range: Range<Int>, in number: Int, to fact: inout FactPlaces) {
        let text = sentence.reading.text.part(utf8: range)
        guard !text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return }
        for word in sentence.reading.words where range.overlaps(word.range) && word.word.utf8.count >= 5 {
            guard !word.isIdeographic else { continue }
            for (place, other) in sources[number].reading.words.enumerated() {
                guard WordLikeness.of(word, other) >= 0.75 else { continue }
                fact.state(0.9, .init(source: number, word: place), in: chosen)
            }
        }
    }

    private func names() -> [FactPlaces] {
        sentence.reading.names.map { name in
            var fact = FactPlaces(kind: .name, word: sentence.reading.place(of: name.range.lowerBound))
            fact.isSure = name.isSure
            // A German noun is no rival of the writer.
            var isNamed = name.isSure
            for number in sources.indices {
                let source = sources[number]
                let reading = source.reading
                for other in reading.names {
                    let word = reading.place(of: other.range.lowerBound)
                    if isSame(name, other, sentence.reading.words[fact.word], reading.words[word]) {
                        fact.state(1, .init(source: number, word: word), in: chosen)
                        isNamed = true
                    } else {
                        fact.rivals.append(.init(source: number, word: word, weight: other.isSure ? 1 : 0.8))
                    }
                }
                let isOfOthers = reading.names.contains { $0.isSure && $0.name != name.name }
                let whole = FactPlaces.Place(
                    source: number, word: -1,
                    weight: reading.isQuestion ? 0.2 : isOfOthers || !reading.writers.isEmpty ? 0.4 : 0.7)
                let writers = reading.writers.map { FactPlaces.Place(source: number, word: $0) }
                if source.sender == name.name {
                    for place in reading.isQuestion ? [whole] : writers + [whole] { fact.state(1, place, in: chosen) }
                } else if !reading.isQuestion, isNamed {
                    fact.rivals += writers + (reading.names.contains(where: \.isSure) || !name.isSure ? [] : [whole])
                }
                if fact.match < 1, chosen.contains(number), !reading.words.isEmpty {
                    takeWords(like: fact.word, of: number, to: &fact)
                }
            }
            return fact
        }
    }

    /// A name may be written without a capital in chats.
    private func takeWords(like word: Int, of number: Int, to fact: inout FactPlaces) {
        let wanted = sentence.reading.words[word]
        for (place, other) in sources[number].reading.words.enumerated() {
            guard WordLikeness.of(wanted, other) >= 0.85 else { continue }
            fact.state(1, .init(source: number, word: place), in: chosen)
        }
    }

    private func isSame(_ name: StatedName, _ other: StatedName, _ word: ReadWord, _ otherWord: ReadWord) -> Bool {
        name.name == other.name || WordLikeness.of(word, otherWord) >= 0.85
    }
}
