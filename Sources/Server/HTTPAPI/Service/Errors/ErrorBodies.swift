/// RFC 9457 problem details with a stable `code`; the body of every error outside of callable routes.
struct ProblemBody: Encodable {
    let type = "about:blank"
    let title: String
    let status: Int
    let code: String
    let detail: String
    let field: String?
    /// The same for clients of OpenAI's API, which read nothing else.
    let error: OpenAIErrorBody.Content?

    /// The phrases of RFC 9110, as RFC 9457 wants them for `about:blank`.
    private static let titles = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        409: "Conflict", 413: "Content Too Large", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        422: "Unprocessable Content",
        426: "Upgrade Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
    ]

    /// Returns the phrase of a status.
    static func title(of status: Int) -> String { titles[status] ?? "Error" }

    init(_ failure: Failure, isForOpenAI: Bool = false) {
        error = isForOpenAI ? OpenAIErrorBody(failure).error : nil
        title = Self.title(of: failure.status)
        status = failure.status
        code = failure.code
        detail = failure.detail
        field = failure.field
    }
}

/// The body of every error on callable routes: `{"error": {"status", "message", "details"}}`.
struct CallableErrorBody: Encodable {
    struct Content: Encodable {
        let status: String
        let message: String
        let details: Details?
    }

    struct Details: Encodable {
        let code: String
        let field: String?
    }

    let error: Content

    /// An internal error has no detail, as clients expect: `{"message": "INTERNAL", "status": "INTERNAL"}`.
    init(_ failure: Failure) {
        let isInternal = failure.callable == .internal
        error = Content(
            status: failure.callable.rawValue, message: isInternal ? failure.callable.rawValue : failure.detail,
            details: isInternal ? nil : Details(code: failure.code, field: failure.field))
    }
}

/// The body of every error on routes for OpenAI's clients: `{"error": {"message", "type", "param", "code"}}`.
struct OpenAIErrorBody: Encodable {
    struct Content: Encodable {
        let message: String
        let type: String
        let param: OrNull<String>
        let code: String
    }

    let error: Content

    init(_ failure: Failure) {
        let type =
            switch failure.status {
            case 401: "authentication_error"
            case 403: "permission_error"
            case 429: "rate_limit_error"
            case 500...: "server_error"
            default: "invalid_request_error"
            }
        error = Content(message: failure.detail, type: type, param: OrNull(failure.field), code: failure.code)
    }
}
