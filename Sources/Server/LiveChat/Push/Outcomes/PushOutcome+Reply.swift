package import ChatCore

/// The decided outcome of every reply; one table for each service.
extension PushOutcome {
    /// Returns what a reply means.
    ///
    /// - Parameters:
    ///   - reply: The reply.
    ///   - service: The service that it comes from.
    ///   - pushKey: The device's key at its gateway, for ``PushService/webhook``.
    ///   - now: The present time, for dates in `Retry-After`.
    /// - Returns: The outcome.
    package static func of(
        _ reply: PushReply, from service: PushService, pushKey: String = "", now: Timestamp
    ) -> PushOutcome {
        switch service {
        case .web: web(reply, now)
        case .apns: apns(reply, now)
        case .fcm: fcm(reply, now)
        case .webhook: webhook(reply, pushKey: pushKey, now)
        }
    }

    /// The statuses that mean the same everywhere.
    ///
    /// Redirections are not followed: they would lead around the check of the endpoint.
    private static func general(_ reply: PushReply, reason: String? = nil, _ now: Timestamp) -> PushOutcome {
        switch reply.status {
        case 200..<300: .delivered
        case 401, 403: .credentialsRefused(isExpired: false)
        case 413: .tooLarge
        case 300..<400, 400, 402, 404, 405, 407, 409..<425, 426..<429, 430..<500:
            .misconfigured(.refused(status: reply.status, reason: reason))
        default: retry(reply, now)
        }
    }

    private static func retry(_ reply: PushReply, least: Duration? = nil, _ now: Timestamp) -> PushOutcome {
        let asked = reply.headers["retry-after"].flatMap { RetryAfter.pause($0, now: now) }
        guard let least else { return .retry(after: asked) }
        return .retry(after: max(asked ?? least, least))
    }

    /// RFC 8030; 406 is how the service of Windows limits rates.
    private static func web(_ reply: PushReply, _ now: Timestamp) -> PushOutcome {
        switch reply.status {
        case 404, 410: .rejected(since: nil)
        case 406: retry(reply, now)
        default: general(reply, reason: code(reply.json["reason"]), now)
        }
    }

    /// "Handling notification responses from APNs" of Apple.
    private static func apns(_ reply: PushReply, _ now: Timestamp) -> PushOutcome {
        let document = reply.json
        let reason = code(document["reason"])
        switch (reply.status, reason) {
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"), (400, "TopicDisallowed"), (400, "BadTopic"):
            return .rejected(since: nil)
        case (400, "IdleTimeout"): return retry(reply, now)
        case (403, "ExpiredProviderToken"): return .credentialsRefused(isExpired: true)
        case (410, _):
            return .rejected(since: document["timestamp"]?.wholeNumber.map { Timestamp(milliseconds: $0) })
        case (429, "TooManyProviderTokenUpdates"): return retry(reply, least: .seconds(1_200), now)
        default: return general(reply, reason: reason, now)
        }
    }

    /// "Error codes" of FCM's HTTP v1.
    private static func fcm(_ reply: PushReply, _ now: Timestamp) -> PushOutcome {
        let error = reply.json["error"] ?? .null
        let details = error["details"]?.items ?? []
        let reason = details.lazy.compactMap { code($0["errorCode"]) }.first ?? code(error["status"])
        switch (reply.status, reason) {
        case (400, "INVALID_ARGUMENT"):
            if error["message"]?.text?.lowercased().contains("too big") == true { return .tooLarge }
            return isAboutToken(details) ? .rejected(since: nil) : general(reply, reason: reason, now)
        case (401, "THIRD_PARTY_AUTH_ERROR"): return .credentialsRefused(isExpired: false)
        case (401, _): return .credentialsRefused(isExpired: true)
        case (403, "SENDER_ID_MISMATCH"), (404, "UNREGISTERED"): return .rejected(since: nil)
        case (429, _): return retry(reply, least: reply.headers["retry-after"] == nil ? .seconds(60) : nil, now)
        default: return general(reply, reason: reason, now)
        }
    }

    /// Whether an invalid argument is the token: FCM says so without a field, or with the field `message.token`.
    private static func isAboutToken(_ details: [JSONValue]) -> Bool {
        let fields = details.flatMap { $0["fieldViolations"]?.items ?? [] }.compactMap { $0["field"]?.text }
        if !fields.isEmpty { return fields.allSatisfy { $0 == "message.token" } }
        return details.contains { $0["errorCode"]?.text == "INVALID_ARGUMENT" }
    }

    /// The Push Gateway API of Matrix.
    private static func webhook(_ reply: PushReply, pushKey: String, _ now: Timestamp) -> PushOutcome {
        switch reply.status {
        case 200..<300:
            let isRejected = reply.json["rejected"]?.items.contains { item in
                item.text.map { $0.utf8.elementsEqual(pushKey.utf8) } ?? false
            }
            return isRejected == true ? .rejected(since: nil) : .delivered
        case 410: return .rejected(since: nil)
        default: return general(reply, now)
        }
    }

    /// Returns a service's code; nil for a text that may be more than a code.
    private static func code(_ value: JSONValue?) -> String? {
        guard let text = value?.text, (1...64).contains(text.utf8.count) else { return nil }
        let isCode = text.utf8.allSatisfy {
            (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_")
        }
        return isCode ? text : nil
    }
}
