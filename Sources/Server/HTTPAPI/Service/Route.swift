package import HTTPTypes
import Hummingbird

/// The callers of a route.
package enum RouteAccess: String, CaseIterable, Sendable {
    /// Anybody.
    case everyone = "public"
    /// A person, for what others see or what lasts.
    case person
    /// A person, or a key that reads as a user.
    case user
    /// A person, a key that reads as a user, or an assistant that a person connected.
    case tools = "user or assistant"
    /// A person, a key that reads as a user, or a key of an administrator.
    case userOrAdmin = "user or admin"
    /// A person for his or her own content, or a key that writes for others.
    case writer
    /// A key that writes for others.
    case ingest
    /// A key of an administrator.
    case admin
    /// Anyone who knows the secret of the source of events, which the route compares itself.
    case source
}

/// How the calls of a route come into the audit log.
///
/// Each route of administrators that is no `GET` has ``entries`` unless it says something else.
package enum RouteAudit: Sendable {
    /// Each call that names a change (``AuditAct/add(_:)``) or writes.
    case entries
    /// The operator's commands that it performs have their own entries.
    case ofCommands
    /// None: it changes nothing.
    case none(because: String)
}

/// One path with one method, and its handler.
///
/// The server registers the list of routes; the tests and the API's description use the same list.
package struct Route: Sendable {
    /// The format of errors.
    package enum ErrorShape: Sendable {
        /// RFC 9457.
        case problem
        /// The format of Firebase clients.
        case callable
        /// The format of OpenAI clients.
        case openAI
    }

    /// The method.
    package let method: HTTPRequest.Method
    /// The pattern, without a slash before it: `:name` stands for one segment.
    package let path: String
    /// The callers that may use it.
    package let access: RouteAccess
    /// A name that no other route has.
    package let operationID: String
    /// A one-line description.
    package let summary: String
    /// The format of its errors.
    package let errors: ErrorShape
    /// Whether an `Idempotency-Key` keeps it from being carried out twice.
    let takesIdempotencyKey: Bool
    /// Whether a ticket in the query identifies the caller, because browsers can send no header.
    let takesTicket: Bool
    /// How its calls come into the audit log; nil if they do not.
    package let audit: RouteAudit?
    let handle: @Sendable (IncomingRequest, Caller) async throws -> RouteResult

    /// Makes a route whose response may be based on messages.
    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess, id operationID: String, _ summary: String,
        errors: ErrorShape = .problem, takesIdempotencyKey: Bool = false,
        takesTicket: Bool = false, audit: RouteAudit? = nil,
        answering handle: @escaping @Sendable (IncomingRequest, Caller) async throws -> RouteResult
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.operationID = operationID
        self.summary = summary
        self.errors = errors
        self.takesIdempotencyKey = takesIdempotencyKey
        self.takesTicket = takesTicket
        self.audit = audit ?? (access == .admin && method != .get ? .entries : nil)
        self.handle = handle
    }

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess, id operationID: String, _ summary: String,
        errors: ErrorShape = .problem, takesIdempotencyKey: Bool = false,
        takesTicket: Bool = false, audit: RouteAudit? = nil,
        handle: @escaping @Sendable (IncomingRequest, Caller) async throws -> Response
    ) {
        self.init(
            method, path, access, id: operationID, summary, errors: errors,
            takesIdempotencyKey: takesIdempotencyKey, takesTicket: takesTicket, audit: audit,
            answering: { RouteResult(try await handle($0, $1)) })
    }
}

/// The result of a route.
struct RouteResult: Sendable {
    let response: Response
    /// The messages that the response is based on; a kept response is valid as long as they are unchanged.
    var basis: AnswerBasis?

    init(_ response: Response, basis: AnswerBasis? = nil) {
        self.response = response
        self.basis = basis
    }
}
