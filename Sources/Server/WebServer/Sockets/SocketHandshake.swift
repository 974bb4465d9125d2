import Crypto
import Foundation
import HTTPTypes
package import Hummingbird

/// The opening handshake (RFC 6455, section 4.2).
package enum SocketHandshake {
    /// What the RFC wants behind the client's key.
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Checks the form of a handshake and returns the client's key.
    package static func key(of request: Request) throws(RequestFault) -> String {
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

    /// Returns the answer to a handshake.
    package static func response(key: String, subprotocol: String?) -> Response {
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
