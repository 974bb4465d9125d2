import ChatCore
import HTTPAPI
import Synchronization
import TestSupport
import Testing

@Suite(.hangGuard) struct SharedRateLimiterTests {
    private let buckets = FakeBuckets()
    private let clock = HandClock()

    private func node(_ limit: Int) -> RateLimiter {
        RateLimiter("requests of", limit: limit, buckets: buckets) { [clock] in clock.now }
    }

    private func advance(by duration: Duration) {
        clock.advance(by: duration)
        buckets.advance(by: duration)
    }

    private func allowedCount(_ count: Int, of user: String = "ada", at nodes: RateLimiter...) async -> Int {
        var allowed = 0
        for number in 0..<count where await nodes[number % nodes.count].take(user).isAllowed { allowed += 1 }
        return allowed
    }

    @Test(arguments: [1, 7, 39, 40, 600]) func aUserAtOneNodeGetsTheFullLimit(limit: Int) async {
        #expect(await allowedCount(limit + 50, at: node(limit)) == limit)
    }

    @Test(arguments: [1, 7, 39, 40, 600], [2, 5]) func allNodesTogetherAllowTheLimit(
        limit: Int, nodeCount: Int
    ) async {
        let nodes = (0..<nodeCount).map { _ in node(limit) }
        var allowed = 0
        for number in 0..<(3 * limit * nodeCount) where await nodes[number % nodeCount].take("ada").isAllowed {
            allowed += 1
        }
        #expect(allowed == limit)
    }

    /// A node may have requests left of earlier.
    @Test func theSlackIsAPortionLessOneForEachNode() async {
        let nodes = (0..<3).map { _ in node(600) }
        for node in nodes { _ = await node.take("ada") }
        advance(by: .seconds(59))
        var allowed = 0
        for _ in 0..<700 { for node in nodes where await node.take("ada").isAllowed { allowed += 1 } }
        #expect(allowed <= 600 + 3 * 29 && allowed > 600)

        // It does not last.
        advance(by: .seconds(600))
        for node in nodes { _ = await node.take("ben") }
        advance(by: .seconds(61))
        allowed = 0
        for _ in 0..<700 { for node in nodes where await node.take("ben").isAllowed { allowed += 1 } }
        #expect(allowed == 600)
    }

    @Test func theDatabaseIsAskedOncePerPortion() async {
        let node = node(600)
        _ = await allowedCount(600, at: node)
        #expect(buckets.callCount == 20)

        // A user who was refused is not asked for again before a request has flown in.
        _ = await allowedCount(100, at: node)
        #expect(buckets.callCount == 21)
        advance(by: .milliseconds(100))
        #expect(await allowedCount(5, at: node) == 1)
        #expect(buckets.callCount == 23)
    }

    @Test func manyAtOnceTakeNoMoreThanTheLimit() async {
        let nodes = (0..<2).map { _ in node(100) }
        let allowed = await withTaskGroup { group in
            for number in 0..<400 { group.addTask { await nodes[number % 2].take("ada").isAllowed } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(allowed == 100)
    }

    @Test func decisionsSayWhatIsLeft() async {
        let node = node(60)
        let first = await node.take("ada")
        let second = await node.take("ada")
        #expect(first == .init(isAllowed: true, remaining: 59, reset: 3, retryAfter: 0))
        #expect(second == .init(isAllowed: true, remaining: 58, reset: 3, retryAfter: 0))
        _ = await allowedCount(58, at: node)
        #expect(await node.take("ada") == .init(isAllowed: false, remaining: 0, reset: 60, retryAfter: 1))
        advance(by: .milliseconds(400))
        #expect(await node.take("ada") == .init(isAllowed: false, remaining: 0, reset: 60, retryAfter: 1))
        #expect(await node.take("ben").isAllowed)
    }

    @Test func withoutTheDatabaseEachNodeCountsAlone() async {
        let nodes = (0..<2).map { _ in node(10) }
        buckets.fail(true)
        #expect(await allowedCount(50, at: nodes[0], nodes[1]) == 20)
        buckets.fail(false)
        #expect(await allowedCount(50, at: nodes[0], nodes[1]) == 10)
    }

    @Test func theNumberOfUsersIsBounded() async {
        let node = node(600)
        for number in 0..<(LocalBuckets.countLimit + 2_000) { _ = await node.take("user \(number)") }
        #expect(node.userCount <= LocalBuckets.countLimit)
        advance(by: .seconds(120))
        for number in 0..<3_000 { _ = await node.take("other \(number)") }
        #expect(node.userCount <= 6_000)
    }

    @Test func signInsAreCountedForAllNodes() async throws {
        let nodes = (0..<2).map { _ in SignInLimits(buckets: buckets, pause: .zero) }
        let (place, device) = (SignInLimits.Place.address("203.0.113.9"), SignInLimits.Place.device("d"))
        for number in 0..<10 { try await nodes[number % 2].take("ada", at: place) }
        for node in nodes { await #expect(throws: (any Error).self) { try await node.take("ada", at: place) } }
        try await nodes[0].take("ben", at: place)
        try await nodes[0].take("ada", at: .address("203.0.113.8"))
        try await nodes[0].take("ada", at: device)

        // One who knew the password begins again, at each node.
        try await nodes[1].forget("ada", at: place)
        for number in 0..<10 { try await nodes[number % 2].take("ada", at: place) }
        await #expect(throws: (any Error).self) { try await nodes[0].take("ada", at: place) }
        for number in 0..<60 { try await nodes[number % 2].take(from: "203.0.113.9") }
        for node in nodes { await #expect(throws: (any Error).self) { try await node.take(from: "203.0.113.9") } }
        for node in nodes { for _ in 0..<100 { try await node.take(from: nil) } }
    }

    @Test func strangersAreCountedTogetherForAllNodes() async throws {
        let nodes = (0..<2).map { _ in SignInLimits(buckets: buckets, pause: .zero) }
        for number in 0..<60 { try await nodes[number % 2].take("ada", at: .address("203.0.113.\(number)")) }
        for node in nodes {
            await #expect(throws: (any Error).self) { try await node.take("ada", at: .address("198.51.100.7")) }
        }
        try await nodes[0].take("ada", at: .device("d"))
    }

    @Test func withoutTheDatabaseNobodySignsIn() async throws {
        let limits = SignInLimits(buckets: buckets, pause: .zero)
        buckets.fail(true)
        await #expect(throws: RepositoryError.self) { try await limits.take("ada", at: .device("d")) }
        await #expect(throws: RepositoryError.self) { try await limits.take(from: "203.0.113.9") }
    }
}
