/// What makes two vectors comparable: vectors of different spaces are never mixed.
public struct EmbeddingSpace: Hashable, Sendable, Codable {
    /// The kind of provider: `builtin`, `openai` or `compatible`.
    public var provider: String
    /// The model's name as the provider knows it.
    public var model: String
    /// Components of a vector.
    public var dimensions: Int
    /// What is put before a question.
    public var queryPrefix: String
    /// What is put before a passage.
    public var passagePrefix: String
    /// How a message becomes the text that is embedded; see ``PassagePreparation``.
    public var preparationVersion: Int

    /// Names the space for people and in files of settings: `builtin/all-MiniLM-L6-v2/384`.
    public var name: String { "\(provider)/\(model)/\(dimensions)" }

    /// Makes a space from its parts.
    public init(
        provider: String, model: String, dimensions: Int, queryPrefix: String = "", passagePrefix: String = "",
        preparationVersion: Int = PassagePreparation.version
    ) {
        self.provider = provider
        self.model = model
        self.dimensions = dimensions
        self.queryPrefix = queryPrefix
        self.passagePrefix = passagePrefix
        self.preparationVersion = preparationVersion
    }

    /// Checks that a vector can be of this space: a service may have changed its model under the same name.
    ///
    /// - Throws: ``ModelServiceError/invalidReply(reason:)`` when it has another length.
    public func check(_ vector: [Float]) throws(ModelServiceError) {
        guard vector.count == dimensions else {
            throw .invalidReply(reason: "\(vector.count) dimensions, not \(dimensions)")
        }
    }
}

/// One complete, or growing, set of vectors in one space.
public struct EmbeddingGeneration: Hashable, Sendable {
    /// What it is used for.
    public enum State: String, Codable, Sendable {
        /// It grows beside the serving one.
        case filling
        /// Searches use it. At most one at a time.
        case serving
        /// It served before and is kept up to date, so that it can serve again.
        case standby
        /// It was dropped; its vectors have gone.
        case retired
    }

    /// Its number.
    public let number: GenerationNumber
    /// The space of its vectors.
    public let space: EmbeddingSpace
    /// The service's address, needed to embed questions for it; nil for the built-in encoder.
    public let baseURL: String?
    /// What it is used for.
    public var state: State

    /// Makes a generation from its parts.
    public init(number: GenerationNumber, space: EmbeddingSpace, baseURL: String?, state: State) {
        self.number = number
        self.space = space
        self.baseURL = baseURL
        self.state = state
    }
}
