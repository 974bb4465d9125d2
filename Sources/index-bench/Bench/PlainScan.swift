import IndexCore
import VectorIndex

/// The search that the index is checked against: every row as it was given, cosines in double precision, one sort.
struct PlainScan {
    /// Float32 rows of length 1 carry an error of 2⁻²⁴ a component; a score may lie this far from the plain cosine.
    static let tolerance = 1e-6

    let query: [Float]
    let scope: BenchScope
    private let length: Double
    private var cosines: [RowKey: Double] = [:]

    init(query: [Float], scope: BenchScope) {
        self.query = query
        self.scope = scope
        length = Self.dot(query, query).squareRoot()
    }

    /// Scores a row when the scope holds it.
    mutating func see(_ row: VectorRow) {
        guard scope.contains(row.group) else { return }
        cosines[row.key] = Self.dot(query, row.vector) / (length * Self.dot(row.vector, row.vector).squareRoot())
    }

    /// How many of `hits` are right: as good as the plain scan's hit of the same rank, with the right score.
    func rightCount(of hits: [VectorHit], k: Int) -> Int {
        let best = cosines.values.sorted(by: >).prefix(k)
        guard hits.count == best.count, Set(hits.map(\.key)).count == hits.count else { return 0 }
        return zip(hits, best).count { hit, expected in
            guard let cosine = cosines[hit.key] else { return false }
            return abs(cosine - Double(hit.score)) < Self.tolerance && abs(cosine - expected) < 2 * Self.tolerance
        }
    }

    /// The hits that a right search returns.
    func expectedCount(k: Int) -> Int { min(k, cosines.count) }

    private static func dot(_ left: [Float], _ right: [Float]) -> Double {
        var sum = 0.0
        for index in left.indices { sum += Double(left[index]) * Double(right[index]) }
        return sum
    }
}
