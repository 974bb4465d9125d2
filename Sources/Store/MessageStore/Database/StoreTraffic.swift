import Synchronization

/// Counts what connections to a database server send, for tests and benchmarks.
package final class StoreTraffic: Sendable {
    /// The counts up to a moment.
    package struct Count: Hashable, Sendable {
        /// How often a connection waited for the server.
        ///
        /// Statements that were sent together count once.
        package var roundTrips = 0
        /// The statements that were sent.
        package var statements = 0

        /// What was sent between two counts.
        package static func - (end: Count, start: Count) -> Count {
            Count(roundTrips: end.roundTrips - start.roundTrips, statements: end.statements - start.statements)
        }
    }

    private let state = Mutex(Count())

    package init() {}

    /// What was sent since the store was opened, without opening connections.
    package var count: Count { state.withLock { $0 } }

    package func countStatement() { state.withLock { $0.statements += 1 } }

    package func countRoundTrip() { state.withLock { $0.roundTrips += 1 } }
}
