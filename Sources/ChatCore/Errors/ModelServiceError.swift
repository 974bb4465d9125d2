/// Why a model service gave no usable answer.
///
/// Never holds a key, a prompt or a message's text.
public enum ModelServiceError: Error, Hashable, Sendable {
    /// No connection, or it broke, or a deadline passed.
    case unreachable(reason: String)
    /// It answered 429 or 503 until the retries were used up; `retryAfter` is its own wish.
    case busy(retryAfter: Duration?)
    /// It failed with this status (5xx, 408, 409) until the retries were used up.
    case failed(status: Int)
    /// The key is missing, wrong or not allowed to do this (401, 403).
    case unauthorized(status: Int)
    /// The account has no credit left.
    case quotaExhausted
    /// The request as such was refused (400, 404, 413, 422, a redirect); `code` is the service's own short code.
    case rejected(status: Int, code: String)
    /// The prompt, or one text to embed, is longer than the model takes.
    case tooLong
    /// It answered 200 with something that cannot be right: `reason` says what.
    case invalidReply(reason: String)
    /// A stream ended without saying that it was finished.
    case incompleteReply
    /// What is configured cannot work: `reason` says what to mend.
    case misconfigured(reason: String)

    /// Whether the same request may succeed later without anybody mending something.
    public var isTransient: Bool {
        switch self {
        case .unreachable, .busy, .failed, .invalidReply, .incompleteReply: true
        case .unauthorized, .quotaExhausted, .rejected, .tooLong, .misconfigured: false
        }
    }

    /// Whether other requests are likely to fail as well, so that the service is left alone until a probe succeeds.
    public var opensCircuit: Bool {
        switch self {
        case .unreachable, .busy, .failed, .unauthorized, .quotaExhausted, .misconfigured: true
        // 404 names an unknown model or path; 400 and 422 may be about one text.
        case .rejected(let status, _): ![400, 413, 422].contains(status)
        case .tooLong, .invalidReply, .incompleteReply: false
        }
    }

    /// A stable word for the case: a label for metrics and the class of a failed queue entry.
    public var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .busy: "busy"
        case .failed: "failed"
        case .unauthorized: "unauthorized"
        case .quotaExhausted: "quota_exhausted"
        case .rejected: "rejected"
        case .tooLong: "too_long"
        case .invalidReply: "invalid_reply"
        case .incompleteReply: "incomplete_reply"
        case .misconfigured: "misconfigured"
        }
    }

    /// What happened, in words of ours alone: a service's own may quote what it was sent.
    public var explanation: String {
        switch self {
        case .unreachable: "no answer: no connection, it broke, or it took too long"
        case .busy: "the service was too busy"
        case .failed(let status): "the service failed with status \(status)"
        case .unauthorized(let status): "the service refused the key with status \(status)"
        case .quotaExhausted: "the account has no credit left"
        case .rejected(let status, _): "the service refused the text with status \(status)"
        case .tooLong: "the text is longer than the model takes"
        case .invalidReply(let reason): "the answer was unusable: \(reason)"
        case .incompleteReply: "the answer broke off"
        case .misconfigured: "the service cannot be used as it is configured"
        }
    }
}
