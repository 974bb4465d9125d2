import ChatCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct TimeLimitTests {
    private struct Refused: Error {}

    @Test func givesWhatTheWorkGives() async throws {
        #expect(try await withTimeLimit(.seconds(3600)) { 7 } == 7)
        await #expect(throws: Refused.self) {
            try await withTimeLimit(.seconds(3600)) { throw Refused() }
        }
    }

    @Test func endsAndCancelsWorkThatTakesLonger() async throws {
        let (cancelled, mark) = AsyncStream<Bool>.makeStream()
        await #expect(throws: TimeLimitExceeded()) {
            try await withTimeLimit(.milliseconds(1)) {
                try? await Task.sleep(for: .seconds(3600))
                mark.yield(Task.isCancelled)
            }
        }
        for await isCancelled in cancelled {
            #expect(isCancelled)
            break
        }
    }

    @Test func cancellingTheCallerEndsTheWork() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await withTimeLimit(.seconds(3600)) {
                begin.yield()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        for await _ in begun { break }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
