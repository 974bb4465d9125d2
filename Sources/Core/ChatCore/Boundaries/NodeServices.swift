/// What the nodes of one store share besides its rows.
///
/// A store that one process owns has conformers in memory, and one in a database that several nodes use has conformers
/// in the database. Both keep the same contracts, so nobody has to ask how many nodes there are.
public struct NodeServices: Sendable {
    /// The present time: that of the database's clock if there is a database, because the clocks of nodes may differ.
    public let clock: @Sendable () -> Timestamp
    /// Texts between the nodes.
    public let channel: any NodeChannel
    /// Leases for work that one node does.
    public let leases: any NodeLeases
    /// Tickets and sign-ins that have begun.
    public let oneTimeValues: any OneTimeValues
    /// The responses to requests with an `Idempotency-Key`.
    public let keptResponses: any KeptResponses
    /// The buckets of limits.
    public let buckets: any SharedBuckets
    /// The tokens of embedding services.
    public let embeddingTokens: any SharedTokenCount

    public init(
        clock: @escaping @Sendable () -> Timestamp, channel: any NodeChannel, leases: any NodeLeases,
        oneTimeValues: any OneTimeValues, keptResponses: any KeptResponses, buckets: any SharedBuckets,
        embeddingTokens: any SharedTokenCount
    ) {
        self.clock = clock
        self.channel = channel
        self.leases = leases
        self.oneTimeValues = oneTimeValues
        self.keptResponses = keptResponses
        self.buckets = buckets
        self.embeddingTokens = embeddingTokens
    }

    /// Makes the services of a node that has its store for itself.
    ///
    /// - Parameter recordedTokens: Returns the tokens of embedding services that are recorded for a day.
    /// - Returns: The services.
    public static func alone(recordedTokens: @escaping @Sendable (_ day: Int) async throws -> Int) -> NodeServices {
        NodeServices(
            clock: { .systemNow() }, channel: LocalNodeChannel(), leases: LocalLeases(),
            oneTimeValues: LocalOneTimeValues(), keptResponses: LocalKeptResponses(), buckets: LocalBuckets(),
            embeddingTokens: LocalTokenCount(recorded: recordedTokens))
    }
}
