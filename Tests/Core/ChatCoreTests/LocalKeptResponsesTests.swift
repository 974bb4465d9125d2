import ChatCore
import Synchronization
import TestSupport
import Testing

struct LocalKeptResponsesTests {
    @Test(arguments: KeptResponsesContract.all) func localKeptResponsesKeep(_ contract: KeptResponsesContract)
        async throws
    {
        let moment = ManualInstant()
        let kept = LocalKeptResponses(limits: contract.limits) { moment.now }
        try await contract.check(.init(kept) { moment.advance(by: $0) })
    }

    @Test(arguments: SharedBucketsContract.all) func localBucketsKeep(_ contract: SharedBucketsContract) async throws {
        let moment = ManualInstant()
        try await contract.check(LocalBuckets { moment.now }) { moment.advance(by: $0) }
    }

    @Test(arguments: SharedBucketsContract.all) func fakeBucketsKeep(_ contract: SharedBucketsContract) async throws {
        let buckets = FakeBuckets()
        try await contract.check(buckets) { buckets.advance(by: $0) }
    }
}

private final class ManualInstant: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 += duration } }
}
