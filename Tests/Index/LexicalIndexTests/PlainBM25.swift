import Glibc
import IndexCore
import LexicalIndex
import Testing

/// The formula written out over a dictionary, in double precision: what the index is compared with.
struct PlainBM25 {
    private(set) var rows: [RowKey: LexicalRow] = [:]

    mutating func upsert(_ batch: [LexicalRow]) {
        for row in batch { rows[row.key] = row }
    }

    mutating func remove(_ keys: [RowKey]) {
        for key in keys { rows[key] = nil }
    }

    mutating func removeGroup(_ group: GroupKey) {
        rows = rows.filter { $0.value.group != group }
    }

    func groupCounts() -> [GroupKey: Int] {
        rows.values.reduce(into: [:]) { $0[$1.group, default: 0] += 1 }
    }

    /// The rows of some groups.
    func rows(in groups: GroupSelection) -> [LexicalRow] {
        guard case .only(let keys) = groups else { return Array(rows.values) }
        return rows.values.filter { keys.contains($0.group) }
    }

    /// How many rows of some groups hold a term in one of their own fields.
    func rowCount(holding term: TermKey, in groups: GroupSelection = .all) -> Int {
        rows(in: groups).count { row in
            row.terms.text.contains(term) || row.terms.sender.contains(term) || row.terms.date.contains(term)
        }
    }

    /// The rows before and after each row, nearest first, as far as no gap is too long.
    func neighbours(maximumGap: Int64) -> [RowKey: (before: [LexicalRow], after: [LexicalRow])] {
        var found: [RowKey: (before: [LexicalRow], after: [LexicalRow])] = [:]
        let threads = Dictionary(grouping: rows.values) { [$0.group.rawValue, $0.thread] }
        for thread in threads.values {
            let sorted = thread.sorted { left, right in
                (left.attributes.time, left.order, left.key.rawValue)
                    < (right.attributes.time, right.order, right.key.rawValue)
            }
            for (index, row) in sorted.enumerated() {
                var (before, after): ([LexicalRow], [LexicalRow]) = ([], [])
                for other in stride(from: index - 1, through: 0, by: -1) {
                    if sorted[other + 1].attributes.time - sorted[other].attributes.time > maximumGap { break }
                    before.append(sorted[other])
                }
                for other in index + 1..<max(sorted.count, index + 1) {
                    if sorted[other].attributes.time - sorted[other - 1].attributes.time > maximumGap { break }
                    after.append(sorted[other])
                }
                found[row.key] = (before, after)
            }
        }
        return found
    }

    /// The score of every row of some groups, of which alone anything is counted, without those of score 0.
    func scores(for query: LexicalQuery, in groups: GroupSelection) -> [RowKey: Double] {
        let rows = rows(in: groups)
        let weights = query.weights
        let places = (weights.previous + weights.next).count { $0 > 0 }
        let tokens = rows.reduce(0) { $0 + $1.tokenCount }
        let textTokens = rows.reduce(0) { $0 + $1.terms.text.count }
        let text = Double(textTokens) / Double(rows.count)
        let mean = Double(tokens) / Double(rows.count) + Double(places) * text * need(text, weights)
        let neighbours = neighbours(maximumGap: weights.maximumGap)
        let rarities = Dictionary(
            uniqueKeysWithValues: Set(query.terms.map(\.key)).map { ($0, rarity(of: $0, in: groups, weights)) })
        var scores: [RowKey: Double] = [:]
        for row in rows {
            let (before, after) = neighbours[row.key] ?? ([], [])
            let context = Array(zip(weights.previous, before)) + Array(zip(weights.next, after))
            let need = need(Double(row.terms.text.count), weights)
            let beside = context.reduce(0) { $0 + ($1.0 > 0 ? $1.1.terms.text.count : 0) }
            let length = Double(row.tokenCount) + need * Double(beside)
            var score = 0.0
            for term in query.terms {
                var frequency = Double(weights.text) * count(term.key, in: row.terms.text, atMost: 255)
                frequency += Double(weights.sender) * count(term.key, in: row.terms.sender, atMost: 15)
                frequency += Double(weights.date) * count(term.key, in: row.terms.date, atMost: 15)
                for (weight, other) in context {
                    frequency += need * Double(weight) * count(term.key, in: other.terms.text, atMost: 255)
                }
                if frequency == 0 { continue }
                let (k1, b) = (Double(weights.k1), Double(weights.b))
                let divisor = frequency + k1 * (1 - b + b * length / mean)
                score += Double(term.weight) * (rarities[term.key] ?? 0) * frequency * (k1 + 1) / divisor
            }
            if score > 0 { scores[row.key] = score }
        }
        return scores
    }

    private func need(_ textLength: Double, _ weights: LexicalWeights) -> Double {
        min(1, Double(weights.neighbourTokens) / max(textLength, 1))
    }

    private func rarity(of term: TermKey, in groups: GroupSelection, _ weights: LexicalWeights) -> Double {
        let total = Double(rows(in: groups).count)
        let holding = Double(rowCount(holding: term, in: groups))
        let odds = (total - holding + 0.5) / (holding + 0.5)
        return weights.inverseFrequency == .lucene ? log(1 + odds) : max(1e-6, log(odds))
    }

    private func count(_ term: TermKey, in terms: [TermKey], atMost limit: Int) -> Double {
        Double(min(limit, terms.count { $0 == term }))
    }

    /// Checks a result: right scores within the precision of Float, and the exact order of the index's own scores.
    func verify(
        _ hits: [LexicalHit], _ query: LexicalQuery, k: Int, in groups: GroupSelection,
        where predicate: RowPredicate? = nil, index: BM25Index, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let expected = scores(for: query, in: groups)
        let keys = Array(rows.keys)
        var own: [RowKey: LexicalScore] = [:]
        let scan = try index.snapshot().scan(query, in: groups)
        for (key, score) in zip(keys, scan.scores(of: keys)) { own[key] = score }
        #expect(own.count == rows(in: groups).count, sourceLocation: location)
        for term in query.terms where term.weight > 0 {
            #expect(
                scan.rowCount(holding: term.key) == rowCount(holding: term.key, in: groups), sourceLocation: location)
        }
        for (key, score) in own {
            let difference = abs(Double(score.total) - (expected[key] ?? 0))
            if !(difference <= 1e-5 * (expected[key] ?? 0)) {
                Issue.record("a score is off by \(difference) of \(expected[key] ?? 0)", sourceLocation: location)
            }
        }
        let visible = rows(in: groups).filter { row in
            expected[row.key] != nil && predicate?(row.key, row.attributes) ?? true
        }
        let ranked = visible.map { row in
            LexicalHit(key: row.key, group: row.group, score: own[row.key]?.total ?? .nan, flags: row.flags)
        }.sorted { $0.score == $1.score ? $0.key < $1.key : $0.score > $1.score }
        #expect(hits == Array(ranked.prefix(k)), sourceLocation: location)
    }
}

extension LexicalRow {
    fileprivate var tokenCount: Int { terms.text.count + terms.sender.count + terms.date.count }
}
