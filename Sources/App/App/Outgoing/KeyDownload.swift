import Foundation
import HTTPAPI
import Transport
import UseCases

/// Fetches the keys that check tokens; redirects are not followed.
struct KeyDownload: Sendable {
    private static let byteLimit = 1 << 20

    let transport: CurlTransport

    /// Fetches a set of keys.
    ///
    /// - Parameter address: Its address.
    /// - Returns: The set with its headers about caching.
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

    /// Sends a form.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - form: The encoded fields.
    ///   - authorization: The field `Authorization`; nil for none.
    /// - Returns: The reply.
    /// - Throws: ``TransportError``.
    func post(_ address: String, _ form: String, _ authorization: String?) async throws -> (status: Int, body: Data) {
        var headers: HTTPHeaders = [
            "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
        ]
        if let authorization { headers["Authorization"] = authorization }
        let response = try await transport.send(
            HTTPExchangeRequest(
                method: "POST", url: address, headers: headers, body: Data(form.utf8),
                deadlines: HTTPDeadlines(connect: .seconds(5), idle: .seconds(10), total: .seconds(10)),
                responseByteLimit: Self.byteLimit))
        return (response.status, response.body)
    }
}
