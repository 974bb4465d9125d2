import Foundation
import HTTPAPI
import Transport

/// Fetches the keys that tokens are checked with; a redirect is not followed.
struct KeyDownload: Sendable {
    private static let byteLimit = 1 << 20

    let transport: CurlTransport

    /// Fetches a set of keys.
    ///
    /// - Parameter address: Its address.
    /// - Returns: The set with what says how long it may be kept.
    /// - Throws: ``TransportError``; ``OperatorFailure`` for another status than 200.
    func fetch(_ address: String) async throws -> KeyDocument {
        let response = try await transport.send(
            HTTPExchangeRequest(
                url: address, headers: ["Accept": "application/json"],
                deadlines: HTTPDeadlines(connect: .seconds(5), idle: .seconds(5), total: .seconds(10)),
                responseByteLimit: Self.byteLimit))
        guard response.status == 200 else {
            throw OperatorFailure(message: "the keys for tokens: status \(response.status)")
        }
        return KeyDocument(
            body: response.body, cacheControl: response.headers["Cache-Control"], age: response.headers["Age"])
    }
}
