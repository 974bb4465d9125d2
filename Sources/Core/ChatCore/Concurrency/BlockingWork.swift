import Foundation

/// Runs blocking or long computing work on its own thread, because the threads of Swift's pool are few.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

/// Runs work that does not fail, in the same way.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// Runs work that must be completed once it has begun: the caller's cancellation does not reach it, and the call
/// returns when the work is done.
public func withoutCancellation<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await Task { try await work() }.value
}
