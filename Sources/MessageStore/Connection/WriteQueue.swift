import ChatCore
import Synchronization

/// Runs writes one after another, in transactions that are shared by those that wait at the same time.
///
/// Writes of one transaction wait once for the disk.
///
/// Each write is a savepoint of its own: one that fails undoes nothing of the others. If the transaction itself fails, as
/// on a full disk, its writes run again, each in its own transaction, so that each gets its own outcome.
final class WriteQueue: Sendable {
    /// The most writes of a transaction.
    private static let groupLimit = 64

    private struct State {
        var waiting: [any QueuedWrite] = []
        var isRunning = false
    }

    /// Calls its argument where the next transaction can begin; fails if nothing can be written.
    typealias Schedule = @Sendable (@escaping @Sendable (Result<SQLSession, any Error>) -> Void) throws -> Void

    private let schedule: Schedule
    private let ended: @Sendable (ChangeCursor?) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - schedule: Gives the connection that writes, to one caller after another.
    ///   - ended: Called after each transaction, with the end of the change log; nil if it was undone.
    init(schedule: @escaping Schedule, ended: @escaping @Sendable (ChangeCursor?) -> Void) {
        self.schedule = schedule
        self.ended = ended
    }

    /// Runs a write: all or nothing.
    ///
    /// - Parameter body: The write; it may run twice, and only the last time counts.
    /// - Returns: The value of the body.
    /// - Throws: The error of the body or of the commit; `CancellationError` if the task was cancelled before.
    func run<Value: Sendable>(_ body: @escaping @Sendable (SQLSession) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let write = Write(body, continuation)
            let isFirst = state.withLock { state in
                state.waiting.append(write)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isFirst { runNext() }
        }
    }

    /// Runs the writes that wait, and then those that have come meanwhile.
    private func runNext() {
        do {
            try schedule { [self] session in
                let group = state.withLock { state in
                    let group = Array(state.waiting.prefix(Self.groupLimit))
                    state.waiting.removeFirst(group.count)
                    return group
                }
                run(group, in: session)
                let hasMore = state.withLock { state in
                    state.isRunning = !state.waiting.isEmpty
                    return state.isRunning
                }
                // Others that use the connection get their turn between two transactions.
                if hasMore { runNext() }
            }
        } catch {
            let refused = state.withLock { state in
                defer { state = State() }
                return state.waiting
            }
            for write in refused { write.fail(error) }
        }
    }

    private func run(_ group: [any QueuedWrite], in connection: Result<SQLSession, any Error>) {
        let session: SQLSession
        do {
            session = try connection.get()
        } catch {
            for write in group { write.fail(error) }
            return
        }
        if group.count > 1, commit(group, in: session) == nil {
            for write in group { write.finish() }
            return
        }
        for write in group {
            if let error = commit([write], in: session) { write.fail(error) } else { write.finish() }
        }
    }

    /// Returns the error with which the transaction was undone; nil if it was committed.
    private func commit(_ group: [any QueuedWrite], in session: SQLSession) -> (any Error)? {
        var end: ChangeCursor?
        defer { ended(end) }
        do {
            try session.inTransaction {
                for write in group {
                    guard group.count > 1 else {
                        try write.perform(in: session)
                        continue
                    }
                    try session.inSavepoint {
                        do {
                            try write.perform(in: session)
                            return .commit
                        } catch {
                            // Some errors undo the whole transaction.
                            guard session.isInsideTransaction,
                                StorageTrouble(StorageFailure.translated(error)) == nil
                            else { throw error }
                            write.keep(error)
                            return .rollback
                        }
                    }
                }
                end = try ChangeLog.end(in: session)
            }
            return nil
        } catch {
            end = nil
            return error
        }
    }
}

/// A write that waits for its turn.
private protocol QueuedWrite: Sendable {
    /// Runs it and keeps its value.
    func perform(in db: SQLSession) throws
    /// Keeps its error.
    func keep(_ error: any Error)
    /// Hands over what it has kept.
    func finish()
    /// Hands over an error.
    func fail(_ error: any Error)
}

private final class Write<Value: Sendable>: QueuedWrite {
    private let body: @Sendable (SQLSession) throws -> Value
    private let continuation: CheckedContinuation<Value, any Error>
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init(
        _ body: @escaping @Sendable (SQLSession) throws -> Value, _ continuation: CheckedContinuation<Value, any Error>
    ) {
        self.body = body
        self.continuation = continuation
    }

    func perform(in db: SQLSession) throws {
        let value = try body(db)
        result.withLock { $0 = .success(value) }
    }

    func keep(_ error: any Error) { result.withLock { $0 = .failure(error) } }

    func finish() {
        let result = result.withLock { $0 }
        continuation.resume(with: result ?? .failure(RepositoryError.unavailable(reason: "a write has no result")))
    }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }
}
