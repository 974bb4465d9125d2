import ChatCore
import TextAnalysis

/// A text with its words, and with the facts that can be compared exactly.
struct TextReading: Sendable {
    let text: String
    let language: TextLanguage
    let words: [ReadWord]
    private(set) var quantities: [Quantity]
    private(set) var times: [StatedTime]
    private(set) var names: [StatedName]
    /// The places of words that negate, in words.
    let negations: [Int]
    /// The places of words that are said not to be the case: behind "instead of", "not".
    let rejected: Set<Int>
    /// The places of words by which the writer means herself.
    let writers: [Int]
    /// The sides of ``ClaimWords/opposites`` by place.
    let sides: [Int: [Int]]
    /// The places of words that imply a negation: "cancelled".
    let implied: Set<Int>
    /// Whether the text says who wrote or said something.
    let hasReport: Bool
    /// What is earlier than something else.
    let order: EventOrder
    /// The word that says which part each word has, see ``Roles``.
    let roles: [String]
    /// Whether each word joins others: "and".
    let isJoint: [Bool]

    /// Whether nothing but a question is in it.
    var isQuestion: Bool { !words.isEmpty && words.allSatisfy(\.isAsked) }

    /// Finds the words of its facts.
    mutating func placeFacts() {
        for place in quantities.indices { quantities[place].word = self.place(of: quantities[place].range.lowerBound) }
        for place in times.indices { times[place].word = self.place(of: times[place].range.lowerBound) }
        for place in names.indices { names[place].word = self.place(of: names[place].range.lowerBound) }
    }

    /// Returns the place of the word at or before an offset in UTF-8 bytes.
    func place(of offset: Int) -> Int {
        var (low, high) = (0, words.count)
        while low < high {
            let middle = (low + high) / 2
            if words[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return min(low, max(words.count - 1, 0))
    }
}

/// Reads texts in one language, with the names of the people known.
struct TextReader: Sendable {
    let language: TextLanguage
    let names: NameIndex
    private let words: ClaimWords
    private let sides: [String: [Int]]

    init(language: TextLanguage, names: NameIndex) {
        (self.language, self.names) = (language, names)
        words = ClaimWords.of(language)
        sides = ClaimWords.sides(of: language)
    }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: At most ``SupportLimits/sourceByteCount`` bytes.
    ///   - days: Its days and spoken times, whose digits are no quantities.
    /// - Returns: Its words and facts in order.
    func read(_ text: String, days: DayReader.Found) -> TextReading {
        let tokens = TextAnalyzer.tokens(of: text, language: language)
        var times = ClockReader(text: text).all()
        let written = RangeSet8(times.map(\.range))
        times += days.times.filter { !written.overlaps($0.range) }
        let taken = days.days.map(\.range) + times.map(\.range)
        let numbers = QuantityReader(text: text, tokens: tokens, words: words, language: language)
            .all(except: taken)
        let read = WordReader(text: text, tokens: tokens, words: words, language: language)
            .all(numbers: numbers.map(\.range) + taken)
        let negations = Negations(text: text, words: read, claim: words, language: language)
        var reading = TextReading(
            text: text, language: language, words: read,
            quantities: Array(numbers.prefix(SupportLimits.factCount)),
            times: Array(times.prefix(SupportLimits.factCount)),
            names: Array(
                StatedNames(text: text, words: read, language: language).all(names).prefix(SupportLimits.factCount)),
            negations: negations.places, rejected: negations.rejected,
            writers: read.indices.filter { words.writer.contains(read[$0].word) },
            sides: opposites(read, text), implied: implied(read, text), hasReport: hasReport(read, text),
            order: EventOrder(words: read, claim: words, language: language),
            roles: Roles.of(read, claim: words, language: language),
            isJoint: read.map { words.numberJoints.contains($0.word) })
        reading.placeFacts()
        return reading
    }

    private func opposites(_ read: [ReadWord], _ text: String) -> [Int: [Int]] {
        var found: [Int: [Int]] = [:]
        if language == .japanese {
            let finder = PhraseFinder(text: text, words: read)
            for (phrase, sides) in sides {
                for place in finder.places(of: phrase) { found[place, default: []] += sides }
            }
        } else {
            for place in read.indices { if let sides = sides[read[place].word] { found[place] = sides } }
        }
        return found
    }

    private func implied(_ read: [ReadWord], _ text: String) -> Set<Int> {
        guard language == .japanese else {
            return Set(read.indices.filter { words.impliedNegations.contains(read[$0].word) })
        }
        let finder = PhraseFinder(text: text, words: read)
        return Set(words.impliedNegations.flatMap(finder.places))
    }

    private func hasReport(_ read: [ReadWord], _ text: String) -> Bool {
        if language == .japanese { return words.reports.contains { text.contains($0) } }
        return read.contains { words.reports.contains($0.word) }
    }
}

/// Finds phrases in texts without blanks.
struct PhraseFinder {
    private let bytes: [UInt8]
    private let words: [ReadWord]

    init(text: String, words: [ReadWord]) {
        bytes = Array(text.utf8)
        self.words = words
    }

    /// Returns the places of the words at which a phrase begins.
    func places(of phrase: String) -> [Int] {
        let wanted = Array(phrase.utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else { return [] }
        var places: [Int] = []
        var word = 0
        for start in 0...(bytes.count - wanted.count) where bytes[start] == first {
            guard bytes[start..<start + wanted.count].elementsEqual(wanted) else { continue }
            while word < words.count, words[word].range.upperBound <= start { word += 1 }
            if word < words.count { places.append(word) }
        }
        return places
    }
}
