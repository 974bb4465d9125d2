import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
public import NIOSSL
import NIOWebSocket
public import NexusClient

/// HTTP requests and WebSockets on SwiftNIO, for Linux and servers.
///
/// Each request has its own connection.
public final class NIOTransport: ClientTransport {
    /// Limits of a transport.
    public struct Limits: Sendable, Hashable {
        /// How long connecting may take, the handshake of TLS not included.
        public var connect: Duration
        /// After what time without anything from the server a socket counts as broken; the server sends a heartbeat
        /// every 25 s.
        public var silence: Duration
        /// The most bytes of a response or an incoming message.
        public var byteCount: Int
        /// How long the client waits for the server's part of closing.
        public var close: Duration

        public init(
            connect: Duration = .seconds(10), silence: Duration = .seconds(60), byteCount: Int = 16 * 1024 * 1024,
            close: Duration = .seconds(3)
        ) {
            self.connect = connect
            self.silence = silence
            self.byteCount = byteCount
            self.close = close
        }
    }

    private let host: String
    private let port: Int
    private let pathPrefix: String
    private let tls: NIOSSLContext?
    let limits: Limits
    private let group: any EventLoopGroup

    /// - Parameters:
    ///   - url: The server, as `https://chat.example.com`; a path is put before that of every request.
    ///   - tls: How certificates are checked; the system's roots by default.
    ///   - limits: The limits.
    /// - Throws: ``AddressError``, or an error of NIOSSL.
    public init(url: String, tls: TLSConfiguration = .makeClientConfiguration(), limits: Limits = Limits()) throws {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.query == nil
        else { throw AddressError(url) }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { throw AddressError(url) }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        pathPrefix = path
        self.tls = scheme == "https" ? try NIOSSLContext(configuration: tls) : nil
        self.limits = limits
        group = MultiThreadedEventLoopGroup.singleton
    }

    /// See ``ClientTransport/send(_:)``.
    public func send(_ request: ClientRequest) async throws -> ClientResponse {
        try await exchange(head(of: request, closes: true), timeout: request.timeout) { channel in
            guard let body = request.body else { return }
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        }
    }

    /// Sends a request, whose body `write` sends, and collects the response.
    func exchange(
        _ head: HTTPRequestHead, timeout: Duration, _ write: (any Channel) async throws -> Void
    ) async throws -> ClientResponse {
        let channel = try await connect { [limits] channel in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(
                ResponseCollector(byteLimit: limits.byteCount, silence: TimeAmount(timeout)),
                name: ResponseCollector.name)
        }
        return try await withTaskCancellationHandler {
            let response = try await collect(on: channel, head: head, write)
            channel.close(promise: nil)
            return response
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    /// See ``ClientTransport/openSocket(_:subprotocol:)``.
    public func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        var request = request
        let subprotocols = subprotocol.isEmpty ? [] : [subprotocol]
        if !subprotocol.isEmpty { request.headers["Sec-WebSocket-Protocol"] = subprotocol }
        let head = head(of: request, closes: false)
        let socket = NIOClientSocket(limits: limits)
        let upgrader = NIOWebSocketClientUpgrader(
            maxFrameSize: limits.byteCount, automaticErrorHandling: false
        ) { channel, response in
            channel.eventLoop.makeCompletedFuture {
                guard response.headers["sec-websocket-protocol"] == subprotocols,
                    response.headers["sec-websocket-extensions"].isEmpty
                else { throw ClientTransportError.protocolViolation }
                try socket.attach(to: channel)
            }
        }
        let channel = try await connect { [limits] channel in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHTTPClientHandlers(
                leftOverBytesStrategy: .forwardBytes,
                withClientUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in
                        context.pipeline.syncOperations.removeHandler(name: ResponseCollector.name, promise: nil)
                    }
                ))
            try pipeline.addHandler(
                ResponseCollector(byteLimit: limits.byteCount, silence: TimeAmount(limits.silence)),
                name: ResponseCollector.name)
        }
        return try await withTaskCancellationHandler {
            // A response that arrives here is a refusal: the collector is removed before an upgrade.
            do {
                let refusal = try await collect(on: channel, head: head) { _ in }
                channel.close(promise: nil)
                throw ClientTransportError.refused(refusal)
            } catch is ResponseCollector.Upgraded {
                // The collector leaves the pipeline in the same turn in which the socket's handler gets into it.
                try? await channel.eventLoop.submit {}.get()
                guard socket.isAttached else {
                    channel.close(promise: nil)
                    throw ClientTransportError.protocolViolation
                }
                return socket
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    func head(of request: ClientRequest, closes: Bool) -> HTTPRequestHead {
        var headers = HTTPHeaders()
        let name = host.contains(":") ? "[\(host)]" : host
        headers.add(name: "Host", value: port == (tls == nil ? 80 : 443) ? name : "\(name):\(port)")
        if closes { headers.add(name: "Connection", value: "close") }
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) { headers.add(name: name, value: value) }
        if let body = request.body { headers.add(name: "Content-Length", value: "\(body.count)") }
        return HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: pathPrefix + request.path,
            headers: headers)
    }

    func connect(
        _ prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        do {
            return try await ClientBootstrap(group: group)
                .connectTimeout(TimeAmount(limits.connect))
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { [tls, host] channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host))
                        }
                        try prepare(channel)
                    }
                }
                .connect(host: host, port: port).get()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ClientTransportError.unreachable
        }
    }

    private func collect(
        on channel: any Channel, head: HTTPRequestHead, _ write: (any Channel) async throws -> Void
    ) async throws -> ClientResponse {
        let response = channel.eventLoop.makePromise(of: ClientResponse.self)
        do {
            try await channel.eventLoop.submit {
                try channel.pipeline.syncOperations.handler(type: ResponseCollector.self).start(response)
            }.get()
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            try await write(channel)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        } catch {
            // The connection ended, and its handlers with it; a server that refuses a body may have said so before.
            response.fail(error is CancellationError ? error : ClientTransportError.broken)
        }
        return try await response.futureResult.get()
    }
}
