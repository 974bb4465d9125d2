import ChatCore
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization

/// The HTTP server: requests over TCP, and the operator's commands over a socket in the data folder.
public struct HTTPAPIServer: Service {
    private let settings: HTTPAPISettings
    private let services: HTTPAPIServices

    /// Makes a server; nothing is bound before ``run()``.
    public init(settings: HTTPAPISettings, services: HTTPAPIServices) {
        self.settings = settings
        self.services = services
    }

    /// Serves until graceful shutdown or cancellation.
    ///
    /// At graceful shutdown no connection is accepted any longer; requests in work get
    /// ``HTTPAPISettings/shutdownGrace`` and are then cut off.
    public func run() async throws {
        let authentication = try await authentication()
        let listening = Listening(count: settings.unixSocketPath == nil ? 1 : 2, report: services.isListening)
        try await withThrowingTaskGroup(of: Ending.self) { group in
            if let path = settings.unixSocketPath {
                group.addTask {
                    try await serveLocally(OperatorSocket(path: path), listening: listening)
                    return .served
                }
            }
            group.addTask {
                try await serveTCP(listening: listening, authentication: authentication)
                return .served
            }
            group.addTask {
                try await waitForShutdown()
                return .graceIsOver
            }
            defer { group.cancelAll() }
            var servers = settings.unixSocketPath == nil ? 1 : 2
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
        return BearerAuthentication(tokens: verifier, keys: services.store, now: services.now)
    }

    /// Every route over TCP; what is registered is this list.
    package var routes: [Route] { API(settings: settings, services: services, authentication: trusting).routes }

    private enum Ending {
        case served
        case graceIsOver
    }

    private func waitForShutdown() async throws {
        try await gracefulShutdown()
        services.logger.info("stopping")
        try await Task.sleep(for: settings.shutdownGrace)
    }

    private func serveTCP(listening: Listening, authentication: any CallerAuthentication) async throws {
        let api = API(settings: settings, services: services, authentication: authentication)
        do {
            try await serve(on: .hostname(settings.host, port: settings.port), responder: api.responder()) { channel in
                listening.began(port: channel.localAddress?.port)
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
        let api = API(settings: settings, services: services, authentication: trusting)
        try socket.checkPath()
        defer { socket.remove() }
        do {
            try await serve(
                on: .unixDomainSocket(path: socket.temporaryPath), responder: api.responder(extra: [api.operatorRoute])
            ) { _ in
                socket.publish()
                listening.began(port: nil)
            }
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw HTTPAPIError.cannotListenLocally(path: socket.path, reason: reason)
        }
    }

    private func serve(
        on address: BindAddress, responder: RouterResponder<APIContext>,
        isRunning: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        let connection = ConnectionService(responder: responder, services: services, settings: settings)
        var log = services.logger
        // Hummingbird's own line on the address would come beside ours.
        log.logLevel = max(log.logLevel, .notice)
        let server = Server(
            childChannelSetup: HTTP1Channel(
                responder: { request, writer, channel in
                    try await connection.respond(to: request, writer: writer, channel: channel)
                },
                configuration: .init(idleTimeout: .init(settings.idleTimeout))),
            configuration: ServerConfiguration(
                address: address,
                availableConnectionsDelegate: .maximum(settings.connectionLimit, logger: log)),
            onServerRunning: { isRunning($0) }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: log)
        try await server.run()
    }
}

/// Reports the bound port once every address is listened on.
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
            return state.missing == 0 ? state.port : nil
        }
        if let complete { report(complete) }
    }
}
