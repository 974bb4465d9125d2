import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport

/// Numbers that are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A process that a test kills: from some point on nothing that it does reaches the server or the disk.
///
/// There is a point before and after each request, each message of a socket, and each transaction of the store: at all of
/// these the session waits.
final class ClientProcess: ClientTransport {
    /// The process is dead.
    struct Killed: Error {}

    private struct State {
        var pointCount = 0
        var generator: SeededGenerator
        var sockets: [FakeSocket] = []
    }

    private let world: ChatWorld
    private let killAt: Int
    private let faultShare: Double
    private let state: Mutex<State>

    /// A process that is killed at the point `killAt`; of its requests a share between 0 and 1 fails.
    init(_ world: ChatWorld, seed: Int, killAt: Int = .max, faultShare: Double = 0) {
        self.world = world
        self.killAt = killAt
        self.faultShare = faultShare
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    var isDead: Bool { state.withLock { $0.pointCount >= killAt } }

    /// How many points there were.
    var pointCount: Int { state.withLock { $0.pointCount } }

    func point() throws {
        let (isDead, sockets) = state.withLock { state in
            state.pointCount += 1
            return (state.pointCount >= killAt, state.pointCount == killAt ? state.sockets : [])
        }
        for socket in sockets { socket.end() }
        if isDead { throw Killed() }
    }

    private func hasFault() -> Bool {
        state.withLock { $0.generator.nextShare() < faultShare }
    }

    func send(_ request: ClientRequest) async throws -> ClientResponse {
        try point()
        if hasFault() { throw ClientTransportError.unreachable }
        if hasFault() { return ChatWorld.response("{}", status: 503, headers: ["retry-after": "2"]) }
        let response = world.answer(request)
        try point()
        if hasFault() { throw ClientTransportError.broken }
        return response
    }

    func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        try point()
        if hasFault() { throw ClientTransportError.unreachable }
        let socket = world.open(request)
        state.withLock { $0.sockets.append(socket) }
        try point()
        return ProcessSocket(socket: socket, process: self)
    }

    fileprivate func hasSocketFault() -> Bool { hasFault() }
}

/// A socket of a process.
private struct ProcessSocket: ClientSocket {
    let socket: FakeSocket
    let process: ClientProcess

    var closeCode: UInt16? { nil }

    func next() async throws -> String? {
        let text = try await socket.next()
        try process.point()
        if process.hasSocketFault() { throw ClientTransportError.broken }
        return text
    }

    func send(_ text: String) async throws { try process.point() }

    func close() async { await socket.close() }
}

extension SeededGenerator {
    /// Returns a number from 0 up to 1.
    mutating func nextShare() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// Returns whether something happens that has a probability.
    mutating func isTrue(_ share: Double) -> Bool { nextShare() < share }
}

/// A clock that moves when somebody waits: waits are over at once, except those that repeat for ever.
final class VirtualClock: Sendable {
    private let now = Mutex(Duration.zero)

    var timing: SessionTiming {
        SessionTiming(
            sleep: { duration in
                try Task.checkCancellation()
                if duration == .seconds(2) || duration == .seconds(25) {
                    return try await Task.sleep(for: .seconds(100_000))
                }
                self.now.withLock { $0 += duration }
                await Task.yield()
            },
            elapsed: { self.now.withLock { $0 } }, share: { 0.5 })
    }
}

/// A folder that is removed with the last reference.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "nexus-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Waits until something is true.
func wait(until isTrue: () async throws -> Bool) async throws {
    while !(try await isTrue()) {
        try Task.checkCancellation()
        await shortPause()
    }
}
