package import ChatCore

/// Late interaction: how well the tokens of a message match those of a question.
///
/// After ColBERT (Khattab and Zaharia, SIGIR 2020, arXiv 2004.12832). Three things differ: our model was not trained
/// for it, the tokens of a question have weights, and the sum is divided by the sum of the weights.
package enum LateInteraction {
    /// How many tokens of a question are multiplied with a token of a message at the same time; see ``WideRows``.
    private static let blockCount = 4

    /// Returns weights for a question's tokens that count word pieces and ignore punctuation.
    ///
    /// On LoCoMo and a sample chat, equal weights were as good as any others. Stop words helped, so they count.
    ///
    /// - Returns: 1 for a token that is a piece of a word, otherwise 0; 1 for all if no token is a piece of a word.
    package static func wordWeights(of question: TokenVectors) -> [Float] {
        let weights: [Float] = question.tokens.map { $0.isWord ? 1 : 0 }
        return weights.contains(1) ? weights : Array(repeating: 1, count: weights.count)
    }

    /// Returns Σ w · max (q · m) / Σ w: the sum over the question's tokens q, the maximum over the message's tokens m.
    ///
    /// - Parameters:
    ///   - question: The question's tokens.
    ///   - weights: A weight w for each token of the question, finite, 0 or more.
    ///   - message: The message's tokens, of the same dimensions.
    /// - Returns: A score in -1...1; 0 when the message has no token or no weight is above 0.
    /// - Precondition: There are as many weights as tokens of the question, and both have the same dimensions unless
    ///   one is empty.
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
        /// Their codes, filled up with rows of zeros to whole blocks.
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

        /// Returns each question row's greatest product with a row of the message, without the question row's scale.
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

    /// Rows of codes in a form that processors multiply fast: 16 bits each, in pieces of eight, filled up with zeros.
    private final class WideRows {
        typealias Piece = SIMD8<Int16>

        let count: Int
        /// The number of pieces of a row.
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

        /// Returns the dot products of four rows, from `start`, with the first row of `other`.
        ///
        /// The compiler turns multiplying and adding adjacent values in 32 bits into one instruction for eight values.
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
