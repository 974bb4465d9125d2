import Foundation
import NexusClient
import NexusModel
import NexusTransportNIO
import Synchronization
import TestSupport
import Testing

/// Devices of two people with the real server behind a bad network; the server and the devices are killed at random.
///
/// `NEXUS_NETWORK_RUNS` sets the number of runs (by hand 1,000), `NEXUS_NETWORK_FIRST` the seed of the first.
@Suite(.serialized, .hangGuard) struct FaultyNetworkTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment["NEXUS_NETWORK_\(name)"].flatMap { Int($0) }
    }

    private static let runs = (number("FIRST") ?? 0)..<(number("FIRST") ?? 0) + (number("RUNS") ?? 3)
    private static let settings = [
        "--set", "embedding.provider=builtin", "--set", "chat.provider=extractive",
        "--set", "limits.live-handshakes-per-minute=1000000", "--set", "limits.live-connections-per-user=10000",
        "--set", "limits.live-handshakes-per-address=10000000",
    ]
    private static let places = ["pier", "quay"]

    /// The server, which is killed and started again on another port.
    private final class World: Sendable {
        let binary: NexusBinary
        let devices: [FaultyProxy]
        private let server: Mutex<NexusServer>
        private let actCount = Mutex(0)

        init(_ binary: NexusBinary, _ devices: [FaultyProxy]) async throws {
            (self.binary, self.devices) = (binary, devices)
            server = Mutex(try await NexusServer(binary, FaultyNetworkTests.settings))
            connect()
        }

        var current: NexusServer { server.withLock { $0 } }

        func noteAct() { actCount.withLock { $0 += 1 } }

        /// Kills the server after a number of acts and starts it again.
        func kill(after count: Int) async throws {
            while actCount.withLock({ $0 }) < count, !Task.isCancelled { await shortPause() }
            let old = current
            old.process.signal(SIGKILL)
            _ = await old.process.result()
            let next = try await NexusServer(binary, FaultyNetworkTests.settings)
            server.withLock { $0 = next }
            connect()
        }

        private func connect() {
            let port = current.url.split(separator: ":").last.flatMap { UInt16($0) }
            for device in devices { device.connect(to: port) }
        }

        /// Says something in each conversation; returns the messages.
        func sayLast() async throws -> [String: String] {
            var ends: [String: String] = [:]
            for id in FaultyNetworkTests.places {
                let body = ["id": "end-\(id)", "text": "the end", "senderId": "ben", "localId": "end-\(id)"]
                let reply = try await current.send("POST", "/v1/conversations/\(id)/messages", body, user: "ben")
                try #require(reply.status == 201, "\(reply.json)")
                ends[id] = "end-\(id)"
            }
            return ends
        }
    }

    @Test(arguments: runs) func losesAndDoublesNothingAndKeepsTheOrder(seed: Int) async throws {
        var numbers = SeededNumbers(seed)
        let binary = try NexusBinary()
        let share = Double.random(in: 0.1...0.6, using: &numbers)
        let devices = try zip(["phone", "laptop", "tablet"], ["ada", "ada", "ben"]).enumerated().map { number, device in
            try ChatDevice(
                device.0, of: device.1, seed: seed * 100 + number * 10, faultShare: share, folder: binary.folder)
        }
        let world = try await World(binary, devices.map(\.proxy))
        for id in Self.places {
            let body: [String: Any] = ["id": id, "name": id, "members": [["userId": "ada"], ["userId": "ben"]]]
            let made = try await world.current.send("POST", "/v1/conversations", body, user: "ada")
            try #require(made.status == 201, "\(made.json)")
        }

        let kills = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in Int.random(in: 1...100, using: &numbers) }
        let lives = devices.map { _ in Int.random(in: 1...4, using: &numbers) }
        async let killing: Void = Self.kill(world, kills.sorted())
        async let first: Void = Self.live(devices[0], lives[0], world)
        async let second: Void = Self.live(devices[1], lives[1], world)
        async let third: Void = Self.live(devices[2], lives[2], world)
        _ = try await (first, second, third)
        // There are no acts left to wait for.
        for _ in 0..<100 { world.noteAct() }
        try await killing
        try await end(devices, world)
        for device in devices { device.proxy.close() }
        _ = await world.current.stop()
    }

    private static func kill(_ world: World, _ counts: [Int]) async throws {
        for count in counts { try await world.kill(after: count) }
    }

    private static func live(_ device: ChatDevice, _ count: Int, _ world: World) async throws {
        for _ in 0..<count { try await device.live { world.noteAct() } }
    }

    /// Lets all devices live once more in a good network, and looks at what they know then.
    private func end(_ devices: [ChatDevice], _ world: World) async throws {
        for device in devices { device.proxy.heal() }
        var lives: [ChatDevice.Life] = []
        for device in devices {
            lives.append(try await device.begin())
            // What waits is known from here on.
            try await lives.last?.session.restore()
        }
        let url = world.current.url
        let fresh = try ["ada", "ben"].map { user in
            NexusSession(transport: try NIOTransport(url: url), user: user, device: "fresh")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for life in lives { group.addTask { await life.session.run() } }
            for (device, life) in zip(devices, lives) { try await device.settle(life.session) }
            let ends = try await world.sayLast()
            for session in fresh {
                group.addTask { await session.run() }
                try await ChatDevice.loadAll(session, through: ends)
            }
            for (device, life) in zip(devices, lives) {
                try await ChatDevice.loadAll(life.session, through: ends)
                let same = fresh[device.user == "ada" ? 0 : 1]
                try await device.compare(life.session, same, Self.places)
                await device.check(await same.state.conversations.mapValues(\.messages))
            }
            group.cancelAll()
        }
        for life in lives { await life.store.close() }
    }
}
