package import ChatCore
package import Foundation

/// Sends one HTTP request.
///
/// It follows no redirection, limits time and size of the reply, and speaks HTTP/2 where APNs asks for it.
package protocol PushTransport: Sendable {
    /// Returns the reply, whatever its status.
    ///
    /// - Parameter request: The request.
    /// - Returns: The complete reply.
    /// - Throws: Any error if there was no complete reply.
    func send(_ request: PushRequest) async throws -> PushReply
}

/// A request to a push service.
///
/// Its description shows the host only: path, headers and body have tokens.
package struct PushRequest: Sendable {
    /// The method.
    package let method: String
    /// The absolute URL.
    package let url: String
    /// The headers.
    package let headers: [String: String]
    /// The body.
    package let body: Data
    /// The checked addresses of the host, nil for services of the settings.
    ///
    /// Connect to no others: the name may have other addresses a moment later.
    package let addresses: [IPAddress]?

    package init(
        method: String = "POST", url: String, headers: [String: String], body: Data, addresses: [IPAddress]? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.addresses = addresses
    }
}

extension PushRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and origin, without the path, which may hold a device's token.
    package var description: String { "\(method) \(EndpointURL(url)?.origin ?? "?")" }
    /// Method and origin.
    package var debugDescription: String { description }
    /// Empty, so that `dump` shows no token.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
