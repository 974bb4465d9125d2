import IndexCore
import Testing
import VectorIndex

/// The brute force that the index is compared with: a dictionary and double precision.
struct PlainIndex {
    private(set) var rows: [RowKey: VectorRow] = [:]

    mutating func upsert(_ batch: [VectorRow]) {
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

    func rows(in groups: GroupSelection, where predicate: RowPredicate?) -> [VectorRow] {
        rows.values.filter { row in
            let visible = if case .only(let keys) = groups { keys.contains(row.group) } else { true }
            return visible && predicate?(row.key, row.attributes) ?? true
        }
    }

    static func cosine(_ left: [Float], _ right: [Float]) -> Double {
        func dot(_ first: [Float], _ second: [Float]) -> Double {
            zip(first, second).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        }
        return dot(left, right) / (dot(left, left) * dot(right, right)).squareRoot()
    }

    /// Checks a result: right rows within the precision of Float, and the exact order of the index's own scores.
    func verify(
        _ hits: [VectorHit], _ query: [Float], k: Int, in groups: GroupSelection,
        where predicate: RowPredicate? = nil, index: CosineIndex, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let visible = rows(in: groups, where: predicate)
        let scores = try index.score(of: visible.map(\.key), for: query)
        let expected = visible.compactMap { row in
            scores[row.key].map { VectorHit(key: row.key, group: row.group, score: $0) }
        }.sorted { $0.score == $1.score ? $0.key < $1.key : $0.score > $1.score }

        #expect(hits == Array(expected.prefix(k)), sourceLocation: location)
        for row in visible {
            let difference = Double(scores[row.key] ?? .nan) - Self.cosine(row.vector, query)
            if !(abs(difference) < 3e-7) { Issue.record("a score is off by \(difference)", sourceLocation: location) }
        }
    }
}
