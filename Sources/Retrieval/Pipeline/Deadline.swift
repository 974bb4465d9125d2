/// Lets an operation run for so long; nil when it has not ended by then, and is cancelled.
func withDeadline<Value: Sendable>(
    _ duration: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try await Task.sleep(for: duration)
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}
