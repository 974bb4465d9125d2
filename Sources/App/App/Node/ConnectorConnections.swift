import Connectors
import Foundation
import NexusClient
import NexusTransportNIO

/// Opens the live connections to servers of other chats.
struct ConnectorConnections: ConnectorSockets {
    func open(_ address: String, headers: [String: String]) async throws -> any ConnectorSocket {
        guard var parts = URLComponents(string: address) else { throw AddressError(address) }
        let path = parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        switch parts.scheme {
        case "ws": parts.scheme = "http"
        case "wss": parts.scheme = "https"
        default: break
        }
        (parts.percentEncodedPath, parts.percentEncodedQuery) = ("", nil)
        // Mattermost is probed, and Slack probes, more often than that.
        let transport = try NIOTransport(
            url: parts.string ?? address, limits: NIOTransport.Limits(silence: .seconds(50)))
        let request = ClientRequest("GET", path.hasPrefix("/") ? path : "/\(path)", headers: headers)
        return ConnectorConnection(socket: try await transport.openSocket(request, subprotocol: ""))
    }
}

/// An open connection.
private struct ConnectorConnection: ConnectorSocket {
    let socket: any ClientSocket

    func next() async throws -> String? { try await socket.next() }
    func send(_ text: String) async throws { try await socket.send(text) }
    func close() async { await socket.close() }
}
