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

/// Knows the embedders of a data folder: the one that is configured, and those whose vectors are stored.
public protocol EmbedderSource: Sendable {
    /// What new generations are made with.
    var configured: any Embedder { get }

    /// The address of the configured embedder's service; nil for the built-in encoder.
    var configuredBaseURL: String? { get }

    /// Whether the configured embedder's service is asked for its dimensions.
    var configuredRequestsDimensions: Bool { get }

    /// Returns the embedder that makes vectors of a generation's space.
    ///
    /// - Parameter generation: One that is not retired.
    /// - Returns: An embedder; asking again for the same generation is cheap.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` when its service cannot be reached with what is
    ///   configured, for want of a key for instance.
    func embedder(for generation: EmbeddingGeneration) async throws -> any Embedder

    /// Returns what gives vectors of tokens beside those of a generation; nil when its model cannot.
    func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)?
}

extension EmbedderSource {
    /// Services give the dimensions that their model has.
    public var configuredRequestsDimensions: Bool { false }

    /// The embedder itself, if it can.
    public func tokenEncoder(for generation: EmbeddingGeneration) async throws -> (any TokenEncoder)? {
        try await embedder(for: generation) as? any TokenEncoder
    }
}
