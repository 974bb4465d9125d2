/// What the nodes of one store share besides its rows.
///
/// A store that one process owns has conformers in memory, and one in a database that several nodes use has conformers
/// in the database. Both keep the same contracts, so nobody has to ask how many nodes there are.
package struct NodeServices: Sendable {
    /// The present time: that of the database's clock if there is a database, because the clocks of nodes may differ.
    package let clock: @Sendable () -> Timestamp
    /// Texts between the nodes.
    package let channel: any NodeChannel
    /// Leases for work that one node does.
    package let leases: any NodeLeases
    /// Tickets and sign-ins that have begun.
    package let oneTimeValues: any OneTimeValues
    /// The responses to requests with an `Idempotency-Key`.
    package let keptResponses: any KeptResponses
    /// The buckets of limits.
    package let buckets: any SharedBuckets
    /// The tokens of embedding services.
    package let embeddingTokens: any SharedTokenCount

    package init(
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
    package static func alone(recordedTokens: @escaping @Sendable (_ day: Int) async throws -> Int) -> NodeServices {
        NodeServices(
            clock: { .systemNow() }, channel: LocalNodeChannel(), leases: LocalLeases(),
            oneTimeValues: LocalOneTimeValues(), keptResponses: LocalKeptResponses(), buckets: LocalBuckets(),
            embeddingTokens: LocalTokenCount(recorded: recordedTokens))
    }
}
