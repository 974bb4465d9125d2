import ChatCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct ChangeSignalTests {
    private func position(_ value: Int64) -> ChangeCursor {
        ChangeCursor(epoch: 1, positions: [ChangeNumber(rawValue: value)])
    }

    @Test func whatIsThereAlreadyIsNotWaitedFor() async throws {
        let signal = ChangeSignal(position(3))

        try await signal.wait(after: position(2))

        #expect(signal.newest == position(3))
    }

    @Test func everybodyWakesAtALaterChange() async throws {
        let signal = ChangeSignal(position(3))
        let counts = await withTaskGroup(of: Int.self) { group in
            for start in [3, 3, 4] as [Int64] {
                group.addTask {
                    try? await signal.wait(after: self.position(start))
                    return Int(signal.newest?.positions[0].rawValue ?? 0)
                }
            }
            signal.tell(position(2))
            signal.tell(position(5))
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(counts == [5, 5, 5])
    }

    @Test func aWaiterOnSeveralLanesWakesAtAChangeInOneOfThem() async throws {
        let known = ChangeCursor(epoch: 1, positions: [ChangeNumber(rawValue: 3), ChangeNumber(rawValue: 3)])
        let signal = ChangeSignal(known)
        async let waiting: Void = signal.wait(after: known)
        signal.tell(ChangeCursor(epoch: 1, positions: [ChangeNumber(rawValue: 3), ChangeNumber(rawValue: 4)]))

        try await waiting
        #expect(signal.newest?.positions.map(\.rawValue) == [3, 4])
    }

    @Test func whoIsCancelledWaitsNoLonger() async throws {
        let signal = ChangeSignal(position(3))
        let waiting = Task { try await signal.wait(after: self.position(3)) }
        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func nobodyWaitsForWhatIsClosed() async throws {
        let signal = ChangeSignal(position(3))
        async let waiting: Void = signal.wait(after: position(3))
        signal.close()

        try await waiting
        try await signal.wait(after: position(9))
        signal.tell(position(10))
        #expect(signal.newest == nil)
    }
}
