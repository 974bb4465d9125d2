/// The properties that make vectors comparable: vectors of different spaces are never mixed.
public struct EmbeddingSpace: Hashable, Sendable, Codable {
    /// The kind of provider: `builtin`, `openai` or `compatible`.
    public var provider: String
    /// The model's name as the provider knows it.
    public var model: String
    /// Components of a vector.
    public var dimensions: Int
    /// The prefix of a question.
    public var queryPrefix: String
    /// The prefix of a passage.
    public var passagePrefix: String
    /// The version of the step that turns a message into passages.
    public var preparationVersion: Int

    /// The version of `PassagePreparation`: raised when passages change, because older vectors then do not match new
    /// questions.
    public static let currentPreparationVersion = 1

    /// The allowed numbers of components of a vector.
    ///
    /// Larger than in any known model, and small enough for sums in `Float` and for the index's rows.
    public static let dimensionRange = 1...16_384

    /// Whether vectors of this space can be stored and searched.
    public var isUsable: Bool { Self.dimensionRange.contains(dimensions) }

    /// The name for people and settings files: `builtin/all-MiniLM-L6-v2/384`.
    public var name: String { "\(provider)/\(model)/\(dimensions)" }

    public init(
        provider: String, model: String, dimensions: Int, queryPrefix: String = "", passagePrefix: String = "",
        preparationVersion: Int = currentPreparationVersion
    ) {
        self.provider = provider
        self.model = model
        self.dimensions = dimensions
        self.queryPrefix = queryPrefix
        self.passagePrefix = passagePrefix
        self.preparationVersion = preparationVersion
    }

    /// Checks that a vector fits this space, because a service may have changed its model under the same name, and weights
    /// may be damaged.
    ///
    /// - Throws: ``ModelServiceError/invalidReply(reason:)`` when it has another length, or a component that is no number.
    public func check(_ vector: [Float]) throws(ModelServiceError) {
        guard vector.count == dimensions else {
            throw .invalidReply(reason: "\(vector.count) dimensions, not \(dimensions)")
        }
        guard vector.allSatisfy(\.isFinite) else {
            throw .invalidReply(reason: "the model gives vectors with components that are no numbers")
        }
    }
}

/// One complete or growing set of vectors in one space.
public struct EmbeddingGeneration: Hashable, Sendable {
    /// The use of a generation.
    public enum State: String, Codable, Sendable, CaseIterable {
        /// It is being filled beside the serving one.
        case filling
        /// Searches use it. At most one generation at a time serves.
        case serving
        /// It served before and is kept up to date, so that it can serve again.
        case standby
        /// It was dropped; its vectors are deleted.
        case retired
    }

    /// Its number.
    public let number: GenerationNumber
    /// The space of its vectors.
    public let space: EmbeddingSpace
    /// The service's address, needed to embed questions for it; nil for the built-in encoder.
    public let baseURL: String?
    /// The use of the generation.
    public var state: State
    /// Whether the service is asked for the space's dimensions, because the model supports several.
    public var requestsDimensions: Bool
    /// Messages before this moment are left out; nil for none.
    public let since: Timestamp?
    /// The share of its messages that must be embedded before it serves: above 0, at most 1.
    public var switchShare: Double
    /// The most backlog messages per second that are embedded for it; nil for no limit.
    public var fillRate: Double?
    /// When it last began to serve; nil if it never did.
    public var servedAt: Timestamp?
    /// What cosines say in the space; nil until it was measured.
    public var scale: CosineScale?

    public init(
        number: GenerationNumber, space: EmbeddingSpace, baseURL: String?, state: State,
        requestsDimensions: Bool = false, since: Timestamp? = nil, switchShare: Double = 1, fillRate: Double? = nil,
        servedAt: Timestamp? = nil, scale: CosineScale? = nil
    ) {
        self.number = number
        self.space = space
        self.baseURL = baseURL
        self.state = state
        self.requestsDimensions = requestsDimensions
        self.since = since
        self.switchShare = switchShare
        self.fillRate = fillRate
        self.servedAt = servedAt
        self.scale = scale
    }

    public init(number: GenerationNumber, plan: GenerationPlan, state: State, servedAt: Timestamp? = nil) {
        self.init(
            number: number, space: plan.space, baseURL: plan.baseURL, state: state,
            requestsDimensions: plan.requestsDimensions, since: plan.since, switchShare: plan.switchShare,
            fillRate: plan.fillRate, servedAt: servedAt)
    }

    /// Whether another value tells of the same vectors, and only says more of their scale.
    public func isSame(as other: EmbeddingGeneration) -> Bool {
        var same = other
        same.scale = scale
        return self == same
    }

    /// Whether it includes messages of this time.
    public func covers(_ timestamp: Timestamp) -> Bool {
        since.map { timestamp >= $0 } ?? true
    }
}
