import CoreMetrics
import Foundation
package import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves one address: accepts connections within the limits, reads requests and writes responses.
package struct AddressServer: Sendable {
    private let settings: ConnectionSettings
    private let application: ServedApplication
    private let shares: ConnectionShares
    private let metrics: RequestMetrics
    private let drain: Drain

    /// Makes a server; nothing is bound before it serves.
    package init(
        settings: ConnectionSettings, application: ServedApplication, shares: ConnectionShares,
        metrics: RequestMetrics, drain: Drain
    ) {
        self.settings = settings
        self.application = application
        self.shares = shares
        self.metrics = metrics
        self.drain = drain
    }

    /// Serves a host and port over TCP, until graceful shutdown or cancellation.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; 0 lets the system choose.
    ///   - credentials: Certificate and key; nil for plain HTTP.
    ///   - responder: The routes.
    ///   - browserGuard: Refuses requests of pages of other sites.
    ///   - isListening: Called with the port when it is bound.
    /// - Throws: ``WebServerError`` if the address cannot be bound.
    package func serve(
        host: String, port: Int, credentials: TLSCredentials?, responder: RouterResponder<ConnectionContext>,
        browserGuard: BrowserGuard, isListening: @escaping @Sendable (Int?) -> Void
    ) async throws {
        do {
            try await serve(
                on: .hostname(host, port: port), credentials: credentials, responder: responder,
                browserGuard: browserGuard
            ) { channel in isListening(channel.localAddress?.port) }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw WebServerError.portInUse(host: host, port: port)
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw WebServerError.cannotListen(host: host, port: port, reason: reason)
        } catch is SocketAddressError {
            throw WebServerError.cannotListen(host: host, port: port, reason: "no such address")
        } catch is SocketAddressError.UnknownHost {
            throw WebServerError.cannotListen(host: host, port: port, reason: "no such host")
        }
    }

    /// Serves a local socket, until graceful shutdown or cancellation.
    ///
    /// - Parameters:
    ///   - socket: The file of the socket.
    ///   - responder: The routes.
    ///   - isListening: Called when it is bound, and when there is no room for it on the disk.
    /// - Throws: ``WebServerError`` if the socket cannot be made.
    package func serve(
        _ socket: OperatorSocket, responder: RouterResponder<ConnectionContext>,
        isListening: @escaping @Sendable () -> Void
    ) async throws {
        try socket.checkPath()
        defer { socket.remove() }
        do {
            try await serve(on: .unixDomainSocket(path: socket.temporaryPath), responder: responder) { _ in
                socket.publish()
                isListening()
            }
        } catch let error as IOError where [EROFS, ENOSPC, EDQUOT].contains(error.errnoCode) {
            // The server continues without commands, because people can still use it.
            application.logger.error(
                "The local socket cannot be made; commands on this machine cannot reach the server",
                metadata: ["error": "\(String(cString: strerror(error.errnoCode)))"])
            isListening()
            try? await gracefulShutdown()
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw WebServerError.cannotListenLocally(path: socket.path, reason: reason)
        }
    }

    private func serve(
        on address: BindAddress, credentials: TLSCredentials? = nil, responder: RouterResponder<ConnectionContext>,
        browserGuard: BrowserGuard? = nil, isRunning: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        let connection = ConnectionService(
            responder: responder, browserGuard: browserGuard, application: application,
            socketSettings: settings.socket, metrics: metrics)
        let respond: HTTPChannelHandler.Responder = { request, writer, channel in
            try await connection.respond(to: request, writer: writer, channel: channel)
        }
        guard let credentials else {
            let channel = HTTP1Channel(responder: respond, configuration: streamConfiguration)
            return try await serve(CountedChannel(base: channel, shares: shares), on: address, isRunning: isRunning)
        }
        let configuration = HTTP2ChannelConfiguration(
            idleTimeout: settings.idleTimeout, streamConfiguration: streamConfiguration)
        let channel = try SecureChannel(
            credentials: credentials, configuration: configuration, handshakeLimit: .init(settings.headTimeout),
            responder: respond)
        try await serve(CountedChannel(base: channel, shares: shares), on: address, isRunning: isRunning)
    }

    private var streamConfiguration: HTTP1Channel.Configuration {
        let limits = PeerLimits(
            head: .init(settings.headTimeout), body: .init(settings.bodyTimeout), rest: .seconds(2),
            reading: .init(settings.readTimeout))
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                PeerDeadlines(limits: limits, shares: shares, application: application), ClientWatch(),
            ],
            idleTimeout: .init(settings.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: settings.headerByteLimit, maxHeaderListSize: settings.headerByteLimit,
                maxHeaderFieldCount: Self.headerCountLimit))
    }

    private static let headerCountLimit = 100

    private func serve(
        _ channel: some ServerChildChannel, on address: BindAddress,
        isRunning: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        var log = application.logger
        // Hides Hummingbird's own line about the address, which would repeat ours.
        log.logLevel = max(log.logLevel, .notice)
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: address,
                availableConnectionsDelegate: CountedConnections(limit: settings.limit, metrics: application.metrics)),
            onServerRunning: { isRunning($0) }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: log)
        try await drain.run(server, logger: log)
    }
}
