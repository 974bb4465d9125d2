package import ChatCore

/// Late interaction: how well the tokens of a question find their match in a message.
///
/// After ColBERT (Khattab and Zaharia, SIGIR 2020, arXiv 2004.12832). Ours differs in that the model was not trained for it,
/// that tokens of a question have weights, and that their sum is divided by that of the weights.
package enum LateInteraction {
    /// Tokens of a question whose products with a token of a message are summed side by side.
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

    /// The tokens of a question whose weight is above 0, their codes of 16 bits, as many as make up whole blocks.
    private struct CountedRows {
        let dimensions: Int
        /// Rows of `dimensions` codes; those beyond `weights.count` are zeros.
        let codes: [Int16]
        let weights: [Float]
        let scales: [Float]

        init(_ question: TokenVectors, _ weights: [Float]) {
            let rows = question.tokens.indices.filter { weights[$0] > 0 }
            dimensions = question.dimensions
            self.weights = rows.map { weights[$0] }
            scales = rows.map { question.scales[$0] }
            var codes: [Int16] = []
            for row in rows {
                codes += question.codes[row * dimensions..<(row + 1) * dimensions].lazy.map { Int16($0) }
            }
            let blocks = (rows.count + blockCount - 1) / blockCount
            self.codes = codes + Array(repeating: 0, count: blocks * blockCount * dimensions - codes.count)
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
            var best = [Float](repeating: -.infinity, count: codes.count / dimensions)
            let wide = message.codes.map { Int16($0) }
            codes.withUnsafeBufferPointer { codes in
                wide.withUnsafeBufferPointer { wide in
                    for block in stride(from: 0, to: best.count, by: blockCount) {
                        let questions = UnsafeBufferPointer(rebasing: codes[(block * dimensions)...])
                        for (row, scale) in message.scales.enumerated() {
                            let token = UnsafeBufferPointer(
                                rebasing: wide[row * dimensions..<(row + 1) * dimensions])
                            let products = LateInteraction.products(token, questions)
                            for lane in 0..<blockCount {
                                best[block + lane] = max(best[block + lane], scale * Float(products[lane]))
                            }
                        }
                    }
                }
            }
            return best
        }
    }

    /// Returns the dot products of a row with four rows that follow each other.
    private static func products(_ row: UnsafeBufferPointer<Int16>, _ others: UnsafeBufferPointer<Int16>) -> SIMD4<
        Int32
    > {
        let count = row.count
        var (first, second, third, fourth): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        for place in 0..<count {
            let component = Int32(row[place])
            first &+= component &* Int32(others[place])
            second &+= component &* Int32(others[count + place])
            third &+= component &* Int32(others[2 * count + place])
            fourth &+= component &* Int32(others[3 * count + place])
        }
        return SIMD4(first, second, third, fourth)
    }
}
