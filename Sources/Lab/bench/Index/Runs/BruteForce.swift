import IndexCore
import VectorIndex

/// The true best rows of every query, by cosines in double precision of the rows as they were given.
///
/// A Float32 product of all rows and queries rules out the rows that are more than 0.001 below the k-th best, a hundred
/// times the product's error. Only the others are ranked in double precision.
struct BruteForce {
    private static let margin: Float = 1e-3
    private static let rowsPerProduct = 512
    /// Cosines of the rows near the top for each query; best first.
    private let cosines: [[(row: Int, cosine: Double)]]
    private let k: Int
    private let base: VectorFile
    private let queries: [[Float]]

    /// Ranks the rows that `isVisible` allows.
    init(_ base: VectorFile, _ queries: [[Float]], k: Int, isVisible: (Int) -> Bool) {
        self.base = base
        self.queries = queries
        self.k = k
        let visible = (0..<base.count).filter(isVisible)
        let near = Self.nearRows(base, visible, queries, k: k)
        cosines = zip(queries, near).map { query, rows in
            rows.map { (row: $0, cosine: Self.cosine(query, base[$0])) }
                .sorted { $0.cosine == $1.cosine ? $0.row < $1.row : $0.cosine > $1.cosine }
        }
    }

    /// The share of the best rows in `results`, 1 when all are right; a tie at the last rank counts as found.
    func recall(of results: [[VectorHit]]) -> Double {
        var (right, wanted) = (0, 0)
        for (number, hits) in results.enumerated() {
            let best = cosines[number].prefix(k)
            wanted += best.count
            guard let last = best.last, Set(hits.map(\.key)).count == hits.count else { continue }
            right += hits.prefix(best.count).count { hit in
                let cosine = Self.cosine(queries[number], base[Int(hit.key.rawValue)])
                return cosine >= last.cosine - 2 * PlainScan.tolerance
                    && abs(cosine - Double(hit.score)) < PlainScan.tolerance
            }
        }
        return wanted == 0 ? 1 : Double(right) / Double(wanted)
    }

    private static func nearRows(_ base: VectorFile, _ visible: [Int], _ queries: [[Float]], k: Int) -> [[Int]] {
        var tops = Array(repeating: [(row: Int, score: Float)](), count: queries.count)
        var limits = Array(repeating: -Float.infinity, count: queries.count)
        let lengths = queries.map { cosineLength($0) }
        let matrix = zip(queries, lengths).flatMap { query, length in query.map { $0 / length } }
        for start in stride(from: 0, to: visible.count, by: rowsPerProduct) {
            let numbers = visible[start..<min(start + rowsPerProduct, visible.count)]
            let rows = numbers.flatMap { number in
                let row = base[number]
                let length = cosineLength(row)
                return row.map { $0 / length }
            }
            var scores = [Float](repeating: 0, count: numbers.count * queries.count)
            MatrixProducts.multiply(
                rows: rows, rowCount: numbers.count, queries: matrix, queryCount: queries.count,
                dimensions: base.dimensions, stride: base.dimensions, scores: &scores)
            for query in queries.indices {
                for (position, number) in numbers.enumerated() {
                    let score = scores[query * numbers.count + position]
                    if score >= limits[query] { tops[query].append((number, score)) }
                }
                guard tops[query].count > 4 * k else { continue }
                limits[query] = tops[query].map(\.score).sorted(by: >)[k - 1] - margin
                tops[query].removeAll { $0.score < limits[query] }
            }
        }
        return tops.map { $0.map(\.row) }
    }

    private static func cosineLength(_ vector: [Float]) -> Float { Float(PlainScan.dot(vector, vector).squareRoot()) }

    private static func cosine(_ left: [Float], _ right: [Float]) -> Double {
        PlainScan.dot(left, right) / (PlainScan.dot(left, left) * PlainScan.dot(right, right)).squareRoot()
    }
}
