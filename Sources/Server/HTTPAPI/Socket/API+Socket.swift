import Crypto
import Foundation
import HTTPTypes
import Hummingbird

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
        guard let offer = incoming.socket else { throw Failure.upgradeRequired }
        if let failure = browserGuard?.socketFault(of: incoming.request) { throw failure }
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

/// The opening handshake (RFC 6455, section 4.2).
private enum SocketHandshake {
    /// What the RFC wants behind the client's key.
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Checks the form of a handshake and returns the client's key.
    static func key(of request: Request) throws(Failure) -> String {
        let headers = request.headers
        guard request.method == .get, contains("websocket", in: headers.listed("upgrade")),
            contains("upgrade", in: headers.listed("connection")), headers.values(of: "sec-websocket-version") == ["13"]
        else { throw .upgradeRequired }
        guard headers[.contentLength] ?? "0" == "0", headers[.transferEncoding] == nil else { throw .invalidHandshake }
        let keys = headers.values(of: "sec-websocket-key")
        guard keys.count == 1, let key = keys.first, Data(base64Encoded: key)?.count == 16 else {
            throw .invalidHandshake
        }
        return key
    }

    static func response(key: String, subprotocol: String?) -> Response {
        let digest = Data(Insecure.SHA1.hash(data: Data((key + suffix).utf8)))
        var headers: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: digest.base64EncodedString(),
        ]
        headers[.secWebSocketProtocol] = subprotocol
        return Response(status: .switchingProtocols, headers: headers)
    }

    private static func contains(_ word: String, in list: [String]) -> Bool {
        list.contains { $0.lowercased() == word }
    }
}

extension Failure {
    static let upgradeRequired = Failure(
        426, "upgrade_required",
        "this path opens a WebSocket: send Upgrade: websocket and Sec-WebSocket-Version: 13 over HTTP/1.1",
        .failedPrecondition)
    static let invalidHandshake = Failure(
        400, "handshake_invalid", "a handshake has one Sec-WebSocket-Key of 16 bytes in base64, and no body",
        .invalidArgument)
    static let unknownSubprotocol = Failure(
        400, "subprotocol_unknown", "the server speaks none of the offered subprotocols", .invalidArgument)
}
