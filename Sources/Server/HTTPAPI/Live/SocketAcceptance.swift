import Foundation
import HTTPTypes
import Hummingbird
package import WebServer

/// Decides about one request for a socket, before the server answers it.
///
/// The server has checked host, origin and the handshake itself. The acceptance decides who asks: by a one-time ticket
/// in the query, as browsers do, or by the header `Authorization`. The client waits for the answer, so it should not
/// take long. An error that it throws is answered like an error of any route.
package typealias SocketAcceptance = @Sendable (SocketRequest) async throws -> SocketDecision

/// What an acceptance decided.
package enum SocketDecision: Sendable {
    /// The request gets this answer and the connection is closed.
    case refuse(SocketRefusal)
    /// The socket is opened, speaks the subprotocol and is served by the session.
    ///
    /// The session runs in the task of its connection. It must return soon after ``SocketSession/incoming`` has ended;
    /// the socket is closed when it returns.
    case accept(subprotocol: String, session: @Sendable (SocketSession) async -> Void)
}

/// A refusal with the same body as an error of any route.
package struct SocketRefusal: Sendable {
    let failure: Failure

    /// Makes a refusal of a status in 400...599, a stable word for programs and one line for people.
    package init(status: Int, code: String, detail: String, retryAfter: Int? = nil) {
        precondition((400...599).contains(status), "a refusal needs a status of an error")
        failure = Failure(status, code, detail, .failedPrecondition, retryAfter: retryAfter)
    }

    init(_ failure: Failure) {
        self.failure = failure
    }
}

/// A request for a socket, with what an acceptance may decide by.
package struct SocketRequest: Sendable {
    private let request: Request
    private let authentication: any CallerAuthentication
    /// The address or network that shares limits; nil if it is not counted.
    let address: String?

    init(request: Request, authentication: any CallerAuthentication, address: String?) {
        self.request = request
        self.authentication = authentication
        self.address = address
    }

    /// The path, percent-encoded as it was sent.
    package var path: String { request.uri.path }

    /// The subprotocols that the client offers, the preferred one first.
    package var subprotocols: [String] { request.headers.listed("sec-websocket-protocol") }

    /// Returns the value of a query parameter, decoded; nil if there is none.
    package func query(_ name: String) -> String? {
        request.uri.queryParameters[name[...]].map(String.init)
    }

    /// Returns the values of a header; `name` in any case.
    package func headers(_ name: String) -> [String] { request.headers.values(of: name.lowercased()) }

    /// Returns who asks, by the header `Authorization`, and how long that caller may stay connected.
    ///
    /// - Returns: ``Caller/stranger`` if the request does not say.
    /// - Throws: An error that is answered with 401 if the token or key is not valid.
    package func identify() async throws -> (caller: Caller, validity: CallerValidity) {
        try await authentication.identify(request)
    }
}
