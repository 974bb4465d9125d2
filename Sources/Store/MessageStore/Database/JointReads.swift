import ChatCore
import Synchronization

/// Runs reads that wait at the same time as one read, so that they share its round trips.
///
/// The first read begins at once. Reads that come while it runs are the next group, which does not wait long for a slow
/// one. Reads are joined only if several nodes share the database: SQLite has no round trips, so its reads run alone.
final class JointReads<Item: Sendable, Value: Sendable>: Sendable {
    /// A read whose caller waits; it ends once, with its value or because its task is cancelled.
    private final class Read: Sendable {
        private enum Phase {
            case begun
            case waiting(CheckedContinuation<Value, any Error>)
            case over
        }

        let item: Item
        private let phase = Mutex(Phase.begun)

        init(_ item: Item) { self.item = item }

        /// Lets the caller wait; returns false if the read is over.
        func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
            let waits = phase.withLock { phase in
                if case .over = phase { return false }
                phase = .waiting(continuation)
                return true
            }
            if !waits { continuation.resume(throwing: CancellationError()) }
            return waits
        }

        func end(_ result: Result<Value, any Error>) {
            let continuation = phase.withLock { phase -> CheckedContinuation<Value, any Error>? in
                defer { phase = .over }
                if case .waiting(let continuation) = phase { return continuation }
                return nil
            }
            continuation?.resume(with: result)
        }

        var isOver: Bool {
            phase.withLock { phase in
                if case .over = phase { true } else { false }
            }
        }
    }

    private struct State {
        var waiting: [Read] = []
        /// How many groups run.
        var runningCount = 0
        /// When the last group began.
        var begunAt = ContinuousClock.now

        /// Returns whether a new read begins a group now.
        mutating func begins() -> Bool {
            let now = ContinuousClock.now
            let isSlow = runningCount < JointReads.groupLimit && now - begunAt > JointReads.patience
            guard runningCount == 0 || isSlow else { return false }
            (runningCount, begunAt) = (runningCount + 1, now)
            return true
        }
    }

    /// Reads wait this long for a group before the next group begins beside it.
    private static var patience: Duration { .milliseconds(50) }
    /// The most groups at a time.
    private static var groupLimit: Int { 4 }
    /// The most reads of a group.
    private static var sizeLimit: Int { 64 }
    /// A group that took longer is not tried again when its connection fails.
    private static var repetitionLimit: Duration { .seconds(1) }

    private let engine: any StoreEngine
    private let body: @Sendable ([Item], any SQLSession) throws -> [Value]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - engine: Runs the reads.
    ///   - body: Reads for items, in one snapshot; returns a value for each, in their order.
    init(_ engine: any StoreEngine, _ body: @escaping @Sendable ([Item], any SQLSession) throws -> [Value]) {
        (self.engine, self.body) = (engine, body)
    }

    /// Reads for an item; sees everything that was committed before the call.
    ///
    /// - Parameter item: What is read.
    /// - Returns: Its value.
    /// - Throws: ``RepositoryError``; `CancellationError` when the task is cancelled, while the others' read continues.
    func run(_ item: Item) async throws -> Value {
        guard engine.shared != nil else { return try await value(of: item) }
        let read = Read(item)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard read.wait(continuation) else { return }
                let isFirst = state.withLock { state in
                    state.waiting.append(read)
                    return state.begins()
                }
                if isFirst { Task { await runAll() } }
            }
        } onCancel: {
            read.end(.failure(CancellationError()))
        }
    }

    private func runAll() async {
        repeat {
            // A read that fails must not end others.
            for read in await runGroup() where !read.isOver {
                do {
                    read.end(.success(try await value(of: read.item)))
                } catch {
                    read.end(.failure(error))
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

    /// The progress of a group.
    private enum Progress {
        /// There was no connection.
        case notBegun
        /// Each has its value or its error.
        case done
        /// One of them cannot be read.
        case undone([Read])
    }

    /// Runs the waiting reads as one; returns those that have to be tried one by one.
    private func runGroup() async -> [Read] {
        let progress = Mutex(Progress.notBegun)
        let begin = ContinuousClock.now
        do {
            try await engine.read { [self] db in
                let group = take()
                progress.withLock { $0 = .done }
                // Another group may have taken them, or nobody waits any more.
                guard !group.isEmpty else { return }
                do {
                    let values = try body(group.map(\.item), db)
                    guard values.count == group.count else { throw Self.missing }
                    for (read, value) in zip(group, values) { read.end(.success(value)) }
                } catch {
                    if group.count > 1, Self.isWorthRepeating(error, after: .now - begin) {
                        progress.withLock { $0 = .undone(group) }
                    } else {
                        let translated = StorageFailure.translated(error)
                        for read in group { read.end(.failure(translated)) }
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
                for read in take() { read.end(.failure(error)) }
                return []
            }
        }
    }

    /// Whether the reads of a group are tried one by one.
    ///
    /// The error may concern one item, if the database refuses a value (class 22) or a row cannot be read. It may also
    /// concern one connection.
    private static func isWorthRepeating(_ error: any Error, after time: Duration) -> Bool {
        guard let failure = error as? any DatabaseFailure else { return true }
        return failure.isOfOneItem ?? (time < repetitionLimit)
    }

    private func take() -> [Read] {
        state.withLock { state in
            let group = Array(state.waiting.prefix(Self.sizeLimit))
            state.waiting.removeFirst(group.count)
            return group.filter { !$0.isOver }
        }
    }

    private func hasMore() -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty else {
                state.begunAt = .now
                return true
            }
            state.runningCount -= 1
            return false
        }
    }

    private static var missing: RepositoryError { .unavailable(reason: "a read has no result") }
}
