/// Why an HTTP exchange returned no complete response.
///
/// No case contains a header value, a body, user info or a query string, so an error may be logged. A response with an
/// error status is not an error here.
package enum TransportError: Error, Equatable, Sendable {
    /// The URL cannot be sent as it is; attached without user info, query and fragment.
    case invalidURL(String)
    /// The URL's scheme is neither `http` nor `https`.
    case unsupportedScheme(String)
    /// The method is not a token of HTTP.
    case invalidMethod
    /// A header has a name that is no token, or a value with control characters, or is the transport's own to write
    /// (`Content-Length`, `Transfer-Encoding`). A name that is no token is replaced by "?".
    case invalidHeader(name: String)
    /// The name of the host, or of the configured proxy, has no address.
    case cannotResolve(host: String)
    /// No connection to `host:port` or `unix:path`: refused, unreachable, no such socket.
    case cannotConnect(String)
    /// The TLS handshake or the check of the certificate failed; `code` is libcurl's `CURLcode`.
    case tls(code: Int)
    /// A deadline of the request has passed.
    case timedOut(phase: TimeoutPhase)
    /// The body, decoded, or the head is longer than `limit` bytes.
    case responseTooLarge(limit: Int)
    /// The connection was closed before the response was complete.
    case connectionClosed
    /// The response is not HTTP.
    case malformedResponse
    /// The task was cancelled, the body was released, or the transport was shut down.
    case cancelled
    /// Any other failure; `curlCode` is libcurl's `CURLcode`.
    case other(curlCode: Int)

    /// The three deadlines of an exchange.
    package enum TimeoutPhase: String, Equatable, Sendable {
        /// Name resolution, connection and TLS handshake.
        case connect
        /// No byte was sent or received for too long.
        case idle
        /// The whole exchange.
        case total
    }
}

extension TransportError {
    /// Whether the same request may succeed when sent again later: failures of the network or of the server, not of
    /// the request.
    package var isRetryable: Bool {
        switch self {
        case .cannotResolve, .cannotConnect, .timedOut, .connectionClosed: true
        case .tls(let code): code == TransportError.handshakeFailed
        case .invalidURL, .unsupportedScheme, .invalidMethod, .invalidHeader, .responseTooLarge, .malformedResponse,
            .cancelled, .other:
            false
        }
    }

    /// Whether the server certainly saw nothing of the request, so that sending it again cannot do anything twice.
    package var wasNeverSent: Bool {
        switch self {
        case .invalidURL, .unsupportedScheme, .invalidMethod, .invalidHeader, .cannotResolve, .cannotConnect, .tls,
            .timedOut(.connect):
            true
        case .timedOut, .responseTooLarge, .connectionClosed, .malformedResponse, .cancelled, .other: false
        }
    }
}

extension TransportError: CustomStringConvertible {
    /// One line for a log or an operator.
    package var description: String {
        switch self {
        case .invalidURL(let url): "invalid URL \(url)"
        case .unsupportedScheme(let scheme): "unsupported URL scheme \"\(scheme)\", use http or https"
        case .invalidMethod: "invalid request method"
        case .invalidHeader(let name): "invalid request header \(name)"
        case .cannotResolve(let host): "cannot resolve \(host)"
        case .cannotConnect(let endpoint): "cannot connect to \(endpoint)"
        case .tls(let code): "TLS failed (curl code \(code))"
        case .timedOut(let phase): "timed out (\(phase.rawValue))"
        case .responseTooLarge(let limit): "response larger than \(limit) bytes"
        case .connectionClosed: "connection closed before the response was complete"
        case .malformedResponse: "malformed response"
        case .cancelled: "cancelled"
        case .other(let code): "HTTP exchange failed (curl code \(code))"
        }
    }
}
