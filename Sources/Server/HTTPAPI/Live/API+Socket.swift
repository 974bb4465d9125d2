import Hummingbird
import WebServer

extension API {
    /// The route of sockets; none if the server offers no sockets.
    ///
    /// It is open to everyone because the acceptance decides who asks: browsers send no header with a handshake.
    var socketRoutes: [Route] {
        guard let acceptance = services.socket else { return [] }
        return [
            Route(.get, "v1/socket", .everyone, id: "openSocket", "Opens a WebSocket.") { incoming, _ in
                try await countingRefusals { try await openSocket(incoming, acceptance) }
            }
        ]
    }

    private func openSocket(_ incoming: IncomingRequest, _ acceptance: SocketAcceptance) async throws -> Response {
        let key = try SocketHandshake.key(of: incoming.request)
        guard let offer = incoming.socket else { throw RequestFault.upgradeRequired }
        if let fault = browserGuard?.socketFault(of: incoming.request) { throw fault }
        let request = SocketRequest(
            request: incoming.request, authentication: authentication, address: incoming.address)
        switch try await acceptance(request) {
        case .refuse(let refusal): throw refusal.failure
        case .accept(let subprotocol, let session):
            let offered = request.subprotocols
            guard offered.isEmpty || offered.contains(subprotocol) else { throw Failure.unknownSubprotocol }
            offer.accept(SocketPlan(subprotocol: subprotocol, session: session))
            return SocketHandshake.response(key: key, subprotocol: offered.isEmpty ? nil : subprotocol)
        }
    }
}

extension Failure {
    static let unknownSubprotocol = Failure(
        400, "subprotocol_unknown", "the server speaks none of the offered subprotocols", .invalidArgument)
}
