import ChatCore
import Testing

@Suite struct TokenVectorsTests {
    private static func tokens(_ count: Int) -> [EncodedToken] {
        (0..<count).map { EncodedToken(range: $0..<$0 + 1, isWord: true) }
    }

    @Test func rowsAreRoundedAndOfLengthOne() {
        let vectors = TokenVectors(rows: [3, 4, 0, -0.5, 127, 0], dimensions: 3, tokens: Self.tokens(2))

        #expect(vectors.count == 2)
        #expect(vectors.codes == [95, 127, 0, -1, 127, 0])
        #expect(vectors.scales == [1 / Float(95 * 95 + 127 * 127).squareRoot(), 1 / Float(1 + 127 * 127).squareRoot()])
        #expect(vectors.vector(at: 1) == [-vectors.scales[1], 127 * vectors.scales[1], 0])
    }

    @Test func rowOfZerosStaysOne() {
        let vectors = TokenVectors(rows: [0, 0], dimensions: 2, tokens: Self.tokens(1))
        #expect(vectors.codes == [0, 0] && vectors.scales == [0])
    }

    @Test func lengthOfARowDoesNotCount() {
        let row: [Float] = [0.25, -0.5, 1]
        let vectors = TokenVectors(rows: row + row.map { $0 * 8 }, dimensions: 3, tokens: Self.tokens(2))
        #expect(vectors.vector(at: 0) == vectors.vector(at: 1))
    }

    /// The bound that the documentation states, where rounding is worst: 384 components on the edge between two codes.
    @Test func angleStaysWithinItsBound() {
        let row = (0..<384).map { Float($0 == 0 ? 127 : $0 % 2 == 0 ? 2.49 : -3.49) }
        let rounded = TokenVectors(rows: row, dimensions: 384, tokens: Self.tokens(1)).vector(at: 0)

        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let cosine = zip(row, rounded).reduce(0) { $0 + $1.0 * $1.1 } / length
        let sine = max(0, 1 - cosine * cosine).squareRoot()

        #expect(sine > 0.01)
        #expect(sine <= Float(384).squareRoot() / 254 * 127 / length)
    }

    @Test func noTokensTakeNoMemory() {
        let vectors = TokenVectors(rows: [], dimensions: 384, tokens: [])
        #expect(vectors.count == 0 && vectors.byteCount == 0)
    }

    @Test func memoryIsThatOfCodesScalesAndTokens() {
        let vectors = TokenVectors(rows: Array(repeating: 1, count: 2 * 384), dimensions: 384, tokens: Self.tokens(2))
        #expect(vectors.byteCount == 2 * (384 + 4 + MemoryLayout<EncodedToken>.stride))
    }
}
