package import HTTPTypes
import Hummingbird

/// Who may call a route.
package enum RouteAccess: String, CaseIterable, Sendable {
    /// Anybody.
    case everyone = "public"
    /// A person, or a key that reads as a user.
    case user
    /// A person, a key that reads as a user, or a key of an administrator.
    case userOrAdmin = "user or admin"
    /// A person for what is his or her own, or a key that writes for others.
    case writer
    /// A key that writes for others.
    case ingest
    /// A key of an administrator.
    case admin
    /// Whoever knows the secret of the source of events, which the route compares itself.
    case source
}

/// One path with one method, and what answers there.
///
/// The list of them is what the server registers, what is tested and what the API's description is made from.
package struct Route: Sendable {
    /// How errors are written.
    package enum ErrorShape: Sendable {
        /// RFC 9457.
        case problem
        /// As Firebase clients read them.
        case callable
        /// As OpenAI's clients read them.
        case openAI
    }

    /// The method.
    package let method: HTTPRequest.Method
    /// The pattern, without a slash before it: `:name` stands for one segment.
    package let path: String
    /// Who may call it.
    package let access: RouteAccess
    /// A name that no other route has.
    package let operationID: String
    /// What it does, in one line.
    package let summary: String
    /// How its errors are written.
    package let errors: ErrorShape
    /// Whether it watches the connection for the client's going away, which uses the connection up.
    let watchesClient: Bool
    /// Whether an `Idempotency-Key` keeps it from being carried out twice.
    let takesIdempotencyKey: Bool
    let handle: @Sendable (IncomingRequest, Caller) async throws -> RouteResult

    /// Makes a route whose response may be based on messages.
    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess, id operationID: String, _ summary: String,
        errors: ErrorShape = .problem, watchesClient: Bool = false, takesIdempotencyKey: Bool = false,
        answering handle: @escaping @Sendable (IncomingRequest, Caller) async throws -> RouteResult
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.operationID = operationID
        self.summary = summary
        self.errors = errors
        self.watchesClient = watchesClient
        self.takesIdempotencyKey = takesIdempotencyKey
        self.handle = handle
    }

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess, id operationID: String, _ summary: String,
        errors: ErrorShape = .problem, watchesClient: Bool = false, takesIdempotencyKey: Bool = false,
        handle: @escaping @Sendable (IncomingRequest, Caller) async throws -> Response
    ) {
        self.init(
            method, path, access, id: operationID, summary, errors: errors, watchesClient: watchesClient,
            takesIdempotencyKey: takesIdempotencyKey, answering: { RouteResult(try await handle($0, $1)) })
    }
}

/// What a route returns.
struct RouteResult: Sendable {
    let response: Response
    /// The messages that the response is based on; a kept response is valid as long as they are unchanged.
    var basis: AnswerBasis?

    init(_ response: Response, basis: AnswerBasis? = nil) {
        self.response = response
        self.basis = basis
    }
}
