import ChatCore

/// The passages of the turns in a batch, and the texts to send for them: each text once, and none that was embedded
/// before.
struct BatchContents {
    /// The origin of a passage's vector.
    private enum Origin {
        case known([Float])
        case sent(place: Int)
    }

    /// The texts to embed.
    let texts: [String]
    /// One per passage, in order.
    private let origins: [Origin]

    /// Looks up earlier vectors.
    ///
    /// - Parameters:
    ///   - messages: The batch.
    ///   - generation: The generation of the vectors.
    ///   - queue: Finds earlier vectors.
    /// - Throws: ``RepositoryError``.
    init(of messages: [PreparedMessage], in generation: GenerationNumber, from queue: any WorkQueue) async throws {
        let passages = messages.flatMap(\.turn)
        let known = try await queue.vectors(ofContents: Set(passages.map(\.contentHash)), in: generation)
        var texts: [String] = []
        var places: [[UInt8]: Int] = [:]
        origins = passages.map { passage in
            if let vector = known[passage.contentHash] { return .known(vector) }
            if let place = places[passage.contentHash] { return .sent(place: place) }
            places[passage.contentHash] = texts.count
            texts.append(passage.text)
            return .sent(place: texts.count - 1)
        }
        self.texts = texts
    }

    /// Returns the outcome of each passage, in order.
    ///
    /// - Parameter sent: One outcome for each of ``texts``.
    /// - Returns: One outcome per passage.
    func outcomes(from sent: [BatchEmbedding.TextOutcome]) -> [BatchEmbedding.TextOutcome] {
        origins.map { origin in
            switch origin {
            case .known(let vector): .vector(vector)
            case .sent(let place): sent[place]
            }
        }
    }
}
