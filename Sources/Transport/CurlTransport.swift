import CCurl
import Foundation

/// HTTP exchanges over libcurl: connections are reused, HTTP/2 is used where TLS offers it, one thread serves all.
///
/// A request that fails on a reused connection before any byte of the response has arrived is sent once more by
/// libcurl, on a fresh connection. ``send(_:)`` accepts gzip and deflate and returns decoded bodies; ``stream(_:)``
/// asks for no compression, since that would hold pieces back.
public final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine
    private let configuration: Configuration

    /// Starts a transport with a thread of its own.
    ///
    /// - Parameter configuration: What all exchanges share; the environment's certificates unless given.
    /// - Throws: ``TransportError/other(curlCode:)`` when libcurl cannot be set up.
    public init(
        configuration: Configuration = Configuration(environment: ProcessInfo.processInfo.environment)
    ) throws(TransportError) {
        self.configuration = configuration
        engine = try CurlEngine(idleConnectionLimit: configuration.idleConnectionLimit)
        engine.start()
    }

    deinit {
        engine.stop()
    }

    /// Ends outstanding exchanges with ``TransportError/cancelled``, closes all connections and returns when the
    /// thread has ended. Later exchanges fail likewise. Letting go of the transport does the same without waiting.
    public func shutdown() async {
        engine.stop()
        await engine.waitUntilStopped()
    }

    /// See ``HTTPTransport/send(_:)``.
    public func send(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPExchangeResponse {
        let start = ContinuousClock.now
        let response = try await open(request, acceptsCompression: true)
        let body = try await response.body.collect()
        return HTTPExchangeResponse(
            status: response.status, headers: response.headers, body: body, duration: start.duration(to: .now))
    }

    /// See ``HTTPTransport/stream(_:)``. The body keeps the transport alive.
    public func stream(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPStreamedResponse {
        try await open(request, acceptsCompression: false)
    }

    private func open(
        _ request: HTTPExchangeRequest, acceptsCompression: Bool
    ) async throws(TransportError) -> HTTPStreamedResponse {
        let target = try request.validated()
        let channel = ResponseChannel(bufferByteLimit: configuration.bodyBufferByteLimit) { [engine] channel in
            engine.submit(.resume(channel))
        }
        let exchange = CurlExchange(
            request: request, target: target, acceptsCompression: acceptsCompression, configuration: configuration,
            channel: channel)
        let abort: @Sendable () -> Void = { [self] in
            if channel.finish(.failure(.cancelled)) { engine.submit(.abort(channel)) }
        }
        let head = try await start(exchange, abort: abort)
        return HTTPStreamedResponse(
            status: head.status, headers: head.headers, body: HTTPBody(channel: channel, abort: abort))
    }

    private func start(
        _ exchange: CurlExchange, abort: @escaping @Sendable () -> Void
    ) async throws(TransportError) -> ResponseHead {
        try await withTaskCancellationHandler {
            engine.submit(.start(exchange))
            return await exchange.channel.head()
        } onCancel: {
            abort()
        }.get()
    }
}
