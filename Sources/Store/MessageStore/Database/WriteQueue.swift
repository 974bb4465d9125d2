package import ChatCore
import Synchronization

/// Runs writes one after another; writes that wait at the same time share a transaction, and so wait once for the disk
/// (see ``WaitingWrites``).
///
/// Each write has its own savepoint: a write that fails undoes nothing of the others. If the transaction itself fails,
/// as on a full disk, its writes run again, each in its own transaction, so that each gets its own outcome.
///
/// Joint writes of a transaction run as one, so that their rows are looked up and stored together.
package final class WriteQueue: Sendable {
    private struct State {
        var waiting = WaitingWrites<any QueuedWrite>()
        var isRunning = false
    }

    /// Calls its argument when the next transaction can begin; fails if nothing can be written.
    package typealias Schedule =
        @Sendable (@escaping @Sendable (Result<any SQLSession, any Error>) -> Void) throws -> Void

    private let schedule: Schedule
    private let ended: @Sendable (ChangeCursor?) -> Void
    private let measured: @Sendable (StoreWrite) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - schedule: Gives the connection that writes, to one caller after another.
    ///   - measured: Called after each transaction with its time.
    ///   - ended: Called after each transaction, with the end of the change log; nil if it was undone.
    package init(
        schedule: @escaping Schedule, measured: @escaping @Sendable (StoreWrite) -> Void = { _ in },
        ended: @escaping @Sendable (ChangeCursor?) -> Void
    ) {
        self.schedule = schedule
        self.measured = measured
        self.ended = ended
    }

    /// Runs a write: all or nothing.
    ///
    /// - Parameters:
    ///   - name: What is written.
    ///   - body: The write; it may run twice, and only the last time counts.
    /// - Returns: The value of the body.
    /// - Throws: The error of the body or of the commit; `CancellationError` if the task was cancelled before.
    package func run<Value: Sendable>(
        _ name: StaticString, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await enqueue { continuation in
            Write((), of: WriteKind(name: name), isJoint: false, continuation) { _, session in [try body(session)] }
        }
    }

    /// Runs a write that can run together with others of the same types that wait at the same time.
    ///
    /// - Parameters:
    ///   - item: What is written.
    ///   - kind: Its name and weight.
    ///   - body: Writes items, in their order; returns a value for each. It may run several times, and only the last one
    ///     counts. All joint writes of these types have to have the same body.
    /// - Returns: The value for the item.
    /// - Throws: As ``run(_:)``.
    package func run<Item: Sendable, Value: Sendable>(
        _ item: Item, of kind: WriteKind, _ body: @escaping @Sendable ([Item], any SQLSession) throws -> [Value]
    ) async throws -> Value {
        try await enqueue { continuation in Write(item, of: kind, isJoint: true, continuation, body) }
    }

    private func enqueue<Value: Sendable>(
        _ write: (CheckedContinuation<Value, any Error>) -> any QueuedWrite
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let write = write(continuation)
            let isFirst = state.withLock { state in
                state.waiting.append(write, weight: write.kind.weight)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if isFirst { runNext() }
        }
    }

    /// Runs the waiting writes, and then those that came meanwhile.
    private func runNext() {
        do {
            try schedule { [self] session in
                run(state.withLock { $0.waiting.takeNext() }, in: session)
                let hasMore = state.withLock { state in
                    state.isRunning = !state.waiting.isEmpty
                    return state.isRunning
                }
                // Others that use the connection get their turn between two transactions.
                if hasMore { runNext() }
            }
        } catch {
            let refused = state.withLock { state in
                state.isRunning = false
                return state.waiting.takeAll()
            }
            for write in refused { write.fail(error) }
        }
    }

    private func run(_ group: [any QueuedWrite], in connection: Result<any SQLSession, any Error>) {
        let session: any SQLSession
        do {
            session = try connection.get()
        } catch {
            for write in group { write.fail(error) }
            return
        }
        let group = Self.failing(lateOnesOf: group, in: session)
        if group.count > 1 {
            let error = commit(group, in: session)
            if let error, (error as? any DatabaseFailure)?.isDisconnected == true {
                // Nobody knows whether it was committed, so none of them may run again.
                for write in group { write.fail(error) }
                return
            }
            if error == nil {
                for write in group { write.finish() }
                return
            }
        }
        for write in group {
            if let error = commit([write], in: session) { write.fail(error) } else { write.finish() }
        }
    }

    /// Fails writes that have waited for longer than a write may take; returns the others.
    private static func failing(lateOnesOf group: [any QueuedWrite], in session: any SQLSession) -> [any QueuedWrite] {
        guard let limit = session.writeLimit else { return group }
        let end = ContinuousClock.now - limit.duration
        for write in group where write.enqueuedAt <= end { write.fail(limit.failure) }
        return group.filter { $0.enqueuedAt > end }
    }

    /// Returns the error with which the transaction was undone; nil if it was committed.
    private func commit(_ group: [any QueuedWrite], in session: any SQLSession) -> (any Error)? {
        var end: ChangeCursor?
        let start = ContinuousClock.now
        defer {
            if let name = group.max(by: { $0.kind.weight < $1.kind.weight })?.kind.name {
                measured(StoreWrite(name: "\(name)", duration: .now - start, count: group.count))
            }
            ended(end)
        }
        do {
            let start = group.map(\.enqueuedAt).min() ?? .now
            try session.inTransaction(until: session.writeLimit.map { start + $0.duration }) {
                let units = Self.units(of: group)
                for unit in units {
                    if units.count == 1 { try unit.perform(in: session) } else { try perform(unit, in: session) }
                }
                end = try ChangeLog.end(in: session)
            }
            return nil
        } catch {
            end = nil
            return error
        }
    }

    /// Runs a unit in a savepoint; if that fails, runs each of its writes in its own savepoint.
    private func perform(_ unit: Unit, in session: any SQLSession) throws {
        var isUndone = false
        try session.inSavepoint {
            do {
                try unit.perform(in: session)
                return .commit
            } catch {
                // Some errors undo the whole transaction, and some concern all of its writes.
                guard session.isInsideTransaction, StorageTrouble(StorageFailure.translated(error)) == nil,
                    (error as? any DatabaseFailure)?.isLostRace != true
                else { throw error }
                if unit.others.isEmpty { unit.first.keep(error) } else { isUndone = true }
                return .rollback
            }
        }
        guard isUndone else { return }
        for write in [unit.first] + unit.others { try perform(Unit(first: write), in: session) }
    }

    /// Writes that run as one.
    private struct Unit {
        let first: any QueuedWrite
        var others: [any QueuedWrite] = []

        func perform(in session: any SQLSession) throws { try first.perform(with: others, in: session) }
    }

    /// Joint writes run together, at the position of the first of them.
    private static func units(of group: [any QueuedWrite]) -> [Unit] {
        var units: [Unit] = []
        for write in group {
            let place = units.firstIndex { $0.first.isJoint && type(of: $0.first) == type(of: write) }
            if write.isJoint, let place {
                units[place].others.append(write)
            } else {
                units.append(Unit(first: write))
            }
        }
        return units
    }
}

/// The name of a write, and how long it takes beside others.
package struct WriteKind: Sendable {
    package let name: StaticString
    package var weight: Int

    package init(name: StaticString, weight: Int = 1) { (self.name, self.weight) = (name, weight) }
}

/// A transaction that wrote.
package struct StoreWrite: Sendable {
    /// The transactions that take longer keep others waiting.
    package static let slow = Duration.milliseconds(50)

    /// What was written, the heaviest of several writes: the name of a function, without any content.
    package let name: String
    /// How long nothing else could be written.
    package let duration: Duration
    /// The number of writes.
    package let count: Int
}

/// A write that waits for its turn.
private protocol QueuedWrite: AnyObject, Sendable {
    var kind: WriteKind { get }
    /// Whether it can run together with others of its type.
    var isJoint: Bool { get }
    /// When it began to wait.
    var enqueuedAt: ContinuousClock.Instant { get }
    /// Runs it together with others of its type; each keeps its value.
    func perform(with others: [any QueuedWrite], in db: any SQLSession) throws
    /// Keeps its error.
    func keep(_ error: any Error)
    /// Hands over the result that it has kept.
    func finish()
    /// Hands over an error.
    func fail(_ error: any Error)
}

private final class Write<Item: Sendable, Value: Sendable>: QueuedWrite {
    let kind: WriteKind
    let isJoint: Bool
    let enqueuedAt = ContinuousClock.now
    private let item: Item
    private let body: @Sendable ([Item], any SQLSession) throws -> [Value]
    private let continuation: CheckedContinuation<Value, any Error>
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init(
        _ item: Item, of kind: WriteKind, isJoint: Bool, _ continuation: CheckedContinuation<Value, any Error>,
        _ body: @escaping @Sendable ([Item], any SQLSession) throws -> [Value]
    ) {
        (self.item, self.kind, self.isJoint) = (item, kind, isJoint)
        (self.body, self.continuation) = (body, continuation)
    }

    func perform(with others: [any QueuedWrite], in db: any SQLSession) throws {
        let writes = [self] + others.compactMap { $0 as? Write<Item, Value> }
        for (write, value) in zip(writes, try body(writes.map(\.item), db)) {
            write.result.withLock { $0 = .success(value) }
        }
    }

    func keep(_ error: any Error) { result.withLock { $0 = .failure(error) } }

    func finish() {
        let result = result.withLock { $0 }
        continuation.resume(with: result ?? .failure(RepositoryError.unavailable(reason: "a write has no result")))
    }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }
}
