public import Foundation

/// One HTTP request with its limits.
///
/// Its description shows method, host and path only, never headers, body, user info or query.
public struct HTTPExchangeRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// An absolute `http` or `https` URL, percent-encoded.
    public var url: String
    /// The headers, sent in this order.
    ///
    /// `Content-Length` is the transport's to write.
    public var headers: HTTPHeaders
    /// The body; `nil` sends none.
    public var body: Data?
    /// The path of a Unix socket to connect to instead of the URL's host and port.
    public var unixSocketPath: String?
    /// The deadlines.
    public var deadlines: HTTPDeadlines
    /// The most bytes of the body, decoded, that are accepted.
    public var responseByteLimit: Int

    /// The limit of a response unless another is given: 64 MiB, twice a JSON reply of 2,048 × 1,536 embeddings with
    /// short decimals.
    public static let defaultResponseByteLimit = 64 << 20

    /// Makes a request; nothing is checked before it is sent.
    public init(
        method: String = "GET", url: String, headers: HTTPHeaders = [:], body: Data? = nil,
        unixSocketPath: String? = nil, deadlines: HTTPDeadlines = HTTPDeadlines(),
        responseByteLimit: Int = HTTPExchangeRequest.defaultResponseByteLimit
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.unixSocketPath = unixSocketPath
        self.deadlines = deadlines
        self.responseByteLimit = responseByteLimit
    }
}

extension HTTPExchangeRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method, host and path.
    public var description: String { "\(method) \(RequestURL.withoutSecrets(url))" }
    /// Method, host and path.
    public var debugDescription: String { description }
    /// Nothing: `dump` shows no header and no body either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
