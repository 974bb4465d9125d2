import Foundation
import PostgresTestSupport
import TestSupport
import Testing

/// Devices of two people with the real server behind a bad network; servers, devices and the database are killed at random.
///
/// `NEXUS_NETWORK_RUNS`, `NEXUS_CLUSTER_RUNS` and `NEXUS_FAILOVER_RUNS` set the numbers of runs (by hand 1,000, 300 and 50),
/// `NEXUS_NETWORK_FIRST` the seed of the first, `NEXUS_CLUSTER_PAUSE` the seconds for which a node stands still at most.
@Suite(.serialized, .hangGuard) struct FaultyNetworkTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment["NEXUS_\(name)"].flatMap { Int($0) }
    }

    private static func seeds(_ count: Int) -> Range<Int> {
        let first = number("NETWORK_FIRST") ?? 0
        return first..<first + count
    }

    private static let nodeCount = 3
    /// The database of the clusters, which is killed now and then.
    private static let database = Task { try await PostgresServer.start() }

    @Test(arguments: seeds(number("NETWORK_RUNS") ?? 3)) func losesAndDoublesNothingAndKeepsTheOrder(
        seed: Int
    ) async throws {
        var numbers = SeededNumbers(seed)
        let world = try await NetworkWorld(seed: seed)
        let counts = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in Int.random(in: 1...100, using: &numbers) }
        let lives = world.devices.map { _ in Int.random(in: 1...4, using: &numbers) }
        try await world.live(lives, counts.sorted().map { ($0, .killed(node: 0)) })
        try await world.end()
    }

    @Test(arguments: seeds(number("CLUSTER_RUNS") ?? 2)) func theSameHoldsForThreeNodes(seed: Int) async throws {
        var numbers = SeededNumbers(seed)
        let server = try await Self.database.value
        try await server.withDatabase { address in
            let world = try await NetworkWorld(
                seed: seed, nodeCount: Self.nodeCount, database: RestartedDatabase(address, of: server))
            let counts = (0..<4).map { _ in Int.random(in: 1...100, using: &numbers) }
            let faults = counts.sorted().map { ($0, Self.fault(&numbers)) }
            let lives = world.devices.map { _ in Int.random(in: 2...5, using: &numbers) }
            try await world.live(lives, faults)
            try await world.end()
        }
    }

    /// Commits wait for the standby, so what was acknowledged is there; clients and nodes begin with another log.
    @Test(arguments: seeds(number("FAILOVER_RUNS") ?? 1)) func theSameHoldsInAFailover(seed: Int) async throws {
        var numbers = SeededNumbers(seed)
        let world = try await NetworkWorld(seed: seed, nodeCount: Self.nodeCount, database: PostgresPair())
        let node = Int.random(in: 0..<Self.nodeCount, using: &numbers)
        let faults: [NetworkWorld.Fault] = [.disconnected, .crashed, .killed(node: node), .crashed]
        let counts = faults.map { _ in Int.random(in: 1...100, using: &numbers) }
        let lives = world.devices.map { _ in Int.random(in: 2...5, using: &numbers) }
        try await world.live(lives, Array(zip(counts.sorted(), faults)).map { ($0, $1) })
        try await world.end()
    }

    private static func fault(_ numbers: inout SeededNumbers) -> NetworkWorld.Fault {
        let node = Int.random(in: 0..<nodeCount, using: &numbers)
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0..<3: return .killed(node: node)
        case 3..<5:
            let longest = Double(number("CLUSTER_PAUSE") ?? 1)
            return .paused(node: node, seconds: Double.random(in: 0.05...longest, using: &numbers))
        case 5..<7: return .disconnected
        default: return .crashed
        }
    }
}
