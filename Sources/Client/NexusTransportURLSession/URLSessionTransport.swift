public import Foundation
public import NexusClient

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// HTTP and sockets on URLSession, for Apple platforms and for HTTP on Linux.
///
/// On Linux the system's curl has no WebSockets, so a socket is made of server-sent events and requests
/// (``EventStreamSocket``). Cookies, caches and redirects are not used.
public final class URLSessionTransport: ClientTransport {
    /// Limits of a transport.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of a response or an incoming message.
        public var byteCount: Int

        public init(byteCount: Int = 16 * 1024 * 1024) {
            self.byteCount = byteCount
        }
    }

    private let base: String
    private let session: URLSession
    private let exchanges: ExchangeDelegate
    private let limits: Limits

    /// - Parameters:
    ///   - url: The server, as `https://chat.example.com`; a path is put before that of every request.
    ///   - configuration: Proxies, TLS and the like; caches and cookies are switched off.
    ///   - limits: The limits.
    /// - Throws: ``AddressError``.
    public init(
        url: String, configuration: URLSessionConfiguration = .ephemeral, limits: Limits = Limits()
    ) throws {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.query == nil,
            (1...65_535).contains(parts.port ?? 80)
        else { throw AddressError(url) }
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.limits = limits
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        exchanges = ExchangeDelegate()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// See ``ClientTransport/send(_:)``.
    public func send(_ request: ClientRequest) async throws -> ClientResponse {
        try await collect(try await stream(request))
    }

    /// See ``ClientTransport/upload(_:from:progress:)``.
    public func upload(
        _ request: ClientRequest, from file: URL, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> ClientResponse {
        let task = session.uploadTask(with: try urlRequest(request), fromFile: file)
        return try await collect(try await exchanges.start(task, progress: progress))
    }

    private func collect(_ stream: ClientStream) async throws -> ClientResponse {
        var response = ClientResponse(status: stream.status, headers: stream.headers)
        for try await piece in stream.body {
            response.body.append(piece)
            guard response.body.count <= limits.byteCount else {
                stream.cancel()
                throw ClientTransportError.tooLarge
            }
        }
        try Task.checkCancellation()
        return response
    }

    /// See ``ClientTransport/stream(_:)``.
    public func stream(_ request: ClientRequest) async throws -> ClientStream {
        let task = session.dataTask(with: try urlRequest(request))
        return try await exchanges.start(task)
    }

    /// See ``ClientTransport/openSocket(_:subprotocol:)``.
    public func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        #if canImport(Darwin)
        var handshake = try urlRequest(request)
        guard var parts = handshake.url.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: false) }) else {
            throw ClientTransportError.unreachable
        }
        parts.scheme = parts.scheme?.lowercased() == "https" ? "wss" : "ws"
        handshake.url = parts.url
        handshake.setValue(subprotocol, forHTTPHeaderField: "Sec-WebSocket-Protocol")
        let task = session.webSocketTask(with: handshake)
        task.maximumMessageSize = limits.byteCount
        return try await exchanges.open(task, subprotocol: subprotocol)
        #else
        return try await EventStreamSocket.open(request, over: self)
        #endif
    }

    private func urlRequest(_ request: ClientRequest) throws -> URLRequest {
        guard let url = URL(string: base + request.path) else { throw ClientTransportError.unreachable }
        var made = URLRequest(url: url)
        made.httpMethod = request.method
        made.httpBody = request.body
        let time = request.timeout.components
        made.timeoutInterval = Double(time.seconds) + Double(time.attoseconds) / 1e18
        for (name, value) in request.headers { made.setValue(value, forHTTPHeaderField: name) }
        return made
    }
}
