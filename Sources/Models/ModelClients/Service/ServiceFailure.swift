import ChatCore
import Foundation
import Transport

/// A failed request: the error for the caller, and whether it may be sent again.
struct ServiceFailure: Error {
    /// The error for the caller if it is not sent again.
    var error: ModelServiceError
    /// Whether sending the same again may help.
    var isRetryable: Bool
    /// The pause that the service asks for.
    var hint: Duration?
    /// The error body; nil if there was no response.
    var body: ServiceErrorBody?
}

extension ServiceFailure {
    /// A failure below HTTP.
    init(_ failure: TransportError) {
        error =
            switch failure {
            case .invalidURL, .unsupportedScheme, .invalidMethod, .invalidHeader:
                .misconfigured(reason: failure.description)
            case .responseTooLarge, .malformedResponse: .invalidReply(reason: failure.description)
            case .timedOut(.idle), .timedOut(.total): .slow(.working)
            case .cannotResolve, .cannotConnect, .tls, .timedOut, .connectionClosed, .cancelled, .other:
                .unreachable(reason: failure.description)
            }
        // A user who has waited for a lost answer should get the error now, not after three more waits.
        isRetryable = failure.isRetryable && error != .slow(.working)
    }

    /// A response with an error status, or with an error in spite of a good status.
    init(status: Int, headers: HTTPHeaders, body data: Data, endpoint: ServiceEndpoint, now: Date) {
        let body = ServiceErrorBody(data)
        hint = Self.hint(headers, now: now)
        let error = Self.error(status: status, body: body, endpoint: endpoint, hint: hint)
        self.error = error
        self.body = body
        isRetryable =
            switch headers["x-should-retry"] {
            case "false": false
            case "true": !Self.isFinal(error, status)
            default: error.isTransient && error != .slow(.working)
            }
    }

    /// The meaning of an error status.
    static func error(
        status: Int, body: ServiceErrorBody, endpoint: ServiceEndpoint, hint: Duration? = nil
    ) -> ModelServiceError {
        switch status {
        case 401, 403: .unauthorized(status: status)
        case 402: .quotaExhausted
        case _ where body.isQuotaExhausted: .quotaExhausted
        case 413: .tooLong
        case _ where status >= 400 && body.isTooLarge: .tooLong
        // A proxy has not waited for a service that works.
        case 504, 524: .slow(.working)
        // llama-cpp-python calls an unknown form of reply its own failure.
        case 500 where body.parameter == "response_format":
            .rejected(status: status, code: endpoint.withoutKey(body.code))
        case 429, 503: .busy(retryAfter: hint)
        default: plain(status, body, endpoint)
        }
    }

    /// 424 is how TEI says that its own backend failed.
    private static func plain(
        _ status: Int, _ body: ServiceErrorBody, _ endpoint: ServiceEndpoint
    ) -> ModelServiceError {
        switch status {
        case 408, 409, 424, 500...: .failed(status: status)
        case 300..<400: .rejected(status: status, code: "redirect")
        default: .rejected(status: status, code: endpoint.withoutKey(body.code))
        }
    }

    /// Whether not even the service's own wish makes us send it again.
    private static func isFinal(_ error: ModelServiceError, _ status: Int) -> Bool {
        [400, 401, 403, 404, 413, 422].contains(status) || error == .quotaExhausted || error == .tooLong
    }
}

extension ServiceFailure {
    /// `retry-after-ms`, else `Retry-After` in seconds or as a date; nil when absent, past, or not to be understood.
    static func hint(_ headers: HTTPHeaders, now: Date) -> Duration? {
        if let milliseconds = headers["retry-after-ms"].flatMap(Double.init) { return duration(milliseconds / 1000) }
        guard let value = headers["retry-after"] else { return nil }
        if let seconds = Double(value) { return duration(seconds) }
        return date(value).flatMap { duration($0.timeIntervalSince(now)) }
    }

    private static func duration(_ seconds: Double) -> Duration? {
        guard seconds > 0, seconds < 1e9, let milliseconds = (seconds * 1000).rounded(.up).truncated(to: Int64.self)
        else { return nil }
        return .milliseconds(milliseconds)
    }

    /// The date form of RFC 9110 that is still to be sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
