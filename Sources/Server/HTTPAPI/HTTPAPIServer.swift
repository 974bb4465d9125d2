import ChatCore
import CoreMetrics
package import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization
import UseCases

/// The HTTP server: requests over TCP, and the operator's commands over a socket in the data folder.
public struct HTTPAPIServer: Service, CustomStringConvertible {
    private let settings: HTTPAPISettings
    private let services: HTTPAPIServices
    private let drain: Drain
    private let embeddingGate = FairGate(limits: .embeddings)
    private let limiter: SharedRateLimiter?
    private let signInLimits: SignInLimits
    private let openID: OpenIDSignIn?
    private let addresses: ClientAddress
    private let metrics: RequestMetrics

    /// Makes a server; nothing is bound before ``run()``.
    public init(settings: HTTPAPISettings, services: HTTPAPIServices) {
        self.settings = settings
        self.services = services
        drain = Drain(duration: settings.drainDuration)
        limiter = settings.requestsPerMinute.map {
            SharedRateLimiter("requests of", limit: $0, buckets: services.buckets)
        }
        signInLimits = SignInLimits(buckets: services.buckets)
        addresses = ClientAddress(proxies: settings.proxies)
        metrics = RequestMetrics(factory: services.metrics)
        openID = settings.authentication?.openID.map {
            OpenIDSignIn(
                settings: $0, fetch: services.fetchKeys, post: services.postForm,
                pending: PendingSignIns(values: services.oneTimeValues), now: services.now, logger: services.logger)
        }
    }

    /// A name for log lines: settings hold secrets.
    public var description: String { "HTTP server" }

    /// Serves until graceful shutdown or cancellation.
    ///
    /// At graceful shutdown `GET /ready` answers 503 at once; after ``HTTPAPISettings/drainDuration`` no new connection
    /// is accepted, and requests in progress get ``HTTPAPISettings/shutdownGrace`` and are then stopped.
    public func run() async throws {
        let authentication = try await authentication()
        var servers = (settings.servesTCP ? 1 : 0) + (settings.unixSocketPath == nil ? 0 : 1)
        let listening = Listening(count: servers) { services.host.isListening(port: $0) }
        try await withThrowingTaskGroup(of: Ending.self) { group in
            // Binds the address first, because it may be in use.
            let (isBound, bound) = AsyncStream<Void>.makeStream()
            if let path = settings.unixSocketPath {
                group.addTask {
                    for await _ in isBound {}
                    try Task.checkCancellation()
                    try await serveLocally(OperatorSocket(path: path), listening: listening)
                    return .served
                }
            }
            if settings.servesTCP {
                group.addTask {
                    try await serveTCP(listening: listening, authentication: authentication) { bound.finish() }
                    return .served
                }
            } else {
                bound.finish()
            }
            group.addTask {
                try await waitForShutdown()
                return .graceIsOver
            }
            defer { group.cancelAll() }
            while servers > 0, try await group.next() == .served { servers -= 1 }
        }
    }

    private var trusting: TrustingAuthentication {
        TrustingAuthentication(defaultUser: settings.defaultUser.flatMap { UserID(validating: $0) })
    }

    private func authentication() async throws -> any CallerAuthentication {
        guard let authentication = settings.authentication else { return trusting }
        var verifier: TokenVerifier?
        if let tokens = authentication.tokens {
            verifier = try await TokenVerifier(
                tokens, fetch: services.fetchKeys, now: services.now, logger: services.logger)
        }
        return BearerAuthentication(
            tokens: verifier, sessions: services.accounts.map { SessionTokens(accounts: $0, now: services.now) },
            keys: services.store, users: services.store, now: services.now)
    }

    /// Every route over TCP; exactly this list is registered.
    package var routes: [Route] { makeAPI(trusting, browserGuard: nil, shares: makeShares()).routes }

    /// Returns the description of the API, as `GET /openapi.json` shows it.
    package func openAPI() throws -> Data { try makeAPI(trusting, browserGuard: nil, shares: makeShares()).openAPI() }

    private enum Ending {
        case served
        case graceIsOver
    }

    private func waitForShutdown() async throws {
        try await gracefulShutdown()
        services.logger.info("stopping")
        try await Task.sleep(for: settings.drainDuration + settings.shutdownGrace)
    }

    private func makeAPI(
        _ authentication: any CallerAuthentication, browserGuard: BrowserGuard?, shares: ConnectionShares,
        settings: HTTPAPISettings? = nil
    ) -> API {
        API(
            settings: settings ?? self.settings, services: services, authentication: authentication,
            browserGuard: browserGuard,
            drain: drain, useCases: services.useCases, embeddingGate: embeddingGate, limiter: limiter,
            signInLimits: signInLimits, addresses: addresses, shares: shares, openID: openID, metrics: metrics)
    }

    private func serveTCP(
        listening: Listening, authentication: any CallerAuthentication, isBound: @escaping @Sendable () -> Void
    ) async throws {
        let browserGuard = BrowserGuard(settings: settings)
        let shares = makeShares()
        let api = makeAPI(authentication, browserGuard: browserGuard, shares: shares)
        do {
            try await serve(
                on: .hostname(settings.host, port: settings.port), credentials: services.credentials,
                responder: api.responder(extra: api.socketRoutes + api.pageRoutes), browserGuard: browserGuard,
                shares: shares
            ) { channel in
                listening.began(port: channel.localAddress?.port)
                isBound()
            }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw HTTPAPIError.portInUse(host: settings.host, port: settings.port)
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw HTTPAPIError.cannotListen(host: settings.host, port: settings.port, reason: reason)
        } catch is SocketAddressError {
            throw HTTPAPIError.cannotListen(
                host: settings.host, port: settings.port, reason: "no such address")
        } catch is SocketAddressError.UnknownHost {
            throw HTTPAPIError.cannotListen(host: settings.host, port: settings.port, reason: "no such host")
        }
    }

    private func serveLocally(_ socket: OperatorSocket, listening: Listening) async throws {
        // Only the owner of the data folder reaches the socket.
        var settings = settings
        settings.answerTimeout = max(settings.answerTimeout, Self.localAnswerTimeout)
        let shares = makeShares()
        let api = makeAPI(OperatorAuthentication(), browserGuard: nil, shares: shares, settings: settings)
        try socket.checkPath()
        defer { socket.remove() }
        do {
            try await serve(
                on: .unixDomainSocket(path: socket.temporaryPath), responder: api.responder(extra: [api.operatorRoute]),
                shares: shares
            ) { _ in
                socket.publish()
                listening.began(port: nil)
            }
        } catch let error as IOError where [EROFS, ENOSPC, EDQUOT].contains(error.errnoCode) {
            // The server continues without commands, because people can still use it.
            services.logger.error(
                "The local socket cannot be made; commands on this machine cannot reach the server",
                metadata: ["error": "\(String(cString: strerror(error.errnoCode)))"])
            listening.began(port: nil)
            try? await gracefulShutdown()
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw HTTPAPIError.cannotListenLocally(path: socket.path, reason: reason)
        }
    }

    private func serve(
        on address: BindAddress, credentials: TLSCredentials? = nil, responder: RouterResponder<APIContext>,
        browserGuard: BrowserGuard? = nil, shares: ConnectionShares,
        isRunning: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        let streamConfiguration = streamConfiguration(shares)
        let connection = ConnectionService(
            responder: responder, browserGuard: browserGuard, services: services, settings: settings, metrics: metrics)
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

    /// The shares of one listening address.
    private func makeShares() -> ConnectionShares {
        ConnectionShares(settings: settings, addresses: addresses, metrics: services.metrics)
    }

    private func streamConfiguration(_ shares: ConnectionShares) -> HTTP1Channel.Configuration {
        let limits = PeerLimits(
            head: .init(settings.headTimeout), body: .init(settings.bodyTimeout), rest: .seconds(2),
            reading: .init(settings.readTimeout))
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [PeerDeadlines(limits: limits, shares: shares), ClientWatch()],
            idleTimeout: .init(settings.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: settings.headerByteLimit, maxHeaderListSize: settings.headerByteLimit,
                maxHeaderFieldCount: Self.headerCountLimit))
    }

    private static let headerCountLimit = 100
    /// Longer than for people, because commands wait longer than clients of callable functions.
    private static let localAnswerTimeout = Duration.seconds(600)

    private func serve(
        _ channel: some ServerChildChannel, on address: BindAddress,
        isRunning: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        var log = services.logger
        // Hides Hummingbird's own line about the address, which would repeat ours.
        log.logLevel = max(log.logLevel, .notice)
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: address,
                availableConnectionsDelegate: CountedConnections(
                    limit: settings.connectionLimit, metrics: services.metrics)),
            onServerRunning: { isRunning($0) }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: log)
        try await drain.run(server, logger: log)
    }
}

/// Reports the bound port once the server listens on every address.
private final class Listening: Sendable {
    private let state: Mutex<(missing: Int, port: Int?)>
    private let report: @Sendable (Int) -> Void

    init(count: Int, report: @escaping @Sendable (Int) -> Void) {
        state = Mutex((count, nil))
        self.report = report
    }

    func began(port: Int?) {
        let complete = state.withLock { state -> Int? in
            state.missing -= 1
            state.port = port ?? state.port
            return state.missing == 0 ? state.port ?? 0 : nil
        }
        if let complete { report(complete) }
    }
}

/// Limits the open connections of one address; further ones wait in the system's queue.
struct CountedConnections: AvailableConnectionsDelegate {
    private let limit: Int
    private let meter: Meter
    private var count = 0

    init(limit: Int, metrics: any MetricsFactory) {
        self.limit = limit
        meter = Meter(label: "http_server_open_connections", factory: metrics)
    }

    mutating func connectionOpened() {
        count += 1
        meter.increment()
    }

    mutating func connectionClosed() {
        count -= 1
        meter.decrement()
    }

    func isAcceptingNewConnections() -> Bool { count < limit }
}
