import ChatCore

/// Embeds texts that must all get a vector, and counts what that takes.
struct KnownTexts {
    let embedder: any Embedder
    /// The space of the vectors.
    let space: EmbeddingSpace
    /// The most texts of a request: 1 or more.
    let batchCount: Int
    /// What the requests have taken.
    private(set) var usage = EmbeddingUsage()

    init(_ embedder: any Embedder, in space: EmbeddingSpace, batchCount: Int) {
        (self.embedder, self.space, self.batchCount) = (embedder, space, batchCount)
    }

    /// Returns one vector for each text, in order.
    ///
    /// - Throws: ``ModelServiceError``, also when a text was refused or a vector is of another space.
    mutating func vectors(of texts: [String], as purpose: EmbeddingPurpose) async throws -> [[Float]] {
        var vectors: [[Float]] = []
        for start in stride(from: 0, to: texts.count, by: batchCount) {
            let batch = Array(texts[start..<min(start + batchCount, texts.count)])
            let reply = try await embedder.embed(batch, as: purpose)
            guard reply.outcomes.count == batch.count else {
                throw ModelServiceError.invalidReply(reason: "\(reply.outcomes.count) vectors for \(batch.count) texts")
            }
            usage += EmbeddingUsage(
                requestCount: 1, textCount: batch.count,
                tokenCount: reply.tokenCount ?? batch.reduce(0) { $0 + TokenEstimate.count($1) })
            for outcome in reply.outcomes {
                switch outcome {
                case .vector(let vector):
                    try space.check(vector)
                    vectors.append(vector)
                case .refused(let error): throw error
                }
            }
        }
        return vectors
    }

    /// Returns the cosine of two vectors of length 1.
    static func cosine(_ one: [Float], _ other: [Float]) -> Double {
        zip(one, other).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
}
