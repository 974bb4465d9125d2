import App
import Synchronization
import Testing

@Suite struct PaceTests {
    @Test func whatTakesLongIsDoneLessOften() async throws {
        let count = Mutex(0)
        let pace = Pace(interval: .zero)

        for _ in 0..<3 {
            try await pace.whenDue {
                count.withLock { $0 += 1 }
                try await Task.sleep(for: .milliseconds(500))
            }
        }

        #expect(count.withLock { $0 } == 1)
    }

    @Test func whatTakesNoTimeIsDoneOncePerInterval() async {
        let count = Mutex(0)
        let (often, rarely) = (Pace(interval: .zero), Pace(interval: .seconds(3_600)))

        for _ in 0..<3 { await rarely.whenDue { count.withLock { $0 += 1 } } }
        #expect(count.withLock { $0 } == 1)
        #expect(often.isDue() && often.isDue())
    }
}
