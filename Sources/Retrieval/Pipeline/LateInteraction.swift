package import ChatCore

/// Late interaction: how well the tokens of a question find their match in a message.
///
/// After ColBERT (Khattab and Zaharia, SIGIR 2020, arXiv 2004.12832). Ours differs in that the model was not trained for it,
/// that tokens of a question have weights, and that their sum is divided by that of the weights.
package enum LateInteraction {
    /// Tokens of a question whose products with a token of a message are summed side by side, see ``WideRows``.
    private static let blockCount = 4

    /// Returns the weights of a question's tokens that count word pieces and leave out punctuation.
    ///
    /// On LoCoMo and a sample chat equal weights were as good as any; stop words help and stay.
    ///
    /// - Returns: 1 for a token that is a piece of a word and else 0; 1 for all when none is.
    package static func wordWeights(of question: TokenVectors) -> [Float] {
        let weights: [Float] = question.tokens.map { $0.isWord ? 1 : 0 }
        return weights.contains(1) ? weights : Array(repeating: 1, count: weights.count)
    }

    /// Returns Σ w · max (q · m) / Σ w, over the tokens q of the question and with the greatest over those m of the message.
    ///
    /// - Parameters:
    ///   - question: The question's tokens.
    ///   - weights: A weight w for each of them, finite, 0 or more.
    ///   - message: The message's tokens, of the same dimensions.
    /// - Returns: A score in -1...1; 0 when the message has no token or no weight is above 0.
    /// - Precondition: There are as many weights as tokens of the question, and the dimensions agree where both have tokens.
    /// - Complexity: O(*q* · *m* · *d*) multiply-adds.
    package static func maxSim(question: TokenVectors, weights: [Float], message: TokenVectors) -> Float {
        maxSims(question: question, weights: weights, messages: [message])[0]
    }

    /// Returns ``maxSim(question:weights:message:)`` of each message.
    package static func maxSims(question: TokenVectors, weights: [Float], messages: [TokenVectors]) -> [Float] {
        precondition(weights.count == question.count, "every token has a weight")
        let counted = CountedRows(question, weights)
        return messages.map { counted.maxSim($0) }
    }

    /// The tokens of a question whose weight is above 0.
    private struct CountedRows {
        let dimensions: Int
        let weights: [Float]
        let scales: [Float]
        /// Their codes, and rows of zeros that make up whole blocks.
        let rows: WideRows

        init(_ question: TokenVectors, _ weights: [Float]) {
            let counted = question.tokens.indices.filter { weights[$0] > 0 }
            dimensions = question.dimensions
            self.weights = counted.map { weights[$0] }
            scales = counted.map { question.scales[$0] }
            let blocks = (counted.count + blockCount - 1) / blockCount
            rows = WideRows(count: blocks * blockCount, dimensions: dimensions)
            for (row, token) in counted.enumerated() { rows.set(row, to: token, of: question) }
        }

        func maxSim(_ message: TokenVectors) -> Float {
            if message.count == 0 || weights.isEmpty { return 0 }
            precondition(message.dimensions == dimensions, "question and message are of one space")
            let best = greatestProducts(message)
            var sum: Float = 0
            for (row, weight) in weights.enumerated() { sum += weight * scales[row] * best[row] }
            return min(max(sum / weights.reduce(0, +), -1), 1)
        }

        /// Returns for each row of the question its greatest product with a row of the message, not yet scaled by its own.
        private func greatestProducts(_ message: TokenVectors) -> [Float] {
            var best = [Float](repeating: -.infinity, count: rows.count)
            let token = WideRows(count: 1, dimensions: dimensions)
            for (row, scale) in message.scales.enumerated() {
                token.set(0, to: row, of: message)
                for start in stride(from: 0, to: rows.count, by: blockCount) {
                    let products = rows.products(with: token, from: start)
                    for lane in 0..<blockCount {
                        best[start + lane] = max(best[start + lane], scale * Float(products[lane]))
                    }
                }
            }
            return best
        }
    }

    /// Rows of codes as processors multiply them fastest: 16 bits each, eight to a piece, the last piece filled with zeros.
    private final class WideRows {
        typealias Piece = SIMD8<Int16>

        let count: Int
        /// Pieces of a row.
        private let width: Int
        private let pieces: UnsafeMutablePointer<Piece>

        /// Makes rows of zeros.
        init(count: Int, dimensions: Int) {
            self.count = count
            width = (dimensions + Piece.scalarCount - 1) / Piece.scalarCount
            pieces = .allocate(capacity: count * width)
            pieces.initialize(repeating: .zero, count: count * width)
        }

        deinit { pieces.deallocate() }

        /// Copies the codes of a token.
        func set(_ row: Int, to token: Int, of vectors: TokenVectors) {
            let dimensions = vectors.dimensions
            vectors.codes.withUnsafeBufferPointer { codes in
                guard let first = codes.baseAddress else { return }
                let codes = first + token * dimensions
                let capacity = width * Piece.scalarCount
                (pieces + row * width).withMemoryRebound(to: Int16.self, capacity: capacity) { wide in
                    for place in 0..<dimensions { wide[place] = Int16(codes[place]) }
                }
            }
        }

        /// Returns the dot products of four rows from `start` on with the first row of `other`.
        ///
        /// Neighbours that are multiplied and added in 32 bits become one instruction for eight of them.
        func products(with other: WideRows, from start: Int) -> SIMD4<Int32> {
            let (width, row) = (self.width, UnsafePointer(other.pieces))
            let first = UnsafePointer(pieces + start * width)
            let (second, third, fourth) = (first + width, first + 2 * width, first + 3 * width)
            var (sum1, sum2, sum3, sum4) = (SIMD8<Int32>.zero, SIMD8<Int32>.zero, SIMD8<Int32>.zero, SIMD8<Int32>.zero)
            for place in 0..<width {
                let factor = SIMD8<Int32>(truncatingIfNeeded: row[place])
                sum1 &+= factor &* SIMD8<Int32>(truncatingIfNeeded: first[place])
                sum2 &+= factor &* SIMD8<Int32>(truncatingIfNeeded: second[place])
                sum3 &+= factor &* SIMD8<Int32>(truncatingIfNeeded: third[place])
                sum4 &+= factor &* SIMD8<Int32>(truncatingIfNeeded: fourth[place])
            }
            return SIMD4(sum1.wrappedSum(), sum2.wrappedSum(), sum3.wrappedSum(), sum4.wrappedSum())
        }
    }
}
