import HTTPAPI
import Synchronization
import TestSupport
import Testing

struct QuestionGateTests {
    /// A question that goes on until it is told to end.
    private struct Held {
        let task: Task<Void, any Error>
        let finish: AsyncStream<Void>.Continuation
    }

    private func hold(_ gate: QuestionGate, _ user: String, then note: @escaping @Sendable () -> Void = {}) -> Held {
        let (end, finish) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await gate.withPlace(for: user) {
                note()
                for await _ in end { break }
            }
        }
        return Held(task: task, finish: finish)
    }

    private func wait(_ gate: QuestionGate, until running: Int, _ waiting: Int) async {
        while gate.counts != (running, waiting) { await shortPause() }
    }

    /// Returns whether a question of this user is refused with this code at once.
    private func isRefused(_ gate: QuestionGate, _ user: String, as code: String) async -> Bool {
        do { try await gate.withPlace(for: user) {} } catch { return "\(error)".contains("\"\(code)\"") }
        return false
    }

    @Test func theOneThatWaitsLongestIsNext() async throws {
        let gate = QuestionGate(limits: QuestionLimits(running: 1, perUser: 5, waiting: 5))
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
        #expect(gate.counts == (0, 0))
    }

    @Test func whoFindsTheQueueFullIsRefusedAtOnce() async throws {
        let gate = QuestionGate(limits: QuestionLimits(running: 1, perUser: 5, waiting: 1))
        let first = hold(gate, "a")
        await wait(gate, until: 1, 0)
        let second = hold(gate, "b")
        await wait(gate, until: 1, 1)

        #expect(await isRefused(gate, "c", as: "overloaded"))
        for one in [first, second] {
            one.finish.finish()
            try await one.task.value
        }
        try await gate.withPlace(for: "c") {}
    }

    @Test func aUserHasSoManyPlacesWaitingOnesIncluded() async throws {
        let gate = QuestionGate(limits: QuestionLimits(running: 1, perUser: 2, waiting: 5))
        let held = [hold(gate, "a"), hold(gate, "a")]
        await wait(gate, until: 1, 1)

        #expect(await isRefused(gate, "a", as: "too_many_questions"))
        for one in held { one.finish.finish() }
        for one in held { try await one.task.value }
        try await gate.withPlace(for: "a") {}
    }

    @Test func oneThatGoesAwayWhileItWaitsLeavesTheQueue() async throws {
        let gate = QuestionGate(limits: QuestionLimits(running: 1, perUser: 1, waiting: 5))
        let first = hold(gate, "a")
        await wait(gate, until: 1, 0)
        let second = hold(gate, "b")
        await wait(gate, until: 1, 1)

        second.task.cancel()
        await #expect(throws: CancellationError.self) { try await second.task.value }
        #expect(gate.counts == (1, 0))
        first.finish.finish()
        try await first.task.value
        try await gate.withPlace(for: "b") {}
        #expect(gate.counts == (0, 0))
    }
}
