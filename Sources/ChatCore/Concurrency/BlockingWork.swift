import Foundation

/// Runs work that blocks, or computes for seconds, on its own thread, because the threads of Swift's pool are few.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

/// The same for work that does not fail.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// Runs work that must be finished once it has begun: the caller's cancellation does not reach it, and the call returns
/// when the work is done.
public func withoutCancellation<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await Task { try await work() }.value
}
