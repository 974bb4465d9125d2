/// The properties of a generation to begin.
public struct GenerationPlan: Hashable, Sendable {
    /// The space of its vectors.
    public var space: EmbeddingSpace
    /// The service's address; nil for the built-in encoder.
    public var baseURL: String?
    /// Whether the service is asked for the space's dimensions.
    public var requestsDimensions: Bool
    /// Messages before this moment are left out; nil for none.
    public var since: Timestamp?
    /// The share of its messages that must be embedded before it serves: above 0, at most 1.
    public var switchShare: Double
    /// The most backlog messages per second that are embedded for it; nil for no limit.
    public var fillRate: Double?
    /// Whether a serving generation of the same space is not sufficient.
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

    /// The error for a plan whose vectors no index can store.
    public static let unusable = RepositoryError.invalid(
        field: "dimensions",
        reason: "must lie in \(EmbeddingSpace.dimensionRange.lowerBound)...\(EmbeddingSpace.dimensionRange.upperBound)")

    /// Finds the generation that the plan continues among the existing ones.
    ///
    /// - Parameter generations: All generations, oldest first.
    /// - Returns: One of the same space and address that is being filled, or that serves unless the plan refills it;
    ///   one that serves since a re-embedding whose predecessor still exists; nil when a new one is needed.
    /// - Throws: ``RepositoryError/conflict(_:)`` when one of the same space and address is on standby, or is being
    ///   filled from another moment: its vectors were paid for, and are not deleted without a request.
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
        // The same request was repeated after its end: its generation replaced one that still exists.
        if let serving = alike.last(where: { $0.state == .serving }), since == nil || since == serving.since,
            generations.contains(where: { $0.state == .standby && $0.number < serving.number })
        {
            return serving
        }
        if let standby = alike.last(where: { $0.state == .standby }) {
            throw .conflict(
                "generation \(standby.number.rawValue) of this model is on standby; switch to it, or drop it first")
        }
        return nil
    }
}
