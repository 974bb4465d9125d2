import CCurl
import Foundation

/// HTTP exchanges over libcurl: connections are reused, HTTP/2 is used if TLS offers it, and one thread serves all.
///
/// libcurl sends a request again on a new connection if it fails on a reused connection before any byte of the response
/// has arrived. ``send(_:)`` accepts gzip and deflate and returns decoded bodies; ``stream(_:)`` requests no
/// compression because that would delay pieces.
package final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine
    private let configuration: Configuration

    /// Starts a transport with its own thread.
    ///
    /// - Parameter given: The settings of all exchanges; by default the process's environment decides which
    ///   certificates are trusted.
    /// - Throws: ``TransportError/other(curlCode:)`` when libcurl cannot be set up.
    package init(configuration given: Configuration? = nil) throws(TransportError) {
        let configuration = given ?? Configuration(environment: ProcessInfo.processInfo.environment)
        self.configuration = configuration
        engine = try CurlEngine(idleConnectionLimit: configuration.idleConnectionLimit)
        engine.start()
    }

    deinit {
        engine.stop()
    }

    /// Ends open exchanges with ``TransportError/cancelled``, closes all connections and returns when the thread has
    /// ended.
    ///
    /// Later exchanges fail in the same way. Releasing the transport does the same without waiting.
    package func shutdown() async {
        engine.stop()
        await engine.waitUntilStopped()
    }

    /// See ``HTTPTransport/send(_:)``.
    package func send(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPExchangeResponse {
        let start = ContinuousClock.now
        let response = try await open(request, isBuffered: true)
        let body = try await response.body.collect()
        return HTTPExchangeResponse(
            status: response.status, headers: response.headers, body: body, duration: start.duration(to: .now))
    }

    /// See ``HTTPTransport/stream(_:)``.
    ///
    /// The body retains the transport.
    package func stream(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPStreamedResponse {
        try await open(request, isBuffered: false)
    }

    /// A buffered body is never paused: its limit is the request's own.
    private func open(
        _ request: HTTPExchangeRequest, isBuffered: Bool
    ) async throws(TransportError) -> HTTPStreamedResponse {
        let target = try request.validated()
        let channel = ResponseChannel(bufferByteLimit: isBuffered ? .max : configuration.bodyBufferByteLimit) {
            [engine] channel in engine.submit(.resume(channel))
        }
        let exchange = CurlExchange(
            request: request, target: target, acceptsCompression: isBuffered, configuration: configuration,
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
