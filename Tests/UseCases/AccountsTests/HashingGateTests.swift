import Accounts
import ChatCore
import Synchronization
import Testing

@Suite struct HashingGateTests {
    /// Rests that end when the test lets them.
    private final class Rests: Sendable {
        private let state = Mutex<(begun: [Duration], end: [CheckedContinuation<Void, Never>])>(([], []))

        var begun: [Duration] { state.withLock { $0.begun } }

        func pause(_ duration: Duration) async {
            await withCheckedContinuation { continuation in
                state.withLock {
                    $0.begun.append(duration)
                    $0.end.append(continuation)
                }
            }
        }

        func end() {
            for rest in state.withLock({
                let rests = $0.end; $0.end = []; return rests
            }) { rest.resume() }
        }
    }

    private func client(_ address: String, isKnown: Bool = false) -> HashClient {
        HashClient(address: address, user: "ada", isKnown: isKnown)
    }

    @Test func aWrongPasswordKeepsTheNextOneOfItsAddressWaitingAndNobodyElse() async throws {
        let rests = Rests()
        let gate = HashingGate(HashQueue(places: 2, waiting: 10), pause: rests.pause)

        async let wrong = gate.run(for: client("a"), isRefused: { !$0 }) { false }
        while rests.begun.isEmpty { await Task.yield() }
        async let next = gate.run(for: client("a")) { "next" }
        while gate.waitingCount == 0 { await Task.yield() }

        #expect(try await gate.run(for: client("b")) { true })
        #expect(try await gate.run(for: client("a", isKnown: true)) { true })
        #expect(gate.waitingCount == 1)
        rests.end()
        #expect(try await next == "next")
        #expect(try await wrong == false)
        #expect(rests.begun.count == 1 && rests.begun[0] <= .seconds(2))
    }

    @Test func rightPasswordsAndKnownClientsDoNotRest() async throws {
        let rests = Rests()
        let gate = HashingGate(HashQueue(places: 2, waiting: 10), pause: rests.pause)

        #expect(try await gate.run(for: client("a"), isRefused: { !$0 }) { true })
        #expect(try await gate.run(for: client("a", isKnown: true), isRefused: { !$0 }) { false } == false)
        #expect(rests.begun.isEmpty)
    }

    @Test func aClientThatLeavesEndsTheRest() async throws {
        let gate = HashingGate(
            HashQueue(places: 1, waiting: 10), pause: { _ in try await Task.sleep(for: .seconds(3_600)) })
        let wrong = Task { try await gate.run(for: client("a"), isRefused: { !$0 }) { false } }
        async let next = gate.run(for: client("a")) { "next" }
        wrong.cancel()

        #expect(try await next == "next")
        await #expect(throws: CancellationError.self) { try await wrong.value }
    }
}
