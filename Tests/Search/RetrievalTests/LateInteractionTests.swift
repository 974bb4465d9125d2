import ChatCore
import Retrieval
import Testing

@Suite struct LateInteractionTests {
    private static func vectors(_ rows: [[Float]], areWords: Bool = true) -> TokenVectors {
        TokenVectors(
            rows: rows.flatMap { $0 }, dimensions: rows.first?.count ?? 2,
            tokens: rows.indices.map { EncodedToken(range: $0..<$0 + 1, isWord: areWords) })
    }

    private static func random(_ count: Int, _ dimensions: Int, _ generator: inout SplitMix) -> TokenVectors {
        vectors((0..<count).map { _ in (0..<dimensions).map { _ in Float.random(in: -1...1, using: &generator) } })
    }

    /// The definition, in double precision.
    private static func plain(_ question: TokenVectors, _ weights: [Float], _ message: TokenVectors) -> Double {
        var sum = 0.0
        for row in 0..<question.count {
            let products = (0..<message.count).map { other in
                zip(question.vector(at: row), message.vector(at: other)).reduce(0.0) {
                    $0 + Double($1.0) * Double($1.1)
                }
            }
            sum += Double(weights[row]) * (products.max() ?? 0)
        }
        return sum / Double(weights.reduce(0, +))
    }

    @Test(arguments: [(1, 1), (3, 2), (4, 25), (12, 7), (17, 3)], [1, 7, 13, 384])
    func equalsTheDefinition(counts: (question: Int, message: Int), dimensions: Int) {
        var generator = SplitMix(state: UInt64(counts.question * 1_000 + dimensions))
        let question = Self.random(counts.question, dimensions, &generator)
        let messages = (0..<5).map { _ in Self.random(counts.message, dimensions, &generator) }
        let weights = (0..<counts.question).map { _ in Float.random(in: 0.1...2, using: &generator) }

        let scores = LateInteraction.maxSims(question: question, weights: weights, messages: messages)

        #expect(scores.count == 5)
        for (message, score) in zip(messages, scores) {
            #expect(abs(Double(score) - Self.plain(question, weights, message)) < 1e-5)
            #expect(LateInteraction.maxSim(question: question, weights: weights, message: message) == score)
        }
    }

    @Test func isTheWeightedMeanOfTheBestMatches() {
        let question = Self.vectors([[1, 0], [0, 1]])
        let message = Self.vectors([[1, 0], [-1, 0]])

        #expect(LateInteraction.maxSim(question: question, weights: [3, 1], message: message) == 0.75)
        #expect(LateInteraction.maxSim(question: question, weights: [1, 1], message: message) == 0.5)
        #expect(LateInteraction.maxSim(question: question, weights: [0, 1], message: message) == 0)
    }

    @Test func opposedTokensScoreBelowZero() {
        let question = Self.vectors([[1, 0]])
        #expect(LateInteraction.maxSim(question: question, weights: [2], message: Self.vectors([[-3, 0]])) == -1)
    }

    @Test func nothingToMatchScoresZero() {
        let (some, none) = (Self.vectors([[1, 0]]), Self.vectors([]))

        #expect(LateInteraction.maxSim(question: some, weights: [1], message: none) == 0)
        #expect(LateInteraction.maxSim(question: none, weights: [], message: some) == 0)
        #expect(LateInteraction.maxSim(question: none, weights: [], message: none) == 0)
        #expect(LateInteraction.maxSim(question: some, weights: [0], message: some) == 0)
        #expect(LateInteraction.maxSims(question: some, weights: [1], messages: []) == [])
    }

    @Test func longestProductsDoNotOverflow() {
        let row = Array(repeating: Float(1), count: 4_096)
        let score = LateInteraction.maxSim(
            question: Self.vectors([row]), weights: [1], message: Self.vectors([row.map { -$0 }, row]))
        #expect(abs(score - 1) < 1e-6)
    }

    @Test func punctuationWeighsNothingUnlessItIsAll() {
        let mixed = TokenVectors(
            rows: [1, 1, 1], dimensions: 1,
            tokens: [true, false, true].map { EncodedToken(range: 0..<1, isWord: $0) })

        #expect(LateInteraction.wordWeights(of: mixed) == [1, 0, 1])
        #expect(LateInteraction.wordWeights(of: Self.vectors([[1], [1]], areWords: false)) == [1, 1])
        #expect(LateInteraction.wordWeights(of: Self.vectors([])) == [])
    }
}
