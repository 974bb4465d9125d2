/// Leases, under which one of several nodes does some work.
public protocol NodeLeases: Sendable {
    /// Waits for a lease, and does work while this node has it.
    ///
    /// A node that has its store for itself has every lease: the work begins at once, and is done when it ends. With
    /// other nodes it begins again each time that this node gets the lease, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - name: What the lease is for; one call at a time on a node.
    ///   - work: Ends soon after its term, or when the task is cancelled.
    /// - Throws: The errors of the work; the lease is given back.
    func hold(_ name: String, _ work: @Sendable (LeaseTerm) async throws -> Void) async throws
}

/// How long a node may work under a lease.
public enum LeaseTerm: Sendable {
    /// As long as it runs, because there is no other node.
    case always
    /// Until the function returns; soon after that another node may have the lease.
    case until(@Sendable () async -> Void)
}

/// The leases of a node that has its store for itself.
public struct LocalLeases: NodeLeases {
    public init() {}

    /// Does the work at once: no other node could have the lease.
    public func hold(_ name: String, _ work: @Sendable (LeaseTerm) async throws -> Void) async throws {
        try await work(.always)
    }
}
