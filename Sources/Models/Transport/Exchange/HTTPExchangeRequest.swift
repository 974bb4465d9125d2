package import Foundation

/// One HTTP request with its limits.
///
/// Its description shows method, host and path only, never headers, body, user info or query.
package struct HTTPExchangeRequest: Sendable {
    /// The method, in capitals.
    package var method: String
    /// An absolute `http` or `https` URL, percent-encoded.
    package var url: String
    /// The headers, sent in this order.
    ///
    /// `Content-Length` is the transport's to write.
    package var headers: HTTPHeaders
    /// The body; `nil` sends none.
    package var body: Data?
    /// The path of a Unix socket to connect to instead of the URL's host and port.
    package var unixSocketPath: String?
    /// The IP addresses to connect to; `nil` resolves the host.
    ///
    /// For hosts that strangers name: the addresses that were checked are then the ones that are used. No proxy is.
    package var addresses: [String]?
    /// The deadlines.
    package var deadlines: HTTPDeadlines
    /// The most bytes of the body, decoded, that are accepted.
    package var responseByteLimit: Int

    /// The default limit of a response: 64 MiB, twice a JSON reply of 2,048 × 1,536 embeddings with short decimals.
    package static let defaultResponseByteLimit = 64 << 20

    /// Makes a request; nothing is checked before it is sent.
    package init(
        method: String = "GET", url: String, headers: HTTPHeaders = [:], body: Data? = nil,
        unixSocketPath: String? = nil, addresses: [String]? = nil, deadlines: HTTPDeadlines = HTTPDeadlines(),
        responseByteLimit: Int = HTTPExchangeRequest.defaultResponseByteLimit
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.unixSocketPath = unixSocketPath
        self.addresses = addresses
        self.deadlines = deadlines
        self.responseByteLimit = responseByteLimit
    }
}

extension HTTPExchangeRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method, host and path.
    package var description: String { "\(method) \(RequestURL.withoutSecrets(url))" }
    /// Method, host and path.
    package var debugDescription: String { description }
    /// Empty, so that `dump` shows no header and no body.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPExchangeRequest {
    /// Checks everything in the request's head, so that nothing can add a line to it.
    ///
    /// - Returns: The URL's parts.
    /// - Throws: ``TransportError/invalidMethod``, ``TransportError/invalidHeader(name:)``, and the errors of
    ///   ``RequestURL``.
    func validated() throws(TransportError) -> RequestURL {
        let target = try RequestURL(url)
        guard Self.isToken(method) else { throw .invalidMethod }
        for header in headers { try Self.check(header) }
        if let unixSocketPath, unixSocketPath.utf8.contains(0) || unixSocketPath.isEmpty {
            throw .cannotConnect("unix:")
        }
        if let addresses {
            let isPlain = addresses.allSatisfy { address in
                !address.isEmpty && address.utf8.allSatisfy { Self.isAddressCharacter($0) }
            }
            guard isPlain, !addresses.isEmpty else { throw .cannotConnect("\(target.host):\(target.port)") }
        }
        return target
    }

    private static func check(_ header: HTTPHeaders.Element) throws(TransportError) {
        guard isToken(header.name) else { throw .invalidHeader(name: "?") }
        let isReserved = ["content-length", "transfer-encoding"].contains(header.name.lowercased())
        let isPlain = header.value.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
        guard isPlain && !isReserved else { throw .invalidHeader(name: header.name) }
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") || Character(Unicode.Scalar(byte)).isHexDigit
    }

    /// Whether `text` is a token of RFC 9110, section 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

/// How long the parts of an exchange may take.
package struct HTTPDeadlines: Equatable, Sendable {
    /// For name resolution, connection and TLS handshake together.
    package var connect: Duration
    /// Between two bytes that are sent or received on an open connection; the wait for the first byte of the response
    /// counts.
    ///
    /// It does not run while the transfer waits for the consumer of a streamed body.
    package var idle: Duration
    /// For the whole exchange from its start to the last byte of the body, even if the consumer is slow; `nil`: no
    /// limit.
    package var total: Duration?

    /// Makes a set of deadlines.
    ///
    /// Each is enforced to some milliseconds; 1 ms is the least.
    package init(connect: Duration = .seconds(10), idle: Duration = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, at least 1, at most the largest 32-bit number (24 days).
    var milliseconds: Int {
        guard self < .seconds(Int32.max / 1000) else { return Int(Int32.max) }
        let (seconds, attoseconds) = components
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Swift.max(1, Int(seconds * 1000 + rest))
    }
}
