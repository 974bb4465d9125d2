import Assistant
import ChatCore

/// A failed request as a client sees it, for all formats of errors.
///
/// Never contains text of a message, a prompt, a key or an internal error.
struct Failure: Error, Equatable {
    /// The HTTP status outside of callable routes.
    var status: Int
    /// A stable word that programs may test.
    var code: String
    /// One line for people.
    var detail: String
    /// The status on callable routes.
    var callable: CallableStatus
    /// The field at fault, if there is one.
    var field: String?
    /// Whole seconds after which a retry may help.
    var retryAfter: Int?
    /// The methods that a path takes, for 405.
    var allowedMethods: [String]?
    /// The value of `WWW-Authenticate`, for 401.
    var challenge: String?
    /// The user's remaining requests, for 429.
    var allowance: RateLimiter.Decision?

    init(
        _ status: Int, _ code: String, _ detail: String, _ callable: CallableStatus, field: String? = nil,
        retryAfter: Int? = nil, allowedMethods: [String]? = nil, challenge: String? = nil
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.callable = callable
        self.field = field
        self.retryAfter = retryAfter
        self.allowedMethods = allowedMethods
        self.challenge = challenge
    }
}

extension Failure {
    /// The same for a foreign and an unknown conversation, so that clients cannot distinguish them.
    static let conversationForbidden = Failure(
        403, "conversation_forbidden", "there is no such conversation that this user may see", .permissionDenied)
    static let userRequired = Failure(
        401, "user_required", "the request does not say who asks: give userId or the X-Nexus-User header",
        .unauthenticated)
    /// For an identified caller who asks as somebody else.
    static let foreignUser = Failure(
        403, "foreign_user", "the request names a user other than the caller", .permissionDenied,
        field: "userId")
    /// For a key that reads as a user.
    static let userNotNamed = Failure(
        400, "user_required", "a request with this key must name its user: give userId or the X-Nexus-User header",
        .invalidArgument, field: "userId")
    static let tokenRequired = Failure(
        401, "token_required", "the request needs a token: Authorization: Bearer", .unauthenticated,
        challenge: #"Bearer realm="nexus""#)

    /// For a token that is not accepted; `detail` also goes into the header and quotes nothing of the token.
    static func invalidToken(_ code: String, _ detail: String) -> Failure {
        Failure(
            401, code, detail, .unauthenticated,
            challenge: #"Bearer realm="nexus", error="invalid_token", error_description="\#(detail)""#)
    }

    static let keysUnavailable = Failure(
        503, "keys_unavailable", "the keys that tokens are checked with cannot be fetched at present", .unavailable,
        retryAfter: 5)
    static let conversationIDForbidden = Failure(
        403, "id_forbidden", "only a key with the role ingest may choose a conversation's id", .permissionDenied,
        field: "id")
    static let roleRequired = Failure(
        403, "role_required", "this caller may not use this operation", .permissionDenied)
    static let senderForbidden = Failure(
        403, "sender_forbidden", "only a key with the role ingest may send for another user", .permissionDenied,
        field: "senderId")
    static let notOwn = Failure(
        403, "not_own", "this belongs to another user", .permissionDenied)
    static let userMismatch = Failure(
        400, "user_mismatch", "userId and the X-Nexus-User header name different users", .invalidArgument,
        field: "userId")
    static let noSuchModel = Failure(
        404, "model_not_found", "there is no such model; GET /v1/models lists them", .notFound, field: "model")
    static let noSuchSchedule = Failure(404, "schedule_not_found", "this user has no such schedule", .notFound)
    static let noSuchThread = Failure(404, "thread_not_found", "this user has no such thread", .notFound)
    static let noSuchTurn = Failure(404, "turn_not_found", "this user has no such turn", .notFound)
    static let noSuchDevice = Failure(404, "device_not_found", "this user has no such device", .notFound)
    static let pushNotConfigured = Failure(
        404, "push_not_configured", "this kind of push is not set up on this server", .notFound)
    static let noTrace = Failure(
        404, "trace_not_found", "no trace of this answer is kept", .notFound)
    static let noSuchPath = Failure(404, "not_found", "there is nothing at this path", .notFound)
    static let wrongContentType = Failure(
        415, "unsupported_media_type", "the body must be JSON: Content-Type: application/json", .invalidArgument)
    static let formForbidden = Failure(
        415, "unsupported_media_type",
        "the body is the file itself, not a form: send its bytes, and its name in the query (?name=)", .invalidArgument)
    static let timedOut = Failure(
        504, "deadline_exceeded", "the answer was not complete in time", .deadlineExceeded)
    static let tooManyQuestions = Failure(
        429, "too_many_questions", "too many questions of this user are being answered", .resourceExhausted,
        retryAfter: 2)
    static let tooManySearches = Failure(
        429, "too_many_searches", "too many searches of this user are waiting", .resourceExhausted, retryAfter: 1)
    static let sameInWork = Failure(
        409, "idempotency_key_in_work", "a request with this Idempotency-Key is being carried out", .alreadyExists,
        retryAfter: 1)
    static let idempotencyKeyReused = Failure(
        422, "idempotency_key_reused", "this Idempotency-Key was used with another request before", .invalidArgument)
    static func dailyTokensUsedUp(_ error: DailyTokensUsedUp) -> Failure {
        Failure(
            429, "daily_tokens_used_up", "this user's tokens of the day (UTC) are used up", .resourceExhausted,
            retryAfter: error.retryAfter)
    }

    static let overloaded = Failure(
        503, "overloaded", "too many questions or searches are waiting", .unavailable, retryAfter: 5)
    static let shuttingDown = Failure(503, "shutting_down", "the server is stopping", .unavailable, retryAfter: 5)
    static let unexpected = Failure(500, "internal", "the request could not be carried out", .internal)

    static func tooManyRequests(_ decision: RateLimiter.Decision) -> Failure {
        var failure = Failure(
            429, "too_many_requests", "this user sent too many requests in a minute", .resourceExhausted,
            retryAfter: decision.retryAfter)
        failure.allowance = decision
        return failure
    }

    static func bodyTooLarge(limit: Int) -> Failure {
        Failure(413, "body_too_large", "the body must have at most \(limit) bytes", .invalidArgument)
    }

    static func invalid(field: String, _ reason: String) -> Failure {
        let detail = field.isEmpty ? "the body \(reason)" : "\(field) \(reason)"
        return Failure(
            400, "invalid_field", detail, .invalidArgument, field: field.isEmpty ? nil : field)
    }

    /// For a value that the protocol defines and this server does not support.
    static func unsupported(field: String, _ reason: String) -> Failure {
        Failure(400, "unsupported_value", "\(field) \(reason)", .invalidArgument, field: field)
    }

    static func methodNotAllowed(_ allowed: [String]) -> Failure {
        Failure(
            405, "method_not_allowed", "this path takes \(allowed.joined(separator: ", "))", .invalidArgument,
            allowedMethods: allowed)
    }
}

/// The statuses of the Firebase callable protocol that this server uses, with the HTTP status of each.
///
/// Clients know only the HTTP statuses of that protocol's table, and read others as INTERNAL.
enum CallableStatus: String {
    case invalidArgument = "INVALID_ARGUMENT"
    case unauthenticated = "UNAUTHENTICATED"
    case permissionDenied = "PERMISSION_DENIED"
    case notFound = "NOT_FOUND"
    case alreadyExists = "ALREADY_EXISTS"
    case failedPrecondition = "FAILED_PRECONDITION"
    case resourceExhausted = "RESOURCE_EXHAUSTED"
    case unavailable = "UNAVAILABLE"
    case deadlineExceeded = "DEADLINE_EXCEEDED"
    /// Clients drop the message and details of this status.
    case `internal` = "INTERNAL"

    var httpStatus: Int {
        switch self {
        case .invalidArgument, .failedPrecondition: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists: 409
        case .resourceExhausted: 429
        case .internal: 500
        case .unavailable: 503
        case .deadlineExceeded: 504
        }
    }
}
