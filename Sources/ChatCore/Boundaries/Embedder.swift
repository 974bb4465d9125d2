/// What a text is embedded as; many models put different words before the two.
public enum EmbeddingPurpose: Hashable, Sendable {
    /// A question.
    case query
    /// A passage that questions shall find.
    case passage
}

/// What became of one text of a batch.
public enum EmbeddingOutcome: Hashable, Sendable {
    /// Its vector: unit length, finite, as many components as the space has dimensions.
    case vector([Float])
    /// The service takes the others but not this one; trying again would not help.
    case refused(ModelServiceError)
}

/// The answer to a batch of texts.
public struct EmbeddingReply: Hashable, Sendable {
    /// One outcome a text, in the order of the texts.
    public var outcomes: [EmbeddingOutcome]
    /// The tokens that the service counted; nil when it did not say.
    public var tokenCount: Int?

    public init(outcomes: [EmbeddingOutcome], tokenCount: Int? = nil) {
        self.outcomes = outcomes
        self.tokenCount = tokenCount
    }
}

/// Turns texts into vectors of one space.
public protocol Embedder: Sendable {
    /// Returns the space of the vectors; a service may have to be asked for their dimensions once.
    ///
    /// - Throws: ``ModelServiceError`` when it had to be asked and did not answer.
    func space() async throws -> EmbeddingSpace

    /// Returns how long a passage may be so that all of it counts.
    ///
    /// - Throws: ``ModelServiceError`` when the model that knows is missing.
    func passageLimit() async throws -> PassageLimit

    /// Embeds `texts`; prefixes are put before them here.
    ///
    /// - Parameters:
    ///   - texts: Any number of texts, none of them empty.
    ///   - purpose: What they are embedded as.
    /// - Returns: One outcome a text, in order.
    /// - Throws: ``ModelServiceError`` when the batch as a whole failed; then nothing of it counts.
    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply
}

extension Embedder {
    /// The default for services whose models read much more.
    public func passageLimit() async throws -> PassageLimit { PassageLimit() }

    /// Embeds one question.
    ///
    /// - Parameter question: A text that is not empty.
    /// - Returns: Its vector, unit length.
    /// - Throws: ``ModelServiceError``, also when the service refuses just this text.
    public func embedQuery(_ question: String) async throws -> [Float] {
        switch try await embed([question], as: .query).outcomes.first {
        case .vector(let vector): return vector
        case .refused(let error): throw error
        case nil: throw ModelServiceError.invalidReply(reason: "no vector for the question")
        }
    }
}
