import TextAnalysis

/// What a text says to be earlier than something else, "first A, then B", "A before B"; or to exceed it: "A is faster
/// than B".
struct EventOrder: Sendable {
    /// Words of something, and words of what follows it or is exceeded by it.
    struct Pair: Sendable {
        let early: [Int]
        let late: [Int]
        /// The word in which one exceeds the other; nil for an order of time.
        var key: Int?
    }

    private(set) var pairs: [Pair] = []

    /// Clauses of one sentence that are put in order.
    private static let clauseLimit = 8
    /// Pairs of a text, and words of each side.
    private static let pairLimit = 12
    private static let contentLimit = 12

    init(words: [ReadWord], claim: ClaimWords, language: TextLanguage) {
        // Words of Japanese are runs of one script, so that particles are not known by themselves.
        guard language != .japanese, !words.isEmpty else { return }
        var start = 0
        while start < words.count, pairs.count < Self.pairLimit {
            var end = start + 1
            while end < words.count, !words[end].isFirst { end += 1 }
            read(start..<end, words, claim)
            start = end
        }
    }

    private mutating func read(_ sentence: Range<Int>, _ words: [ReadWord], _ claim: ClaimWords) {
        var clauses: [Range<Int>] = []
        for place in sentence {
            if let last = clauses.last, words[last.lowerBound].clause == words[place].clause {
                clauses[clauses.count - 1] = last.lowerBound..<place + 1
            } else {
                clauses.append(place..<place + 1)
            }
        }
        guard clauses.count <= Self.clauseLimit else { return }
        var steps: [(marker: Int?, words: [Int])] = []
        for (number, clause) in clauses.enumerated() {
            compare(clause, words, claim)
            let relation = clause.first {
                claim.before.contains(words[$0].word) || claim.after.contains(words[$0].word)
            }
            if let place = relation, relate(place, in: clauses, number, words, claim) { continue }
            let next = clause.first { claim.next.contains(words[$0].word) || $0 == relation }
            let content = Self.content(clause, words)
            if content.isEmpty { continue }
            if next != nil, !steps.isEmpty {
                steps.append((next, content))
            } else if clause.contains(where: { claim.first.contains(words[$0].word) }) || steps.count < 2 {
                steps = [(nil, content)]
            } else if let last = steps.indices.last {
                steps[last].words += content
            }
        }
        for (place, step) in steps.enumerated() {
            for later in steps.dropFirst(place + 1) {
                guard later.marker != nil, !step.words.isEmpty, !later.words.isEmpty else { continue }
                pairs.append(Pair(early: step.words, late: later.words))
            }
        }
    }

    /// Reads "A before B" and "before B, A".
    private mutating func relate(
        _ place: Int, in clauses: [Range<Int>], _ number: Int, _ words: [ReadWord], _ claim: ClaimWords
    ) -> Bool {
        let clause = clauses[number]
        let behind = Self.content(place + 1..<clause.upperBound, words)
        guard !behind.isEmpty else { return false }
        var other = Self.content(clause.lowerBound..<place, words)
        if other.isEmpty {
            let beside = number > 0 ? number - 1 : number + 1
            guard clauses.indices.contains(beside) else { return false }
            other = Self.content(clauses[beside], words)
        }
        guard !other.isEmpty else { return false }
        let isBefore = claim.before.contains(words[place].word)
        pairs.append(Pair(early: isBefore ? other : behind, late: isBefore ? behind : other))
        return true
    }

    /// Reads "A is faster than B", "A is less expensive than B".
    private mutating func compare(_ clause: Range<Int>, _ words: [ReadWord], _ claim: ClaimWords) {
        guard let than = clause.first(where: { claim.than.contains(words[$0].word) }), than > clause.lowerBound + 1
        else { return }
        let key = than - 1
        let degree = words[max(clause.lowerBound, key - 2)...key].map(\.word)
        let isLess = degree.contains(where: claim.less.contains)
        let endings = claim.comparativeEndings
        guard
            isLess || degree.contains(where: claim.more.contains) || endings.contains(where: words[key].word.hasSuffix)
        else { return }
        let left = Self.content(clause.lowerBound..<key, words)
        let right = Self.content(than + 1..<clause.upperBound, words)
        guard !left.isEmpty, !right.isEmpty else { return }
        pairs.append(Pair(early: isLess ? right : left, late: isLess ? left : right, key: key))
    }

    private static func content(_ range: Range<Int>, _ words: [ReadWord]) -> [Int] {
        Array(range.lazy.filter { words[$0].weight > 0.5 }.prefix(contentLimit))
    }
}
