import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NexusModel
import UseCases
import WebServer

/// The routes with the parts that they use.
struct API: Sendable {
    let settings: HTTPAPISettings
    let services: HTTPAPIServices
    /// Identifies callers.
    let authentication: any CallerAuthentication
    /// Refuses requests from pages of other sites; nil if no browser reaches the address.
    let browserGuard: BrowserGuard?
    let drain: Drain
    /// The actions that people can take.
    let useCases: UseCases
    /// The gate for requests for vectors; questions have another one.
    let embeddingGate: FairGate
    let limiter: RateLimiter?
    let signInLimits: SignInLimits
    let addresses: ClientAddress
    let shares: ConnectionShares
    /// The service with which people sign in; nil for none.
    let openID: OpenIDSignIn?
    let metrics: APIMetrics
    /// The body of `GET /openapi.json`.
    let description = MadeOnce<Data>()
    /// The names that requests may have, by operation.
    let contracts = MadeOnce<[String: RequestContract]>()

    /// All routes over TCP and over the local socket.
    var routes: [Route] {
        healthRoutes + statusRoutes + metricsRoutes + signInRoutes + openIDRoutes + authorizationRoutes
            + assistantReadingRoutes + sessionRoutes + accountRoutes
            + peopleRoutes + profileRoutes + linkRoutes
            + administrationRoutes + auditLogRoutes + callableRoutes + questionRoutes + verdictRoutes + turnRoutes
            + threadRoutes + scheduleRoutes
            + conversationRoutes + liveRoutes + personalRoutes + pushRoutes + fileRoutes + memberRoutes + userRoutes
            + messageRoutes + scheduledRoutes + itemRoutes
            + smartReplyRoutes
            + conversationAssistantRoutes + eventRoutes + homeserverRoutes + slackRoutes + embeddingCallables
            + openAIRoutes
            + responseRoutes
            + mcpRoutes
            + openAPIRoutes
    }

    /// Returns a success in JSON.
    func reply(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, timestamps: CallableTimestamps = .iso
    ) throws -> Response {
        .json(try WireEncoding.data(value, timestamps: timestamps), status: status)
    }

    /// Returns a failure in the format of a route; `unknown` is a path that, or whose method, no route has.
    static func reply(_ failure: Failure, as shape: Route.ErrorShape, unknown: String = "") -> Response {
        var response: Response
        switch shape {
        case .problem:
            let status = HTTPResponse.Status(code: failure.status)
            let body =
                OpenAIPaths.mayBe(unknown)
                ? try? WireEncoding.data(OpenAIProblemBody(failure)) : try? WireEncoding.data(ChatProblem(failure))
            response = .json(body ?? Data(), status: status, type: "application/problem+json")
        case .callable:
            let body = try? WireEncoding.data(CallableErrorBody(failure))
            // The protocol has no status for a wrong method, and its clients send none.
            let code = failure.allowedMethods == nil ? failure.callable.httpStatus : failure.status
            response = .json(body ?? Data(), status: HTTPResponse.Status(code: code))
        case .openAI:
            let body = try? WireEncoding.data(OpenAIErrorBody(failure))
            response = .json(body ?? Data(), status: HTTPResponse.Status(code: failure.status))
        }
        if let seconds = failure.retryAfter { response.headers[.retryAfter] = String(seconds) }
        if let challenge = failure.challenge { response.headers[.wwwAuthenticate] = challenge }
        if failure.status == Failure.upgradeRequired.status {
            response.headers[.upgrade] = "websocket"
            response.headers[.connection] = "Upgrade"
            response.headers[.secWebSocketVersion] = "13"
        }
        if let methods = failure.allowedMethods { response.headers[.allow] = methods.joined(separator: ", ") }
        return response
    }

    /// Returns the answer to a request that no route gets.
    @Sendable static func reply(_ fault: RequestFault) -> FaultReply {
        let failure = Failure(fault)
        return FaultReply(
            status: failure.status, contentType: "application/problem+json",
            body: (try? WireEncoding.data(ChatProblem(failure))) ?? Data())
    }

    /// Returns the response at a path that has no route.
    static func unknownPath(_ request: Request, _ fault: RequestFault?, metrics: APIMetrics) -> Response {
        let path = request.uri.path
        let foreign = OpenAIPaths.failure(of: path)
        let failure = fault.map { Failure($0) } ?? foreign ?? .noSuchPath
        metrics.count(failure)
        return reply(failure, as: foreign == nil ? .problem : .openAI, unknown: path)
    }
}

extension Response {
    /// Makes a response with a body of JSON.
    static func json(_ body: Data, status: HTTPResponse.Status, type: String = "application/json") -> Response {
        Response(
            status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
