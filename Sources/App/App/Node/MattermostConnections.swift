import Connectors
import NexusClient
import NexusTransportNIO

/// Opens the live connections to a Mattermost server.
struct MattermostConnections: MattermostSockets {
    private let transport: NIOTransport

    /// - Parameter url: The address of the server.
    /// - Throws: `AddressError`.
    init(url: String) throws {
        // The connector probes more often than that.
        transport = try NIOTransport(url: url, limits: NIOTransport.Limits(silence: .seconds(50)))
    }

    func open(_ path: String, headers: [String: String]) async throws -> any MattermostSocket {
        let request = ClientRequest("GET", path, headers: headers)
        return MattermostConnection(socket: try await transport.openSocket(request, subprotocol: ""))
    }
}

/// An open connection.
private struct MattermostConnection: MattermostSocket {
    let socket: any ClientSocket

    func next() async throws -> String? { try await socket.next() }
    func send(_ text: String) async throws { try await socket.send(text) }
    func close() async { await socket.close() }
}
