/// What one source says of a sentence, whichever others count beside it: computed once for all groups of sources.
struct ComparedSource {
    let source: ReadSource
    let match: WordMatch
    /// The likeness of each word of the source to the best word of the sentence.
    let columnBest: [Float]
    /// The words of each clause of the source.
    let clauses: [Range<Int>]
    /// The likeness of each word of the sentence to the best word of each clause, clause by clause.
    private let clauseBest: [Float]
    private let rowCount: Int
    /// Which share of the sentence the best clause resembles.
    let bestClauseShare: Float
    /// The clauses with a negating word.
    let negated: Set<Int>
    /// The sides of words by clause, and those of words that imply no negation.
    let allSides: [Int: Set<Int>]
    let sides: [Int: Set<Int>]
    /// The places of words that imply a negation, by clause.
    let implied: [Int: [Int]]
    /// The likeness of each word of the sentence to the best word that is stated, and that is in a question.
    let statedBest: [Float]
    let askedBest: [Float]
    /// Whether each word of the sentence is stated as it is, and whether it is rejected.
    let accepted: [Bool]
    let rejected: [Bool]
    /// The clause that resembles each clause of the sentence most.
    let aligned: [Int: Aligned]

    /// A clause of the source beside one of the sentence.
    struct Aligned {
        let clause: Int
        /// How much of the things of the sentence's clause it resembles.
        let share: Float
        /// How much of all of it.
        let fullShare: Float
    }

    var reading: TextReading { source.reading }

    init(_ source: ReadSource, _ match: WordMatch, beside sentence: SentenceClauses) {
        (self.source, self.match, rowCount) = (source, match, sentence.words.count)
        let reading = source.reading
        let clauses = SentenceClauses.ranges(of: reading.words)
        (clauseBest, columnBest) = Self.best(match, clauses, rowCount)
        self.clauses = clauses
        let negated = Set(reading.negations.map { reading.words[$0].clause })
        self.negated = negated
        (allSides, sides) = Self.sides(of: reading)
        implied = Dictionary(grouping: reading.implied) { reading.words[$0].clause }
        (statedBest, askedBest) = Self.best(of: reading, clauses, clauseBest, rowCount)
        (accepted, rejected) = Self.statements(sentence, reading, match, negated)
        let best = clauseBest
        let rowCount = rowCount
        func shares(of rows: [Int]) -> [Float] {
            let total = rows.reduce(Float(0)) { $0 + sentence.words[$1].weight }
            guard total > 0 else { return [] }
            return clauses.indices.map { clause in
                var sum: Float = 0
                for row in rows { sum += sentence.words[row].weight * best[clause * rowCount + row] }
                return sum / total
            }
        }
        bestClauseShare = shares(of: sentence.counted).max() ?? 0
        var aligned: [Int: Aligned] = [:]
        for own in sentence.compared {
            let found = shares(of: own.things)
            guard let share = found.max(), share > 0.25 else { continue }
            let alike = found.indices.filter { found[$0] == share }
            // Of clauses with the same things the one with the same days and numbers.
            let facts = alike.map { clause in
                clauses[clause].count { !reading.words[$0].word.isEmpty && own.facts.contains(reading.words[$0].word) }
            }
            let clause = alike[facts.firstIndex(of: facts.max() ?? 0) ?? 0]
            let full = own.things.count < own.all.count ? shares(of: own.all) : found
            aligned[own.clause] = Aligned(
                clause: clause, share: share, fullShare: full.indices.contains(clause) ? full[clause] : share)
        }
        self.aligned = aligned
    }

    /// How alike a word of the sentence is to the best word of a clause.
    func best(_ row: Int, inClause clause: Int) -> Float { clauseBest[clause * rowCount + row] }

    private static func best(
        _ match: WordMatch, _ clauses: [Range<Int>], _ rowCount: Int
    ) -> (clauses: [Float], columns: [Float]) {
        var best = [Float](repeating: 0, count: clauses.count * rowCount)
        var columns = [Float](repeating: 0, count: match.count)
        for row in 0..<rowCount where match.best[row] > 0 {
            for (clause, range) in clauses.enumerated() {
                var highest: Float = 0
                for column in range {
                    let value = match[row, column]
                    highest = max(highest, value)
                    columns[column] = max(columns[column], value)
                }
                best[clause * rowCount + row] = highest
            }
        }
        return (best, columns)
    }

    private static func sides(of reading: TextReading) -> (all: [Int: Set<Int>], [Int: Set<Int>]) {
        var all: [Int: Set<Int>] = [:]
        var stated: [Int: Set<Int>] = [:]
        for (place, own) in reading.sides {
            all[reading.words[place].clause, default: []].formUnion(own)
            guard !reading.implied.contains(place) else { continue }
            stated[reading.words[place].clause, default: []].formUnion(own)
        }
        return (all, stated)
    }

    private static func best(
        of reading: TextReading, _ clauses: [Range<Int>], _ clauseBest: [Float], _ rowCount: Int
    ) -> (stated: [Float], asked: [Float]) {
        var stated = [Float](repeating: 0, count: rowCount)
        var asked = stated
        for (clause, range) in clauses.enumerated() {
            guard let first = range.first else { continue }
            // The words of a clause are in one sentence.
            let isAsked = reading.words[first].isAsked
            for row in 0..<rowCount {
                let value = clauseBest[clause * rowCount + row]
                if isAsked { asked[row] = max(asked[row], value) } else { stated[row] = max(stated[row], value) }
            }
        }
        return (stated, asked)
    }

    /// Returns which words of the sentence the source has as they are, and which it negates or rejects.
    private static func statements(
        _ sentence: SentenceClauses, _ reading: TextReading, _ match: WordMatch, _ negated: Set<Int>
    ) -> (accepted: [Bool], rejected: [Bool]) {
        var accepted = [Bool](repeating: false, count: sentence.words.count)
        var rejected = accepted
        let denied = reading.words.map { negated.contains($0.clause) }
        let refused = reading.words.indices.map { reading.rejected.contains($0) }
        var byWord: [String: [Int]] = [:]
        for column in reading.words.indices { byWord[reading.words[column].word, default: []].append(column) }
        for row in sentence.stated {
            let word = sentence.words[row]
            let isRejected = sentence.reading.rejected.contains(row)
            func note(_ column: Int) {
                if refused[column] || denied[column] { rejected[row] = true }
                if !refused[column], !denied[column] || !isRejected { accepted[row] = true }
            }
            if word.weight > 0 {
                guard match.best[row] > 0.9 else { continue }
                for column in reading.words.indices where match[row, column] > 0.9 { note(column) }
            } else {
                for column in byWord[word.word] ?? [] { note(column) }
            }
        }
        return (accepted, rejected)
    }
}

/// The clauses of a sentence, prepared for all sources.
struct SentenceClauses {
    let reading: TextReading
    /// The words of each clause, by its number.
    let ranges: [Range<Int>]
    /// The words that count.
    let counted: [Int]
    /// Words of which a source may state or reject that they are so.
    let stated: [Int]
    /// The clauses that are looked for in sources.
    let compared: [Compared]
    /// The sides of words that imply no negation, with their places, by clause.
    let sides: [Int: [(place: Int, sides: [Int])]]
    /// The places of words that imply a negation, by clause.
    let implied: [Int: [Int]]
    /// Whether a clause has a negating word.
    let hasNegation: [Bool]

    var words: [ReadWord] { reading.words }

    /// The words of a clause that count.
    struct Compared {
        let clause: Int
        let all: [Int]
        /// Without what is said of things, which does not find them; the same as ``all`` if nothing else is left.
        let things: [Int]
        /// Its days and numbers, which do not count.
        let facts: Set<String>
    }

    init(_ sentence: ReadSentence) {
        reading = sentence.reading
        let reading = reading
        let words = reading.words
        ranges = Self.ranges(of: words)
        counted = words.indices.filter { words[$0].weight > 0 }
        stated = words.indices.filter { row in
            words[row].weight >= 0.5
                || words[row].weight == 0
                    && (words[row].hasDigit || sentence.dayRanges.contains { $0.overlaps(words[row].range) })
        }
        compared = ranges.enumerated().compactMap { clause, range in
            let all = range.filter { words[$0].weight > 0.1 }
            guard !all.isEmpty else { return nil }
            let things = all.filter { reading.sides[$0] == nil && !reading.implied.contains($0) }
            let facts = range.filter { row in
                words[row].weight == 0
                    && (words[row].hasDigit || sentence.dayRanges.contains { $0.overlaps(words[row].range) })
            }
            return Compared(
                clause: clause, all: all, things: things.isEmpty ? all : things,
                facts: Set(facts.map { words[$0].word }))
        }
        var sides: [Int: [(place: Int, sides: [Int])]] = [:]
        for (place, own) in reading.sides where !reading.implied.contains(place) {
            sides[words[place].clause, default: []].append((place, own))
        }
        self.sides = sides
        implied = Dictionary(grouping: reading.implied) { words[$0].clause }
        var hasNegation = ranges.map { _ in false }
        for place in reading.negations { hasNegation[words[place].clause] = true }
        self.hasNegation = hasNegation
    }

    /// Returns the words of each clause, by its number; clauses follow one another.
    static func ranges(of words: [ReadWord]) -> [Range<Int>] {
        guard let last = words.last else { return [] }
        var ranges = [Range<Int>](repeating: 0..<0, count: last.clause + 1)
        var start = 0
        while start < words.count {
            var end = start
            while end < words.count, words[end].clause == words[start].clause { end += 1 }
            ranges[words[start].clause] = start..<end
            start = end
        }
        return ranges
    }
}
