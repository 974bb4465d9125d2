import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Answers the requests of connections: ids, common headers, the request log.
struct ConnectionService: Sendable {
    let responder: RouterResponder<APIContext>
    let services: HTTPAPIServices
    let settings: HTTPAPISettings

    /// Answers one request and writes the response.
    @concurrent
    func respond(to request: Request, writer: consuming ResponseWriter, channel: any Channel) async throws {
        let id = requestID(of: request)
        var logger = services.logger
        logger[metadataKey: "request.id"] = "\(id)"
        let context = APIContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let start = ContinuousClock.now
        if expectsContinue(request) { try await writer.writeInformationalHead(HTTPResponse(status: .continue)) }
        let crossOrigin = CrossOrigin(origins: settings.crossOrigins)
        var response: Response
        if let preflight = crossOrigin.preflight(request) {
            response = preflight
        } else {
            response = try await responder.respond(to: request, context: context)
        }
        if response.status == .notFound, context.endpointPath == Self.unknownPath {
            response = API.reply(.noSuchPath, as: .problem)
        }
        crossOrigin.allow(request, in: &response)
        response.headers[.date] = HTTPDate.text(services.now())
        response.headers[.cacheControl] = "no-store"
        response.headers.set("X-Request-Id", to: id)
        // HTTP/2 has streams in place of connections: there the field is an error.
        if channel.parent?.parent != nil { response.headers[.connection] = nil }
        let status = response.status.code
        do {
            try await writer.write(response: response.head, body: response.body)
            log(request, status: status, since: start, context: context)
        } catch {
            log(request, status: Self.clientGone, since: start, context: context)
            throw error
        }
    }

    /// What Hummingbird calls the route of a path that nothing answers at.
    private static let unknownPath = "NotFound"
    /// What is logged when a response could not be written to its end.
    private static let clientGone = 499

    private func log(_ request: Request, status: Int, since start: ContinuousClock.Instant, context: APIContext) {
        let (seconds, attoseconds) = start.duration(to: .now).components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        context.logger.info(
            "request",
            metadata: [
                "http.method": "\(request.method.rawValue)", "http.route": "\(context.endpointPath ?? "")",
                "http.status": "\(status)", "http.duration-ms": "\(milliseconds)",
            ])
    }

    /// Returns the client's id when it is 1 to 128 visible ASCII characters, a new one otherwise.
    private func requestID(of request: Request) -> String {
        guard let id = request.headers.value(of: "x-request-id"), (1...128).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return services.makeID() }
        return id
    }

    /// Whether the client waits for a word before it sends a body that will be read.
    private func expectsContinue(_ request: Request) -> Bool {
        guard request.headers[.expect]?.lowercased() == "100-continue" else { return false }
        let length = request.headers[.contentLength].flatMap(Int.init) ?? 0
        return length <= settings.messagesByteLimit
    }
}
