import Foundation
import SentenceEncoder
import Testing

@Suite struct MiniLMEncoderTests {
    /// The kinds of arithmetic that this processor has.
    static let arithmetics = Arithmetic.allCases.filter(\.isAvailable)

    @Test(arguments: arithmetics) func vectorsAgreeWithTheReference(arithmetic: Arithmetic) throws {
        let references = try Fixture.references()
        let vectors = try Fixture.encoder(arithmetic: arithmetic).encode(references.map(\.text))

        #expect(vectors.count == references.count)
        for (reference, vector) in zip(references, vectors) {
            #expect(vector.count == BuiltInModel.miniLM.dimensions)
            #expect(cosine(vector, reference.vector) >= 0.99999, "\(reference.text.prefix(40))")
            #expect(furthest(vector, reference.vector) < 1e-5, "\(reference.text.prefix(40))")
            #expect(abs(cosine(vector, vector) - 1) < 1e-12)
            #expect(abs(vector.reduce(0) { $0 + Double($1) * Double($1) } - 1) < 1e-5)
        }
    }

    /// Figures from the model's card and from sentence-transformers' quick start.
    @Test func similaritiesAreThePublishedOnes() throws {
        let vectors = try Fixture.encoder().encode([
            "That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day",
            "The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.",
        ])

        let expected = [(0, 1, 0.695), (0, 2, 0.943), (0, 3, 0.257), (4, 5, 0.666), (4, 6, 0.105), (5, 6, 0.141)]
        for (first, second, similarity) in expected {
            #expect(abs(cosine(vectors[first], vectors[second]) - similarity) < 6e-4)
        }
    }

    @Test(arguments: zip([1, 2, 3], [4_096, 1, 256]))
    func resultDoesNotDependOnBatches(threadCount: Int, batchTokenLimit: Int) throws {
        let references = try Fixture.references()
        let encoder = try Fixture.encoder(threadCount: threadCount, batchTokenLimit: batchTokenLimit)

        let vectors = encoder.encode(references.map(\.text))

        for (reference, vector) in zip(references, vectors) {
            #expect(furthest(vector, reference.vector) < 1e-5, "\(reference.text.prefix(40))")
        }
    }

    /// A text's numbers never meet another text's, so not even rounding may differ.
    @Test(arguments: arithmetics, [1, 2, 3]) func oneByOneIsAsTogether(arithmetic: Arithmetic, threadCount: Int) throws
    {
        let texts = try Fixture.references().prefix(24).map(\.text)
        let encoder = try Fixture.encoder(threadCount: threadCount, arithmetic: arithmetic)

        let together = encoder.encode(texts)

        for (text, vector) in zip(texts, together) {
            #expect(encoder.encode([text]) == [vector], "\(text.prefix(40))")
        }
    }

    @Test func orderIsKeptAcrossWindows() throws {
        let encoder = try Fixture.encoder()
        let words = ["red", "green", "blue"]
        let single = encoder.encode(words)

        let many = encoder.encode((0..<1_100).map { words[$0 % 3] })

        #expect(many.count == 1_100)
        #expect(many.enumerated().allSatisfy { furthest($1, single[$0 % 3]) < 1e-5 })
    }

    @Test func noTextsGiveNoVectors() async throws {
        let encoder = try Fixture.encoder()
        #expect(encoder.encode([]) == [])
        #expect(try await encoder.encode(concurrently: []) == [])
    }

    @Test func textBeyondTheLimitCountsOnlyUpToIt() throws {
        let encoder = try Fixture.encoder()
        let head = String(repeating: "word ", count: 254)

        let vectors = encoder.encode([head, head + "and something entirely different"])

        #expect(encoder.tokenCount(of: head) == BuiltInModel.miniLM.tokenLimit)
        #expect(encoder.tokenCount(of: head + "more") == BuiltInModel.miniLM.tokenLimit + 1)
        #expect(furthest(vectors[0], vectors[1]) < 1e-5)
    }

    @Test func manyCallersGetTheirOwnResults() async throws {
        let references = try Array(Fixture.references().prefix(12))
        let encoder = try Fixture.encoder()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<8 {
                group.addTask {
                    let own = references[caller...] + references[..<caller]
                    let vectors = try await encoder.encode(concurrently: own.map(\.text))
                    for (reference, vector) in zip(own, vectors) {
                        #expect(furthest(vector, reference.vector) < 1e-5)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func cancelledTaskThrows() async throws {
        let encoder = try Fixture.encoder()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await encoder.encode(concurrently: ["a text that is not wanted"])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// The cosine of two vectors, in double precision.
func cosine(_ a: [Float], _ b: [Float]) -> Double {
    func dot(_ a: [Float], _ b: [Float]) -> Double { zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) } }
    return dot(a, b) / (dot(a, a) * dot(b, b)).squareRoot()
}

/// The largest difference of two components; infinite when the lengths differ.
func furthest(_ a: [Float], _ b: [Float]) -> Float {
    a.count == b.count ? zip(a, b).map { abs($0 - $1) }.max() ?? 0 : .infinity
}
