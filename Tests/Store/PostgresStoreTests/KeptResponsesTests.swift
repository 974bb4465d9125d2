import ChatCore
import MessageStore
import PostgresStore
import PostgresTestSupport
import Synchronization
import TestSupport
import Testing

/// Kept responses and buckets that two nodes share.
@Suite(.hangGuard) struct KeptResponsesTests {
    private static let words = "the combination of the harbor safe is 4711"
    private static let key: [UInt8] = [1, 2, 3]

    /// Two nodes that have said that they live, and a connection of the test.
    private func withNodes(_ body: (SQLStore, SQLStore, LibpqConnection) async throws -> Void) async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                let connection = try LibpqConnection(address)
                defer { connection.close() }
                while try await first.inspect("SELECT id FROM nodes").count < 2 { await shortPause() }
                try await body(first, second, connection)
            }
        }
    }

    private func kept(
        _ store: SQLStore, _ limits: KeptResponseLimits = KeptResponseLimits()
    ) throws -> any KeptResponses {
        try #require(store.services.keptResponses as? PostgresKeptResponses).limited(to: limits)
    }

    private static func advance(_ connection: LibpqConnection, by time: Duration) throws {
        let count = time.components.seconds * 1_000_000
        try connection.run(
            "UPDATE kept_responses SET begun_at = begun_at - \(count), ends_at = ends_at - \(count)")
        try connection.run("UPDATE request_buckets SET full_at = full_at - \(count)")
    }

    @Test(arguments: KeptResponsesContract.all) func sharedKeptResponsesKeep(_ contract: KeptResponsesContract)
        async throws
    {
        try await withNodes { first, second, connection in
            let both = AlternatingNodes(
                first: try kept(first, contract.limits), second: try kept(second, contract.limits))
            // The test uses the connection in one task after another.
            nonisolated(unsafe) let link = connection
            try await contract.check(.init(both) { try Self.advance(link, by: $0) })
        }
    }

    @Test(arguments: SharedBucketsContract.all) func sharedBucketsKeep(_ contract: SharedBucketsContract) async throws {
        try await withNodes { first, second, connection in
            let both = AlternatingBuckets(
                first: first.services.buckets, second: second.services.buckets)
            nonisolated(unsafe) let link = connection
            try await contract.check(both) { try Self.advance(link, by: $0) }
        }
    }

    @Test func aNodeThatDiedFreesItsKeys() async throws {
        try await withNodes { first, second, connection in
            let attempt = try await kept(first).demandStart(Self.key)
            try Self.advance(connection, by: .seconds(60))
            #expect(try await kept(second).begin(Self.key, bodyHash: [0]) == .inWork)

            // It says nothing any more.
            try connection.run("UPDATE kept_responses SET node = 'dead'; INSERT INTO nodes VALUES ('dead', 0, 1)")
            let next = try await kept(second).demandStart(Self.key)

            // One that was only slow cannot answer instead of the other.
            try await kept(first).finish(attempt, with: KeptResponsesContract.text("late"))
            #expect(try await kept(first).begin(Self.key, bodyHash: [0]) == .inWork)
            try await kept(second).finish(next, with: KeptResponsesContract.full)
            let step = try await kept(first).begin(Self.key, bodyHash: [0])
            #expect(step == .replay(KeptResponsesContract.full, next))
        }
    }

    @Test func workThatNeverEndsFreesItsKey() async throws {
        try await withNodes { first, second, connection in
            _ = try await kept(first).demandStart(Self.key)
            try Self.advance(connection, by: .seconds(500))
            #expect(try await kept(second).begin(Self.key, bodyHash: [0]) == .inWork)
            try Self.advance(connection, by: .seconds(401))
            _ = try await kept(second).demandStart(Self.key)
        }
    }

    /// The first heartbeat of a node may be late.
    @Test func aNodeThatHasJustBegunHasItsKeys() async throws {
        try await withNodes { first, second, connection in
            _ = try await kept(first).demandStart(Self.key)
            try connection.run("UPDATE kept_responses SET node = 'new'")
            #expect(try await kept(second).begin(Self.key, bodyHash: [0]) == .inWork)
        }
    }

    @Test func rowsThatAreOverAreRemovedWithoutAnyRequest() async throws {
        try await withNodes { first, _, connection in
            for key: UInt8 in 1...3 { _ = try await kept(first).demandStart([key]) }
            try await kept(first).finish(
                try await kept(first).demandStart([4]), with: KeptResponsesContract.text("done"))
            try await kept(first).finish(
                try await kept(first).demandStart([5]), with: KeptResponsesContract.text("old"))
            try connection.run(
                """
                UPDATE kept_responses SET ends_at = 1 WHERE digest = '\\x05';
                UPDATE kept_responses SET begun_at = 1 WHERE digest = '\\x01';
                UPDATE kept_responses SET begun_at = begun_at - 20000000, node = 'dead' WHERE digest = '\\x02';
                UPDATE kept_responses SET begun_at = begun_at - 20000000 WHERE digest = '\\x03'
                """)
            let left = "SELECT encode(digest, 'hex') FROM kept_responses ORDER BY 1"
            while try await first.inspect(left).count > 2 { await shortPause() }
            #expect(try await first.inspect(left) == ["03", "04"])
        }
    }

    private func post(_ store: SQLStore) async throws {
        _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        _ = try await store.accept(
            [.short("c", "secret", by: "ada", Self.words)], source: "api", mode: .posting, at: .second(1))
    }

    @Test(arguments: [ErasureSubject.user("ada"), .conversation("c")])
    func anErasureOnAnyNodeRemovesAllResponses(subject: ErasureSubject) async throws {
        try await withNodes { first, second, _ in
            try await post(first)
            let done = try await kept(second).demandStart([1])
            try await kept(second).finish(done, with: KeptResponsesContract.text(Self.words))
            let working = try await kept(second).demandStart([2])
            let counted = try await first.recordEvidence(of: subject)

            _ = try await first.erase(subject, at: .second(2))

            // The work continues, but it may have read erased text.
            #expect(try await kept(first).begin([2], bodyHash: [0]) == .inWork)
            try await kept(second).finish(working, with: KeptResponsesContract.text(Self.words))
            #expect(try await first.inspect("SELECT attempt FROM kept_responses") == [])
            #expect(try await first.finishErasing(subject, at: .second(1_000)))
            try await first.rewrite()
            let proof = try await first.proof(leavingOut: counted) { _, _ in }
            #expect(proof.remains.isEmpty)
            // New requests are kept as before.
            let next = try await kept(second).demandStart([2])
            try await kept(second).finish(next, with: KeptResponsesContract.text("new"))
            #expect(
                try await kept(first).begin([2], bodyHash: [0]) == .replay(KeptResponsesContract.text("new"), next))
        }
    }

    /// While its transaction is open, others read messages as they were.
    @Test func aResponseIsNotKeptDuringAnErasure() async throws {
        try await withNodes { first, second, connection in
            let before = try await kept(second).demandStart([1])
            try connection.run("BEGIN; UPDATE erasure_count SET number = number + 1")
            let during = try await kept(second).demandStart([2])
            try await kept(first).finish(before, with: KeptResponsesContract.text("before"))
            try connection.run("COMMIT")
            try await kept(second).finish(during, with: KeptResponsesContract.text("during"))
            #expect(try await first.inspect("SELECT attempt FROM kept_responses") == [])
        }
    }

    @Test func theProofOfAnErasureSearchesResponses() async throws {
        try await withNodes { first, _, connection in
            try await post(first)
            let counted = try await first.recordEvidence(of: .user("ada"))
            _ = try await first.erase(.user("ada"), at: .second(2))
            #expect(try await first.finishErasing(.user("ada"), at: .second(1_000)))
            // As a node of an earlier release leaves it, which knows nothing of the table.
            let done = try await kept(first).demandStart([1])
            try await kept(first).finish(done, with: KeptResponsesContract.text(Self.words))

            let proof = try await first.proof(leavingOut: counted) { _, _ in }
            #expect(proof.remains.map(\.file) == ["kept_responses.body"])
            try connection.run("DELETE FROM kept_responses")
            #expect(try await first.proof(leavingOut: counted) { _, _ in }.remains.isEmpty)
        }
    }

    @Test func nodesTogetherKeepTheLimits() async throws {
        try await withNodes { first, second, _ in
            let limits = KeptResponseLimits(count: 5)
            for key: UInt8 in 1...12 {
                let node = try kept(key % 2 == 0 ? first : second, limits)
                try await node.finish(try await node.demandStart([key]), with: KeptResponsesContract.text("done"))
            }
            #expect(try await first.inspect("SELECT attempt FROM kept_responses").count == 5)
        }
    }

    @Test func aDataFolderAsksNoDatabase() async throws {
        try await WorkspaceFolder.with { folder in
            let store = try await folder.open()
            #expect(store.services.keptResponses is LocalKeptResponses && !store.services.buckets.costsRoundTrip)
            await store.close()
        }
    }
}

/// Kept responses of two nodes, asked in turn.
private struct AlternatingNodes: KeptResponses {
    let first: any KeptResponses
    let second: any KeptResponses
    private let turns = Turns()

    init(first: any KeptResponses, second: any KeptResponses) { (self.first, self.second) = (first, second) }

    private var next: any KeptResponses { turns.isFirst() ? first : second }

    func begin(_ key: [UInt8], bodyHash: [UInt8]) async throws -> RequestStep {
        try await next.begin(key, bodyHash: bodyHash)
    }

    func finish(_ attempt: RequestAttempt, with response: KeptResponse?) async throws {
        try await next.finish(attempt, with: response)
    }

    func forget(_ attempt: RequestAttempt) async throws { try await next.forget(attempt) }
}

/// Buckets of two nodes, asked in turn.
private struct AlternatingBuckets: SharedBuckets {
    let costsRoundTrip = true
    let first: any SharedBuckets
    let second: any SharedBuckets
    private let turns = Turns()

    init(first: any SharedBuckets, second: any SharedBuckets) { (self.first, self.second) = (first, second) }

    private var next: any SharedBuckets { turns.isFirst() ? first : second }

    func take(_ count: Int, from bucket: SharedBucket) async throws -> BucketPortion {
        try await next.take(count, from: bucket)
    }

    func fill(_ bucket: SharedBucket) async throws { try await next.fill(bucket) }
}

/// Whose turn it is.
private final class Turns: Sendable {
    private let isFirstNext = Mutex(false)

    func isFirst() -> Bool {
        isFirstNext.withLock { isFirst in
            isFirst.toggle()
            return isFirst
        }
    }
}
