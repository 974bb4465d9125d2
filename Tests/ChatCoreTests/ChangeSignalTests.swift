import ChatCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct ChangeSignalTests {
    private func number(_ value: Int64) -> ChangeNumber { ChangeNumber(rawValue: value) }

    @Test func whatIsThereAlreadyIsNotWaitedFor() async throws {
        let signal = ChangeSignal(number(3))

        try await signal.wait(after: number(2))

        #expect(signal.newest == number(3))
    }

    @Test func everybodyWakesAtALaterChange() async throws {
        let signal = ChangeSignal(number(3))
        let counts = await withTaskGroup(of: Int.self) { group in
            for start in [3, 3, 4] as [Int64] {
                group.addTask {
                    try? await signal.wait(after: self.number(start))
                    return Int(signal.newest?.rawValue ?? 0)
                }
            }
            signal.tell(number(2))
            signal.tell(number(5))
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(counts == [5, 5, 5])
    }

    @Test func whoIsCancelledWaitsNoLonger() async throws {
        let signal = ChangeSignal(number(3))
        let waiting = Task { try await signal.wait(after: self.number(3)) }
        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func nobodyWaitsForWhatIsClosed() async throws {
        let signal = ChangeSignal(number(3))
        async let waiting: Void = signal.wait(after: number(3))
        signal.close()

        try await waiting
        try await signal.wait(after: number(9))
        signal.tell(number(10))
        #expect(signal.newest == nil)
    }
}
