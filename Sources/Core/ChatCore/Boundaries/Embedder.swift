/// The purpose of an embedded text; many models need different prefixes for the two.
public enum EmbeddingPurpose: Hashable, Sendable {
    /// A question.
    case query
    /// A passage that questions should find.
    case passage
}

/// The result for one text of a batch.
public enum EmbeddingOutcome: Hashable, Sendable {
    /// The vector: unit length, finite, with as many components as the space has dimensions.
    case vector([Float])
    /// The service accepts the other texts but not this one; another try would not help.
    case refused(ModelServiceError)
}

/// The answer to a batch of texts.
public struct EmbeddingReply: Hashable, Sendable {
    /// One outcome per text, in the order of the texts.
    public var outcomes: [EmbeddingOutcome]
    /// The tokens as counted by the service; nil if it gave no count.
    public var tokenCount: Int?

    public init(outcomes: [EmbeddingOutcome], tokenCount: Int? = nil) {
        self.outcomes = outcomes
        self.tokenCount = tokenCount
    }
}

/// Turns texts into vectors of one space.
public protocol Embedder: Sendable {
    /// Returns the space of the vectors; a service may have to be asked for its dimensions once.
    ///
    /// - Throws: ``ModelServiceError`` when it had to be asked and did not answer.
    func space() async throws -> EmbeddingSpace

    /// Returns the longest passage that the model reads completely.
    ///
    /// - Throws: ``ModelServiceError`` when the model that knows is missing.
    func passageLimit() async throws -> PassageLimit

    /// Embeds `texts`; adds the prefixes.
    ///
    /// - Parameters:
    ///   - texts: Any number of texts, none of them empty.
    ///   - purpose: The purpose of all texts.
    /// - Returns: One outcome per text, in order.
    /// - Throws: ``ModelServiceError`` when the whole batch failed; then no result counts.
    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply
}

extension Embedder {
    /// The default for services whose models read much more than a passage.
    public func passageLimit() async throws -> PassageLimit { PassageLimit() }

    /// Embeds one question; of one that is too long for the service only the beginning.
    ///
    /// - Parameter question: A text that is not empty.
    /// - Returns: Its vector, unit length.
    /// - Throws: ``ModelServiceError``, also when the service refuses only this text.
    public func embedQuery(_ question: String) async throws -> [Float] {
        var text = question
        while true {
            switch try await embed([text], as: .query).outcomes.first {
            case .vector(let vector): return vector
            case .refused(.tooLong) where TokenEstimate.count(text) > PassageLimit.leastTokenCount && text.count > 1:
                text = String(text.prefix(text.count / 2))
            case .refused(let error): throw error
            case nil: throw ModelServiceError.invalidReply(reason: "no vector for the question")
            }
        }
    }
}

/// Provides the embedders of a data folder: the configured one, and those whose vectors are stored.
public protocol EmbedderSource: Sendable {
    /// The embedder for new generations.
    var configured: any Embedder { get }

    /// The address of the configured embedder's service; nil for the built-in encoder.
    var configuredBaseURL: String? { get }

    /// Whether the configured embedder's service is asked for its dimensions.
    var configuredRequestsDimensions: Bool { get }

    /// Returns the embedder that makes vectors of a generation's space.
    ///
    /// - Parameter generation: One that is not retired.
    /// - Returns: An embedder; asking again for the same generation is cheap.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` when its service cannot be reached with the present
    ///   settings, for example because a key is missing.
    func embedder(for generation: EmbeddingGeneration) async throws -> any Embedder

    /// Returns the encoder for token vectors that fit a generation; nil when its model cannot make them.
    func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)?
}

extension EmbedderSource {
    /// Services return their model's own number of dimensions.
    public var configuredRequestsDimensions: Bool { false }

    /// The embedder itself, if it can.
    public func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)? {
        try await embedder(for: generation) as? any TokenEncoder
    }
}
