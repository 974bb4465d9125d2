import Synchronization

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

/// The count of a node that has its store for itself: in memory, so a restart begins with what is recorded.
public final class LocalTokenCount: SharedTokenCount {
    /// How many days are remembered.
    private static let dayCount = 2

    private let recorded: @Sendable (_ day: Int) async throws -> Int
    private let counts = Mutex<[Int: Int]>([:])

    /// - Parameter recorded: Returns the tokens of services that are recorded for a day; none unless given.
    public init(recorded: @escaping @Sendable (_ day: Int) async throws -> Int = { _ in 0 }) {
        self.recorded = recorded
    }

    /// Adds tokens to a day's count in memory; see ``SharedTokenCount/add(_:on:ifAtMost:)``.
    ///
    /// - Throws: What reading the recorded tokens throws, at the first call of a day.
    public func add(
        _ tokenCount: Int, on day: Int, ifAtMost ceiling: Int?
    ) async throws -> (count: Int, isAdded: Bool) {
        if counts.withLock({ $0[day] }) == nil { begin(day, with: try await recorded(day)) }
        return counts.withLock { counts in
            let count = counts[day] ?? 0
            guard count <= ceiling ?? .max else { return (count, false) }
            let sum = max(0, count.addingClamped(tokenCount))
            counts[day] = sum
            return (sum, true)
        }
    }

    private func begin(_ day: Int, with tokenCount: Int) {
        counts.withLock { counts in
            // Another task may have begun it meanwhile.
            if counts[day] == nil { counts[day] = tokenCount }
            while counts.count > Self.dayCount, let oldest = counts.keys.min() { counts[oldest] = nil }
        }
    }
}
