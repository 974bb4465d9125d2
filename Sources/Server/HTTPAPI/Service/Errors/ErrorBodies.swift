import NexusModel

extension ChatProblem {
    init(_ failure: Failure) {
        self.init(status: failure.status, code: failure.code, detail: failure.detail, field: failure.field)
    }
}

/// Problem details that clients of OpenAI's API understand too, which read `error` and nothing else.
struct OpenAIProblemBody: Encodable {
    private let problem: ChatProblem
    private let error: OpenAIErrorBody.Content

    init(_ failure: Failure) {
        problem = ChatProblem(failure)
        error = OpenAIErrorBody(failure).error
    }

    private enum CodingKeys: String, CodingKey {
        case error
    }

    func encode(to encoder: any Encoder) throws {
        try problem.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(error, forKey: .error)
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
