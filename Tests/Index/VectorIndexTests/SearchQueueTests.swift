import Dispatch
import Glibc
import IndexCore
import IndexTestSupport
import Synchronization
import Testing
import VectorIndex

/// The queue gives what direct searches give, to each caller what it asked for, and stops when told.
@Suite(.timeLimit(.minutes(15)))
struct SearchQueueTests {
    private static let rowCount = 3000

    /// Rows in groups 0...9, so many blocks that threads share them.
    private func makeIndex() throws -> CosineIndex {
        let index = CosineIndex(dimensions: 64, blockRowCount: 64, threadCount: 2)
        try index.upsert(
            (0..<Self.rowCount).map { VectorRow(Int64($0), in: Int64($0 % 10), vector($0)) })
        return index
    }

    private func vector(_ number: Int) -> [Float] {
        var generator = SplitMix64(seed: UInt64(number))
        return (0..<64).map { _ in Float.random(in: -1...1, using: &generator) }
    }

    private func query(_ number: Int) -> [Float] { vector(1_000_000 + number) }

    @Test func everyCallerGetsWhatADirectSearchGives() async throws {
        let index = try makeIndex()
        let queue = SearchQueue(threadCount: 2)
        let selections = [groups(0, 1, 2), groups(3), groups(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), groups()]

        let writer = Task {
            for round in 0..<200 {
                let rows = (0..<20).map { VectorRow(Int64(50_000 + $0), in: 99, vector(round * 20 + $0)) }
                try index.upsert(rows)
                if round % 3 == 0 { index.removeGroup(GroupKey(rawValue: 99)) }
                await Task.yield()
            }
        }
        let wrongCount = try await withThrowingTaskGroup(of: Int.self) { group in
            for caller in 0..<64 {
                group.addTask {
                    var wrongCount = 0
                    for round in 0..<10 {
                        let (query, k) = (query(caller * 100 + round), [1, 10, 40, 3000][(caller + round) % 4])
                        let selection = selections[(caller + round / 3) % 4]
                        let found = try await queue.search(query, k: k, in: selection, on: index)
                        if try found != index.search(query, k: k, in: selection) { wrongCount += 1 }
                    }
                    return wrongCount
                }
            }
            return try await group.reduce(0, +)
        }
        try await writer.value

        #expect(wrongCount == 0)
        #expect(queue.waitingCount == 0)
    }

    @Test func aSearchSeesWhatWasWrittenBeforeIt() async throws {
        let index = try makeIndex()
        let queue = SearchQueue(threadCount: 2)

        let firsts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for caller in 0..<64 {
                group.addTask {
                    let vector = query(caller)
                    try index.upsert([VectorRow(Int64(90_000 + caller), in: 5, vector)])
                    let hits = try await queue.search(vector, k: 1, in: .all, on: index)
                    return hits.first?.key.rawValue == Int64(90_000 + caller)
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }

        #expect(firsts == 64)
    }

    @Test func waitingSearchesShareAPassWhereTheyMay() async throws {
        let index = try makeIndex()
        let queue = SearchQueue(threadCount: 1)
        let gate = Gate()
        let blocked = ask(queue, index, groups(0), gate.predicate)
        await gate.reached()
        let passCount = queue.passCount

        // Three passes: four searches of three groups, one of another selection, one with a large k.
        let sizes = [5, 1, 100, 17]
        let together = try await sizes.enumerated().asyncMap { number, k in
            try await asked(queue, number) { ask(queue, index, groups(1, 2, 3), k: k, query: query(number)) }
        }
        let other = try await asked(queue, 4) { ask(queue, index, groups(1, 2, 4)) }
        let large = try await asked(queue, 5) { ask(queue, index, groups(1, 2, 3), k: 500) }
        gate.open()

        for (number, k) in sizes.enumerated() {
            let expected = try index.search(query(number), k: k, in: groups(1, 2, 3))
            #expect(try await together[number].value == expected)
        }
        #expect(try await other.value == index.search(query(0), k: 10, in: groups(1, 2, 4)))
        #expect(try await large.value == index.search(query(0), k: 500, in: groups(1, 2, 3)))
        _ = try await blocked.value
        #expect(queue.passCount == passCount + 3)
    }

    @Test func searchesAreTakenInOrderOfArrival() async throws {
        let index = try makeIndex()
        let queue = SearchQueue(threadCount: 1)
        let (gate, order) = (Gate(), Order())
        let blocked = ask(queue, index, groups(0), gate.predicate)
        await gate.reached()

        var tasks: [Task<[VectorHit], any Error>] = []
        for number in 0..<6 {
            tasks.append(
                try await asked(queue, 2 * number) { ask(queue, index, groups(1), order.predicate(number)) })
            tasks.append(try await asked(queue, 2 * number + 1) { ask(queue, index, groups(1)) })
        }
        gate.open()
        for task in tasks { _ = try await task.value }

        #expect(order.numbers == [0, 1, 2, 3, 4, 5])
        _ = try await blocked.value
    }

    @Test func aCancelledSearchThatWaitsIsGoneAtOnce() async throws {
        let index = try makeIndex()
        let queue = SearchQueue(threadCount: 1)
        let gate = Gate()
        let blocked = ask(queue, index, groups(0), gate.predicate)
        await gate.reached()
        let left = try await asked(queue, 0) { ask(queue, index, groups(1)) }
        let cancelled = try await asked(queue, 1) { ask(queue, index, groups(1)) }

        cancelled.cancel()

        await #expect(throws: VectorIndexError.cancelled) { try await cancelled.value }
        #expect(queue.waitingCount == 1)
        gate.open()
        #expect(try await left.value == index.search(query(0), k: 10, in: groups(1)))
        _ = try await blocked.value
    }

    @Test func aCancelledSearchThatRunsStops() async throws {
        let index = CosineIndex(dimensions: 64, blockRowCount: 64)
        let row = vector(0)
        try index.upsert((0..<8000).map { VectorRow(Int64($0), in: 1, row) })
        let queue = SearchQueue(threadCount: 1)
        let gate = Gate()
        let running = ask(queue, index, .all, gate.predicate)
        await gate.reached()

        running.cancel()

        await #expect(throws: VectorIndexError.cancelled) { try await running.value }
        gate.open()
        // The one thread is free again when this is done.
        _ = try await queue.search(row, k: 1, in: .all, on: index)
        #expect(gate.callCount < 2000)
        let finished = Gate()
        finished.open()
        _ = try await queue.search(row, k: 10, in: .all, on: index, where: finished.predicate)
        #expect(finished.callCount >= 8000)
    }

    @Test func cancelledMembersDisturbNobody() async throws {
        let index = try makeIndex()
        let queue = SearchQueue(threadCount: 2)

        let tasks = (0..<300).map { number in ask(queue, index, .all, query: query(number)) }
        for (number, task) in tasks.enumerated() where number % 3 == 0 { task.cancel() }

        for (number, task) in tasks.enumerated() {
            let expected = try index.search(query(number), k: 10, in: .all)
            switch await task.result {
            case .success(let hits): #expect(hits == expected)
            case .failure(let error):
                #expect(number % 3 == 0)
                #expect(error as? VectorIndexError == .cancelled)
            }
        }
        // One that was cancelled while it arrived goes when a thread next looks.
        _ = try await queue.search(query(0), k: 1, in: .all, on: index)
        #expect(queue.waitingCount == 0)
    }

    @Test func badQueriesFailTheirCallersOnly() async throws {
        let index = try makeIndex()
        let queue = SearchQueue(threadCount: 1)
        let gate = Gate()
        let blocked = ask(queue, index, groups(0), gate.predicate)
        await gate.reached()
        let good = try await asked(queue, 0) { ask(queue, index, groups(1)) }

        await #expect(throws: VectorIndexError.dimensionMismatch(expected: 64, got: 3)) {
            try await ask(queue, index, groups(1), query: [1, 2, 3]).value
        }
        await #expect(throws: VectorIndexError.zeroVector) {
            try await ask(queue, index, groups(1), query: Array(repeating: 0, count: 64)).value
        }
        await #expect(throws: VectorIndexError.notFinite(component: 2)) {
            try await ask(queue, index, groups(1), query: [1, 2, .nan] + Array(repeating: 0, count: 61)).value
        }

        gate.open()
        #expect(try await good.value == index.search(query(0), k: 10, in: groups(1)))
        _ = try await blocked.value
    }

    @Test func threadsEndWithTheQueue() async throws {
        let index = try makeIndex()
        var queue: SearchQueue? = SearchQueue(threadCount: 2)
        let thread = Mutex("")
        _ = try await queue?.search(query(0), k: 1, in: .all, on: index) { _, _ in
            thread.withLock { $0 = Self.currentThread }
            return true
        }
        let path = thread.withLock { "/proc/\($0)" }
        #expect(path.contains("/task/"))
        #expect(access(path, F_OK) == 0)

        queue = nil

        // A joined thread may be listed for another moment.
        while access(path, F_OK) == 0 { try? await Task.sleep(for: .milliseconds(1)) }
    }

    // MARK: help

    /// The calling thread's place in the process table, as `process/task/thread`.
    private static var currentThread: String {
        var bytes = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/thread-self", &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func ask(
        _ queue: SearchQueue, _ index: CosineIndex, _ groups: GroupSelection, k: Int = 10, query: [Float]? = nil,
        _ predicate: (@Sendable (RowKey, RowAttributes) -> Bool)? = nil
    ) -> Task<[VectorHit], any Error> {
        let query = query ?? self.query(0)
        return Task.detached { try await queue.search(query, k: k, in: groups, on: index, where: predicate) }
    }

    private func ask(
        _ queue: SearchQueue, _ index: CosineIndex, _ groups: GroupSelection,
        _ predicate: @escaping @Sendable (RowKey, RowAttributes) -> Bool
    ) -> Task<[VectorHit], any Error> {
        ask(queue, index, groups, k: 10, query: nil, predicate)
    }

    /// Starts a search and returns when it waits, as one more than `count`.
    private func asked(
        _ queue: SearchQueue, _ count: Int, _ start: () -> Task<[VectorHit], any Error>
    ) async throws -> Task<[VectorHit], any Error> {
        let task = start()
        while queue.waitingCount <= count { try? await Task.sleep(for: .milliseconds(1)) }
        return task
    }
}

/// A predicate that holds the thread which asks it first.
private final class Gate: Sendable {
    private let calls = Atomic(0)
    private let semaphore = DispatchSemaphore(value: 0)

    var callCount: Int { calls.load(ordering: .acquiring) }

    var predicate: @Sendable (RowKey, RowAttributes) -> Bool {
        { [self] _, _ in
            if calls.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { semaphore.wait() }
            return true
        }
    }

    func open() { semaphore.signal() }

    func reached() async { while callCount == 0 { try? await Task.sleep(for: .milliseconds(1)) } }
}

/// Predicates that tell in which order they were first asked.
private final class Order: Sendable {
    private let seen = Mutex<[Int]>([])

    var numbers: [Int] { seen.withLock { $0 } }

    func predicate(_ number: Int) -> @Sendable (RowKey, RowAttributes) -> Bool {
        { [self] _, _ in
            seen.withLock { if !$0.contains(number) { $0.append(number) } }
            return true
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
