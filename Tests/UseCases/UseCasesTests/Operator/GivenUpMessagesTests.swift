import ChatCore
import Synchronization
import TestSupport
import Testing
import UseCases

struct GivenUpMessagesTests {
    private final class Wakes: Sendable {
        let count = Mutex(0)
    }

    private let store = InMemoryStore()
    private let wakes = Wakes()

    private var givenUp: GivenUpMessages {
        GivenUpMessages(store: store, wakeWorker: { [wakes] in wakes.count.withLock { $0 += 1 } }, now: { .second(1) })
    }

    @Test func aMessageThatWasNotGivenUpIsNamed() async throws {
        await #expect(throws: OperatorFailure(message: "pier/m1 was not given up: see nexus ingest failed")) {
            try await givenUp.retry(["pier/m1", "pier/m2"])
        }
        #expect(wakes.count.withLock { $0 } == 0)
    }

    @Test func theWorkerIsWokenWhenAllAreRetried() async throws {
        #expect(try await givenUp.retry([]) == 0)
        #expect(try await givenUp.all().isEmpty)
        #expect(wakes.count.withLock { $0 } == 1)
    }
}
