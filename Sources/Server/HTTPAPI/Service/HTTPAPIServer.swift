import ChatCore
package import Foundation
import HTTPTypes
import Logging
import ServiceLifecycle
import UseCases
import WebServer

/// The HTTP server: requests over TCP, and the operator's commands over a socket in the data folder.
package struct HTTPAPIServer: Service, CustomStringConvertible {
    private let settings: HTTPAPISettings
    private let services: HTTPAPIServices
    private let drain: Drain
    private let embeddingGate = FairGate(limits: .embeddings)
    private let limiter: RateLimiter?
    private let signInLimits: SignInLimits
    private let openID: OpenIDSignIn?
    private let addresses: ClientAddress
    private let metrics: APIMetrics
    private let requestMetrics: RequestMetrics

    /// Makes a server; nothing is bound before ``run()``.
    package init(settings: HTTPAPISettings, services: HTTPAPIServices) {
        self.settings = settings
        self.services = services
        drain = Drain(duration: settings.drainDuration)
        limiter = settings.requestsPerMinute.map {
            RateLimiter("requests of", limit: $0, buckets: services.buckets)
        }
        signInLimits = SignInLimits(buckets: services.buckets)
        addresses = ClientAddress(proxies: settings.proxies)
        metrics = APIMetrics(factory: services.metrics)
        requestMetrics = RequestMetrics(factory: services.metrics)
        openID = settings.authentication?.openID.map {
            OpenIDSignIn(
                settings: $0, fetch: services.fetchKeys, post: services.postForm,
                pending: PendingSignIns(values: services.oneTimeValues), now: services.now, logger: services.logger)
        }
    }

    /// A name for log lines: settings hold secrets.
    package var description: String { "HTTP server" }

    /// Serves until graceful shutdown or cancellation.
    ///
    /// At graceful shutdown `GET /ready` answers 503 at once; after ``HTTPAPISettings/drainDuration`` no new connection
    /// is accepted, and requests in progress get ``HTTPAPISettings/shutdownGrace`` and are then stopped.
    package func run() async throws {
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
        guard let authentication = settings.authentication else {
            guard let signIn = services.signIn else { return trusting }
            return SwitchedAuthentication(signIn: signIn, trusting: trusting, bearer: bearer(nil))
        }
        var verifier: TokenVerifier?
        if let tokens = authentication.tokens {
            verifier = try await TokenVerifier(
                tokens, fetch: services.fetchKeys, now: services.now, logger: services.logger)
        }
        return bearer(verifier)
    }

    private func bearer(_ tokens: TokenVerifier?) -> BearerAuthentication {
        BearerAuthentication(
            tokens: tokens, sessions: services.accounts.map { SessionTokens(accounts: $0, now: services.now) },
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

    /// Serves people and programs over TCP.
    private func serveTCP(
        listening: Listening, authentication: any CallerAuthentication, isBound: @escaping @Sendable () -> Void
    ) async throws {
        let browserGuard = BrowserGuard(
            host: settings.host, hosts: settings.hosts, publicURL: settings.publicURL,
            identifiesCallers: settings.authentication != nil,
            crossOrigin: CrossOrigin(origins: settings.crossOrigins))
        let shares = makeShares()
        let api = makeAPI(authentication, browserGuard: browserGuard, shares: shares)
        try await addressServer(shares).serve(
            host: settings.host, port: settings.port, credentials: services.credentials,
            responder: api.responder(extra: api.socketRoutes + api.pageRoutes), browserGuard: browserGuard
        ) { port in
            listening.began(port: port)
            isBound()
        }
    }

    /// Serves commands of the operator on the local socket; only the owner of the data folder reaches it.
    private func serveLocally(_ socket: OperatorSocket, listening: Listening) async throws {
        var settings = settings
        settings.answerTimeout = max(settings.answerTimeout, Self.localAnswerTimeout)
        let shares = makeShares()
        let api = makeAPI(OperatorAuthentication(), browserGuard: nil, shares: shares, settings: settings)
        try await addressServer(shares).serve(socket, responder: api.responder(extra: [api.operatorRoute])) {
            listening.began(port: nil)
        }
    }

    private func addressServer(_ shares: ConnectionShares) -> AddressServer {
        AddressServer(
            settings: settings.connections, application: application, shares: shares, metrics: requestMetrics,
            drain: drain)
    }

    /// The shares of one listening address.
    private func makeShares() -> ConnectionShares {
        ConnectionShares(settings: settings.connections, addresses: addresses, metrics: services.metrics)
    }

    /// What the web server is told about the API.
    private var application: ServedApplication {
        let uploads: Set<Substring> = ["/\(API.filesPath)", "/\(API.importsPath)"]
        var application = ServedApplication(
            bodyByteLimit: settings.messagesByteLimit, now: services.now, makeID: services.makeID,
            logger: services.logger,
            isUpload: { $0.method == .post && uploads.contains($0.path?.prefix { $0 != "?" } ?? "") },
            reply: API.reply,
            unknownPath: { [metrics] in API.unknownPath($0, $1, metrics: metrics) })
        application.opensSockets = services.socket != nil
        application.crossOrigin = CrossOrigin(origins: settings.crossOrigins)
        application.metrics = services.metrics
        application.writesSpans = services.writesSpans
        return application
    }

    /// Longer than for people, because commands wait longer than clients of callable functions.
    private static let localAnswerTimeout = Duration.seconds(600)
}
