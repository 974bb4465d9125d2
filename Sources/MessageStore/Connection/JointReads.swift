import ChatCore
import Synchronization

/// Runs reads that wait at the same time as one, so that they share its round trips.
///
/// The first read begins at once; those that come while it runs are the next group. Only where several nodes share the
/// database: SQLite has no round trips, and each of its reads runs by itself.
final class JointReads<Item: Sendable, Value: Sendable>: Sendable {
    private struct Read {
        let item: Item
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var waiting: [Read] = []
        var isRunning = false
    }

    private let engine: any StoreEngine
    private let body: @Sendable ([Item], SQLSession) throws -> [Value]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - engine: Runs the reads.
    ///   - body: Reads for items, in one snapshot; returns a value for each, in their order.
    init(_ engine: any StoreEngine, _ body: @escaping @Sendable ([Item], SQLSession) throws -> [Value]) {
        (self.engine, self.body) = (engine, body)
    }

    /// Reads for an item; sees everything that was committed before the call.
    ///
    /// - Parameter item: What is read.
    /// - Returns: Its value.
    /// - Throws: ``RepositoryError``; `CancellationError` if the task was cancelled before. The read of a group does not end
    ///   when one of its tasks is cancelled.
    func run(_ item: Item) async throws -> Value {
        guard engine.isShared else { return try await value(of: item) }
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(Read(item: item, continuation: continuation))
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isFirst { Task { await runAll() } }
        }
    }

    private func runAll() async {
        repeat {
            // A read that fails must not end others.
            for read in await runGroup() {
                do {
                    read.continuation.resume(returning: try await value(of: read.item))
                } catch {
                    read.continuation.resume(throwing: error)
                }
            }
        } while hasMore()
    }

    private func value(of item: Item) async throws -> Value {
        try await engine.read { [body] db in
            guard let value = try body([item], db).first else { throw Self.missing }
            return value
        }
    }

    /// How far the reads of a group got.
    private enum Progress {
        /// There was no connection.
        case notBegun
        /// Each has its value or its error.
        case done
        /// One of them cannot be read.
        case undone([Read])
    }

    /// Runs those that wait as one; returns those that have to be tried each by itself.
    private func runGroup() async -> [Read] {
        let progress = Mutex(Progress.notBegun)
        do {
            try await engine.read { [self] db in
                let group = take()
                progress.withLock { $0 = .done }
                do {
                    let values = try body(group.map(\.item), db)
                    guard values.count == group.count else { throw Self.missing }
                    for (read, value) in zip(group, values) { read.continuation.resume(returning: value) }
                } catch {
                    if group.count > 1, Self.isOfOneItem(error) {
                        progress.withLock { $0 = .undone(group) }
                    } else {
                        let translated = StorageFailure.translated(error)
                        for read in group { read.continuation.resume(throwing: translated) }
                    }
                    throw error
                }
            }
            return []
        } catch {
            switch progress.withLock({ $0 }) {
            case .undone(let group): return group
            case .done: return []
            case .notBegun:
                for read in take() { read.continuation.resume(throwing: error) }
                return []
            }
        }
    }

    /// Whether an error can be that of one item: a value that the database refuses (class 22), or a row that cannot be
    /// read.
    private static func isOfOneItem(_ error: any Error) -> Bool {
        guard let failure = error as? PostgresFailure else { return true }
        return failure.code?.hasPrefix("22") == true
    }

    private func take() -> [Read] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func hasMore() -> Bool {
        state.withLock { state in
            state.isRunning = !state.waiting.isEmpty
            return state.isRunning
        }
    }

    private static var missing: RepositoryError { .unavailable(reason: "a read has no result") }
}
