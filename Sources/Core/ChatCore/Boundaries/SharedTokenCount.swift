/// The tokens of a day (UTC) that all nodes together send to embedding services.
///
/// An estimate is added before a request, so that requests of several nodes cannot exceed a limit together; the
/// difference to the used tokens follows. A node that dies between leaves its estimate.
public protocol SharedTokenCount: Sendable {
    /// Adds tokens to a day's count.
    ///
    /// - Parameters:
    ///   - tokenCount: The tokens; negative ones if an estimate was too high.
    ///   - day: See ``Timestamp/day``.
    ///   - ceiling: The most that the count may be before; nil adds always.
    /// - Returns: The count, and whether the tokens were added.
    /// - Throws: ``RepositoryError``.
    func add(_ tokenCount: Int, on day: Int, ifAtMost ceiling: Int?) async throws -> (count: Int, isAdded: Bool)
}
