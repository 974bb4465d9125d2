import Synchronization
import TestSupport
import Testing
import UseCases

@Suite(.hangGuard) struct FairGateTests {
    /// A request that runs until it is finished.
    private struct Held {
        let task: Task<Void, any Error>
        let finish: AsyncStream<Void>.Continuation
    }

    /// Counts what is carried out at a time.
    private final class Most: Sendable {
        private let counts = Mutex((now: 0, peak: 0))

        var peak: Int { counts.withLock { $0.peak } }

        func begin() { counts.withLock { $0 = ($0.now + 1, max($0.peak, $0.now + 1)) } }
        func end() { counts.withLock { $0.now -= 1 } }
    }

    private func hold(_ gate: FairGate, _ user: String, then note: @escaping @Sendable () -> Void = {}) -> Held {
        let (end, finish) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await gate.withPlace(for: user) {
                note()
                for await _ in end { break }
            }
        }
        return Held(task: task, finish: finish)
    }

    private func wait(_ gate: FairGate, until running: Int, _ waiting: Int) async {
        while (gate.counts.running, gate.counts.waiting) != (running, waiting) { await shortPause() }
    }

    private func isRefused(_ gate: FairGate, _ user: String, as wanted: LimitError) async -> Bool {
        do { try await gate.withPlace(for: user) {} } catch { return error as? LimitError == wanted }
        return false
    }

    @Test(arguments: [(0, 1), (1, 1), (2, 1), (8, 7), (128, 32)])
    func searchesOfOneUserLeaveAProcessorToOthers(processors: Int, expected: Int) {
        #expect(SearchLimits.perUser(processors: processors) == expected)
    }

    @Test func aUserWithManySearchesDelaysTheOthersByOne() async throws {
        let gate = FairGate(limits: SearchLimits(running: 1, perUser: 1))
        let order = Mutex<[String]>([])
        var held: [Held] = []
        for (number, user) in ["a", "a", "a", "a", "b", "c"].enumerated() {
            held.append(hold(gate, user) { order.withLock { $0.append(user) } })
            await wait(gate, until: 1, number)
        }

        for one in held { one.finish.finish() }
        for one in held { try await one.task.value }

        #expect(order.withLock { $0 } == ["a", "a", "b", "c", "a", "a"])
        #expect(gate.counts == (0, 0, 0))
    }

    @Test func searchesOfOneUserWaitWhileAnotherIsServed() async throws {
        let gate = FairGate(limits: SearchLimits(running: 8, perUser: 2))
        var held: [Held] = []
        for _ in 0..<5 { held.append(hold(gate, "a")) }
        await wait(gate, until: 2, 3)

        try await gate.withPlace(for: "b") {}

        #expect(gate.counts.running == 2)
        for one in held { one.finish.finish() }
        for one in held { try await one.task.value }
        #expect(gate.counts == (0, 0, 0))
    }

    @Test func aUserWhoAsksForMuchAtOncePausesInBetween() async throws {
        let pauses = Mutex<[Duration]>([])
        let gate = FairGate(limits: .lists) { pause in pauses.withLock { $0.append(pause) } }
        try await gate.withPlace(for: "a") {}
        try await gate.withPlace(for: "a") {}
        #expect(pauses.withLock { $0 } == [])

        var held = [hold(gate, "a")]
        await wait(gate, until: 1, 0)
        held.append(hold(gate, "a"))
        await wait(gate, until: 1, 1)
        // Another user does not pause for this one.
        try await gate.withPlace(for: "b") {}
        for one in held { one.finish.finish() }
        for one in held { try await one.task.value }

        let found = pauses.withLock { $0 }
        #expect(found.count == 1 && found.allSatisfy { $0 > .zero && $0 <= .seconds(1) })
        #expect(gate.counts == (0, 0, 0))
    }

    @Test func whoLeavesDuringThePauseLeavesItToTheNext() async throws {
        let pauses = Mutex(0)
        let gate = FairGate(limits: .lists) { _ in
            pauses.withLock { $0 += 1 }
            if pauses.withLock({ $0 }) == 1 { throw CancellationError() }
        }
        let order = Mutex<[Int]>([])
        var held = [hold(gate, "a")]
        await wait(gate, until: 1, 0)
        for number in 1...2 {
            held.append(hold(gate, "a") { order.withLock { $0.append(number) } })
            await wait(gate, until: 1, number)
        }

        for one in held { one.finish.finish() }
        try await held[0].task.value
        await #expect(throws: CancellationError.self) { try await held[1].task.value }
        try await held[2].task.value

        #expect(order.withLock { $0 } == [2])
        #expect(pauses.withLock { $0 } == 2)
        #expect(gate.counts == (0, 0, 0))
    }

    @Test func whatIsTooMuchIsRefusedAtOnce() async throws {
        let gate = FairGate(limits: SearchLimits(running: 1, perUser: 1, waitingPerUser: 1, waiting: 2))
        let first = hold(gate, "a")
        await wait(gate, until: 1, 0)
        let second = hold(gate, "a")
        await wait(gate, until: 1, 1)
        let third = hold(gate, "b")
        await wait(gate, until: 1, 2)

        #expect(await isRefused(gate, "a", as: .tooManySearches))
        #expect(await isRefused(gate, "c", as: .overloaded))
        for one in [first, second, third] {
            one.finish.finish()
            try await one.task.value
        }
        #expect(gate.counts == (0, 0, 0))
    }

    @Test func oneThatIsCancelledWhileItWaitsLeavesNothing() async throws {
        let gate = FairGate(limits: SearchLimits(running: 1, perUser: 1))
        let first = hold(gate, "a")
        await wait(gate, until: 1, 0)
        let second = hold(gate, "b")
        await wait(gate, until: 1, 1)

        second.task.cancel()
        await #expect(throws: CancellationError.self) { try await second.task.value }

        #expect(gate.counts == (1, 0, 1))
        first.finish.finish()
        try await first.task.value
        #expect(gate.counts == (0, 0, 0))
    }

    @Test func manyAtOnceLeaveNothingBehindAndNeverExceedTheLimits() async throws {
        let gate = FairGate(limits: SearchLimits(running: 4, perUser: 2, waitingPerUser: 500))
        let most = Most()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    try await gate.withPlace(for: "user \(number % 5)") {
                        most.begin()
                        await Task.yield()
                        most.end()
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(most.peak <= 4)
        #expect(gate.counts == (0, 0, 0))
    }

    @Test func theOneThatWaitsLongestIsNext() async throws {
        let gate = FairGate(limits: QuestionLimits(running: 1, perUser: 5, waiting: 5))
        let order = Mutex<[String]>([])
        var held: [Held] = []
        for (number, user) in ["a", "b", "c"].enumerated() {
            held.append(hold(gate, user) { order.withLock { $0.append(user) } })
            await wait(gate, until: 1, number)
        }

        for one in held {
            one.finish.finish()
            try await one.task.value
        }

        #expect(order.withLock { $0 } == ["a", "b", "c"])
        #expect(gate.counts == (0, 0, 0))
    }

    @Test func whoFindsTheQueueFullIsRefusedAtOnce() async throws {
        let gate = FairGate(limits: QuestionLimits(running: 1, perUser: 5, waiting: 1))
        let first = hold(gate, "a")
        await wait(gate, until: 1, 0)
        let second = hold(gate, "b")
        await wait(gate, until: 1, 1)

        #expect(await isRefused(gate, "c", as: .overloaded))
        for one in [first, second] {
            one.finish.finish()
            try await one.task.value
        }
        try await gate.withPlace(for: "c") {}
    }

    @Test func aUserHasSoManyPlacesWaitingOnesIncluded() async throws {
        let gate = FairGate(limits: QuestionLimits(running: 1, perUser: 2, waiting: 5))
        let held = [hold(gate, "a"), hold(gate, "a")]
        await wait(gate, until: 1, 1)

        #expect(await isRefused(gate, "a", as: .tooManyQuestions))
        for one in held { one.finish.finish() }
        for one in held { try await one.task.value }
        try await gate.withPlace(for: "a") {}
    }

    @Test func aQuestionThatIsCancelledWhileItWaitsLeavesTheQueue() async throws {
        let gate = FairGate(limits: QuestionLimits(running: 1, perUser: 1, waiting: 5))
        let first = hold(gate, "a")
        await wait(gate, until: 1, 0)
        let second = hold(gate, "b")
        await wait(gate, until: 1, 1)

        second.task.cancel()
        await #expect(throws: CancellationError.self) { try await second.task.value }
        #expect(gate.counts == (1, 0, 1))
        first.finish.finish()
        try await first.task.value
        try await gate.withPlace(for: "b") {}
        #expect(gate.counts == (0, 0, 0))
    }
}
