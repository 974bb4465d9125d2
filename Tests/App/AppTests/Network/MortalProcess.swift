import Foundation
import NexusClient
import NexusTransportNIO
import Synchronization

/// The process of a device: from some point on nothing that it does reaches the network or the disk.
///
/// There is a point before and after each request, each message of a socket, and each transaction of the store: at all of
/// these a session waits.
final class MortalProcess: ClientTransport {
    /// The process is dead.
    struct Killed: Error {}

    private let network: NIOTransport
    private let killAt: Int
    private let pointCount = Mutex(0)

    /// A process that talks to `url` and is killed at the point `killAt`.
    init(url: String, killAt: Int = .max) throws {
        network = try NIOTransport(url: url, limits: .init(silence: .seconds(20), close: .milliseconds(50)))
        self.killAt = killAt
    }

    var isDead: Bool { pointCount.withLock { $0 >= killAt } }

    func point() throws {
        let isDead = pointCount.withLock { count in
            count += 1
            return count >= killAt
        }
        if isDead { throw Killed() }
    }

    func send(_ request: ClientRequest) async throws -> ClientResponse {
        try point()
        let response = try await network.send(request)
        try point()
        return response
    }

    func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        try point()
        return MortalSocket(socket: try await network.openSocket(request, subprotocol: subprotocol), process: self)
    }
}

/// A socket of a process.
private struct MortalSocket: ClientSocket {
    let socket: any ClientSocket
    let process: MortalProcess

    var closeCode: UInt16? { socket.closeCode }

    func next() async throws -> String? {
        let text = try await socket.next()
        try process.point()
        return text
    }

    func send(_ text: String) async throws {
        try process.point()
        try await socket.send(text)
    }

    func close() async { await socket.close() }
}
