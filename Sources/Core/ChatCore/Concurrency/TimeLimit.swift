/// Work was cancelled because its time limit had passed.
public struct TimeLimitExceeded: Error, Equatable, Sendable {
    public init() {}
}

/// Runs `work`, and cancels it once `limit` has passed.
///
/// The call returns only when the work has ended: work that ignores its cancellation delays it.
///
/// - Parameters:
///   - limit: How long the work may take.
///   - work: The work; it runs in a separate task.
/// - Returns: What the work returns.
/// - Throws: The errors of the work; ``TimeLimitExceeded``; `CancellationError`.
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
