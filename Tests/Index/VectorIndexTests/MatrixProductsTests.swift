import IndexCore
import Testing
import VectorIndex

/// The calls of BLAS.
@Suite struct MatrixProductsTests {
    @Test(arguments: [1, 2, 5], [1, 3, 17])
    func multipliesEveryRowWithEveryQuery(queryCount: Int, rowCount: Int) {
        let (dimensions, stride) = (3, 4)
        let rows = (0..<rowCount * stride).map { $0 % stride == 3 ? 1000 : Float($0 % 7) }
        let queries = (0..<queryCount * stride).map { $0 % stride == 3 ? 1000 : Float($0 % 5) - 2 }
        var scores = [Float](repeating: 99, count: queryCount * rowCount)

        MatrixProducts.multiply(
            rows: rows, rowCount: rowCount, queries: queries, queryCount: queryCount, dimensions: dimensions,
            stride: stride, scores: &scores)

        for query in 0..<queryCount {
            for row in 0..<rowCount {
                let products = (0..<dimensions).map { queries[query * stride + $0] * rows[row * stride + $0] }
                #expect(scores[query * rowCount + row] == products.reduce(0, +))
            }
        }
    }
}
