/// Why a model service gave no usable answer.
///
/// Never holds a key, a prompt or a message's text.
public enum ModelServiceError: Error, Hashable, Sendable {
    /// There was no connection, or it broke.
    case unreachable(reason: String)
    /// It works, but not within the time limit: other requests may still succeed.
    case slow(ModelWait)
    /// It answered 429 or 503 until the retries were used up; `retryAfter` is the pause that it asks for.
    case busy(retryAfter: Duration?)
    /// It failed with this status (5xx, 408, 409) until the retries were used up.
    case failed(status: Int)
    /// The key is missing, wrong or lacks permission (401, 403).
    case unauthorized(status: Int)
    /// The account has no credit left.
    case quotaExhausted
    /// The request as such was refused (400, 404, 413, 422, a redirect); `code` is the service's own short code.
    case rejected(status: Int, code: String)
    /// The prompt, or one text to embed, is longer than the model takes.
    case tooLong
    /// It answered 200 with an invalid reply; `reason` describes the error.
    case invalidReply(reason: String)
    /// A stream ended without its end marker.
    case incompleteReply
    /// The settings cannot work; `reason` says what to correct.
    case misconfigured(reason: String)

    /// Whether the same request may succeed later without a change by the operator.
    public var isTransient: Bool {
        switch self {
        case .unreachable, .slow, .busy, .failed, .invalidReply, .incompleteReply: true
        case .unauthorized, .quotaExhausted, .rejected, .tooLong, .misconfigured: false
        }
    }

    /// Whether other requests are likely to fail as well, so that the service is not called until a probe succeeds.
    public var opensCircuit: Bool {
        switch self {
        case .unreachable, .busy, .failed, .unauthorized, .quotaExhausted, .misconfigured: true
        // 404 means an unknown model or path; 400 and 422 may be caused by one text.
        case .rejected(let status, _): ![400, 413, 422].contains(status)
        // A service that works is waited for, however slow it is.
        case .slow, .tooLong, .invalidReply, .incompleteReply: false
        }
    }

    /// Whether a service that people can do without is left alone for a while; its answers may also be wrong.
    public var opensCircuitOfHelper: Bool { !isSlow && (isTransient || opensCircuit) }

    /// Whether the service works and only a time limit has passed.
    public var isSlow: Bool { if case .slow = self { true } else { false } }

    /// A stable code of the case: a label for metrics, and the class of a failed queue entry.
    public var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .slow: "slow"
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

    /// A description in our own words, because the service's words may quote the request.
    public var explanation: String {
        switch self {
        case .unreachable: "no answer: no connection, or it broke"
        case .slow(let wait): "the service \(wait.explanation); the time limit has passed"
        case .busy: "the service was too busy"
        case .failed(let status): "the service failed with status \(status)"
        case .unauthorized(let status): "the service refused the key with status \(status)"
        case .quotaExhausted: "the account has no credit left"
        case .rejected(let status, _): "the service refused the text with status \(status)"
        case .tooLong: "the text is longer than the model takes"
        case .invalidReply(let reason): "the answer was unusable: \(reason)"
        case .incompleteReply: "the answer broke off"
        case .misconfigured: "the service is misconfigured"
        }
    }
}

/// The work of a model service at the moment when a time limit passed.
public enum ModelWait: Hashable, Sendable {
    /// It reads the prompt: no word of the answer came yet.
    case reading
    /// It paused in the middle of an answer.
    case pausing
    /// It had not finished yet.
    case working

    /// The words that follow "the model service".
    public var explanation: String {
        switch self {
        case .reading: "is still reading"
        case .pausing: "paused in the middle of its answer"
        case .working: "is still working"
        }
    }
}
