/// Work was given up because its time was over.
public struct TimeLimitExceeded: Error, Equatable, Sendable {
    public init() {}
}

/// Runs `work`, and cancels it once `limit` has passed.
///
/// The call ends when the work has ended: work that does not heed its cancellation holds it up.
///
/// - Parameters:
///   - limit: How long the work may take.
///   - work: What is done; it runs in a task of its own.
/// - Returns: What the work returns.
/// - Throws: What the work throws; ``TimeLimitExceeded``; `CancellationError`.
public func withTimeLimit<Value: Sendable>(
    _ limit: Duration, work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimeLimitExceeded()
        }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
