import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
package import Tracing

/// Answers the requests of connections: ids, common headers, the request log.
struct ConnectionService: Sendable {
    let responder: RouterResponder<ConnectionContext>
    let browserGuard: BrowserGuard?
    let application: ServedApplication
    let socketSettings: SocketSettings
    let metrics: RequestMetrics
    private let dates = HTTPDateCache()

    init(
        responder: RouterResponder<ConnectionContext>, browserGuard: BrowserGuard?, application: ServedApplication,
        socketSettings: SocketSettings, metrics: RequestMetrics
    ) {
        self.responder = responder
        self.browserGuard = browserGuard
        self.application = application
        self.socketSettings = socketSettings
        self.metrics = metrics
    }

    /// Answers one request and writes the response; if that opened a socket, serves it until it is closed.
    @concurrent
    func respond(to request: Request, writer: consuming ResponseWriter, channel: any Channel) async throws {
        var context = ConnectionContext(
            source: ApplicationRequestContextSource(channel: channel, logger: application.logger))
        if application.opensSockets, !context.isStream, request.headers[.upgrade] != nil {
            context.socket = SocketOffer()
        }
        let socket = try await exchange(request, writer: writer, channel: channel, context: context)
        await socket?.serve(logger: context.logger)
    }

    /// Answers one request; returns the socket that was opened by it.
    private func exchange(
        _ request: Request, writer: consuming ResponseWriter, channel: any Channel, context: ConnectionContext
    ) async throws -> OpenSocket? {
        let id = requestID(of: request)
        let start = ContinuousClock.now
        metrics.countActive(1, method: request.method.rawValue)
        defer { metrics.countActive(-1, method: request.method.rawValue) }
        var writer: ResponseWriter? = writer
        let trace = ServiceContext.of(request, id: id)
        // Without a file for spans none is made; only the context goes with the request.
        guard application.writesSpans else {
            return try await ServiceContext.withValue(trace) {
                guard let writer = writer.take() else { return nil }
                return try await answer(
                    request, id: id, writer: writer, channel: channel, context: context, since: start)
            }
        }
        return try await withSpan("request", context: trace, ofKind: .server) { span in
            defer { span.attributes["http.route"] = context.endpointPath ?? RequestMetrics.noRoute }
            span.attributes["http.request.method"] = request.method.rawValue
            guard let writer = writer.take() else { return nil }
            return try await answer(
                request, id: id, writer: writer, channel: channel, context: context, since: start
            ) {
                span.attributes["http.response.status_code"] = $0
            }
        }
    }

    /// Writes the response of one request, or opens the socket; `willWrite` gets the status first.
    @concurrent
    private func answer(
        _ request: Request, id: String, writer: consuming ResponseWriter, channel: any Channel,
        context: ConnectionContext, since start: ContinuousClock.Instant, willWrite: (Int) -> Void = { _ in }
    ) async throws -> OpenSocket? {
        if expectsContinue(request) { try await writer.writeInformationalHead(HTTPResponse(status: .continue)) }
        let response = try await decidedResponse(to: request, id: id, channel: channel, context: context)
        let status = response.status.code
        willWrite(status)
        do {
            var socket: OpenSocket?
            if response.status == .switchingProtocols, let plan = context.socket?.plan {
                socket = try await OpenSocket(plan, on: channel, answering: response, settings: socketSettings)
            } else {
                try await writer.write(response: response.head, body: response.body)
            }
            finish(request, status: status, since: start, context: context)
            return socket
        } catch {
            finish(request, status: Self.clientGone, since: start, context: context)
            throw error
        }
    }

    /// Returns the response; for a socket, makes it in a short task.
    ///
    /// A task keeps the memory of its deepest call until it ends, and a socket keeps the task of its connection:
    /// measured with 4,000 idle sockets, this saves 30 of 53 KB each.
    private func decidedResponse(
        to request: Request, id: String, channel: any Channel, context: ConnectionContext
    ) async throws -> Response {
        guard context.socket != nil else {
            return try await response(to: request, id: id, channel: channel, context: context)
        }
        return try await withThrowingTaskGroup(of: Response.self) { group in
            group.addTask { try await response(to: request, id: id, channel: channel, context: context) }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }

    /// Returns the response with the common headers.
    private func response(
        to request: Request, id: String, channel: any Channel, context: ConnectionContext
    ) async throws -> Response {
        var response: Response
        let fault = browserGuard?.fault(of: request, isStream: context.isStream)
        if fault == nil, let preflight = application.crossOrigin.preflight(request) {
            response = preflight
        } else {
            response = try await responder.respond(to: request, context: context)
        }
        if response.status == .notFound, context.endpointPath == Self.unknownPath {
            response = application.unknownPath(request, fault)
        }
        application.crossOrigin.allow(request, in: &response)
        response.headers[.date] = dates.text(application.now())
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if let name = Self.idField { response.headers[name] = id }
        // HTTP/2 has streams instead of connections: there these fields are errors.
        if context.isStream {
            response.headers[.connection] = nil
            response.headers[.upgrade] = nil
        }
        return response
    }

    /// Hummingbird's name for the route of an unknown path.
    private static let unknownPath = "NotFound"
    private static let idField = HTTPField.Name("X-Request-Id")
    /// The logged status if a response could not be written completely.
    private static let clientGone = 499

    /// Counts and logs a finished request.
    private func finish(
        _ request: Request, status: Int, since start: ContinuousClock.Instant, context: ConnectionContext
    ) {
        let duration = start.duration(to: .now)
        let route = context.endpointPath == Self.unknownPath ? nil : context.endpointPath
        metrics.count(
            method: request.method.rawValue, route: route, status: status == Self.clientGone ? nil : status,
            duration: duration)
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        context.logger.info(
            "request",
            metadata: [
                "http.method": "\(request.method.rawValue)", "http.route": "\(context.endpointPath ?? "")",
                "http.status": "\(status)", "http.duration-ms": "\(milliseconds)",
            ])
    }

    /// Returns the client's id if it is 1 to 128 visible ASCII characters, a new one otherwise.
    private func requestID(of request: Request) -> String {
        guard let id = request.headers.value(of: "x-request-id"), (1...128).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return application.makeID() }
        return id
    }

    /// Whether the client waits for `100 Continue` before it sends a body that will be read.
    private func expectsContinue(_ request: Request) -> Bool {
        guard request.headers[.expect]?.lowercased() == "100-continue" else { return false }
        let length = request.headers[.contentLength].flatMap(Int.init) ?? 0
        return length <= application.bodyByteLimit
    }
}

extension ServiceContext {
    private enum RequestIDKey: ServiceContextKey {
        typealias Value = String
        static let nameOverride: String? = "request-id"
    }

    /// The id of the request that is being answered; nil elsewhere.
    package var requestID: String? {
        get { self[RequestIDKey.self] }
        set { self[RequestIDKey.self] = newValue }
    }
}

extension ServiceContext {
    /// Makes the context of a request: its id, and the trace that its headers name.
    static func of(_ request: Request, id: String) -> ServiceContext {
        var context = ServiceContext.topLevel
        context.requestID = id
        InstrumentationSystem.instrument.extract(request.headers, into: &context, using: FieldExtractor())
        return context
    }
}

/// Reads headers for a tracer.
private struct FieldExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? { carrier.value(of: key) }
}
