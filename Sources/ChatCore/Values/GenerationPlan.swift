/// What a generation that is to be begun shall be.
public struct GenerationPlan: Hashable, Sendable {
    /// The space of its vectors.
    public var space: EmbeddingSpace
    /// The service's address; nil for the built-in encoder.
    public var baseURL: String?
    /// Whether the service is asked for the space's dimensions.
    public var requestsDimensions: Bool
    /// Older messages are left out; nil for none.
    public var since: Timestamp?
    /// The part of its messages that must be embedded before it serves: above 0, at most 1.
    public var switchShare: Double
    /// The most backlog messages a second that are embedded for it; nil for no bound.
    public var fillRate: Double?
    /// Whether a serving generation of the same space does not do.
    public var refilling: Bool

    public init(
        space: EmbeddingSpace, baseURL: String?, requestsDimensions: Bool = false, since: Timestamp? = nil,
        switchShare: Double = 1, fillRate: Double? = nil, refilling: Bool = true
    ) {
        self.space = space
        self.baseURL = baseURL
        self.requestsDimensions = requestsDimensions
        self.since = since
        self.switchShare = switchShare
        self.fillRate = fillRate
        self.refilling = refilling
    }

    /// The error of a plan whose vectors no index can hold.
    public static let unusable = RepositoryError.invalid(
        field: "dimensions",
        reason: "must lie in \(EmbeddingSpace.dimensionRange.lowerBound)...\(EmbeddingSpace.dimensionRange.upperBound)")

    /// Finds the generation that the plan goes on with, among those that there are.
    ///
    /// - Parameter generations: All generations, oldest first.
    /// - Returns: One of the same space and address that is being filled, or serves unless it is to be refilled; one
    ///   that serves since a re-embedding whose predecessor is kept; nil when a new one is needed.
    /// - Throws: ``RepositoryError/conflict(_:)`` when one of the same space and address stands by, or is being filled
    ///   from another moment on: what it holds was paid for, and is not thrown away unasked.
    public func existing(among generations: [EmbeddingGeneration]) throws(RepositoryError) -> EmbeddingGeneration? {
        let alike = generations.filter { $0.space == space && $0.baseURL == baseURL && $0.state != .retired }
        if let filling = alike.last(where: { $0.state == .filling }) {
            guard since == nil || since == filling.since else {
                throw .conflict(
                    "generation \(filling.number.rawValue) is being filled from another moment on; drop it first")
            }
            return filling
        }
        if !refilling { return alike.last }
        // The same request, repeated after its end: what it made took over from one that is still kept.
        if let serving = alike.last(where: { $0.state == .serving }), since == nil || since == serving.since,
            generations.contains(where: { $0.state == .standby && $0.number < serving.number })
        {
            return serving
        }
        if let standby = alike.last(where: { $0.state == .standby }) {
            throw .conflict(
                "generation \(standby.number.rawValue) of this model stands by; switch to it, or drop it first")
        }
        return nil
    }
}
