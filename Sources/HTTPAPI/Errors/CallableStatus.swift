/// The statuses of the Firebase callable protocol that this server uses, with the HTTP status of each.
///
/// Clients know only the HTTP statuses of that protocol's table; others they take for INTERNAL.
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
    /// Clients drop message and details of this one.
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
