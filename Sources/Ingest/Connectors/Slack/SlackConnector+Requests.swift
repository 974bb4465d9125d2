import ChatCore
import Crypto
import Foundation
import Histories
import Logging
import Synchronization

/// A request of Slack's Events API.
package struct SlackRequest: Sendable {
    /// The header `X-Slack-Signature`.
    package var signature: String?
    /// The header `X-Slack-Request-Timestamp`.
    package var timestamp: String?
    /// The header `X-Slack-Retry-Num`: how often the event was sent before; nil for the first time.
    package var retry: Int?
    /// The body as it came.
    package var body: [UInt8]

    package init(signature: String?, timestamp: String?, retry: Int?, body: [UInt8]) {
        (self.signature, self.timestamp, self.retry, self.body) = (signature, timestamp, retry, body)
    }

    /// How far the time of a request may be from ours: Slack's own libraries allow as much.
    private static let tolerance: Int64 = 300

    /// Whether Slack signed it with the secret, a few minutes ago at most.
    ///
    /// The signature is `v0=` and the HMAC-SHA256 of `v0:TIMESTAMP:BODY`. Signatures are compared in constant time.
    func isSigned(with secret: SecretText, at moment: Timestamp) -> Bool {
        guard let signature, let timestamp, timestamp.utf8.count <= 11, let seconds = Int64(timestamp), seconds >= 0
        else { return false }
        let age = moment.microseconds / 1_000_000 - seconds
        guard (-Self.tolerance...Self.tolerance).contains(age) else { return false }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("v0:\(timestamp):".utf8) + body, using: SymmetricKey(data: Data(secret.reveal().utf8)))
        let expected = "v0=" + code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return isSameSecret(signature.utf8, expected.utf8)
    }
}

/// The reply to a request of Slack.
package struct SlackReply: Equatable, Sendable {
    /// The HTTP status; Slack sends an event again unless it is 200.
    package let status: Int
    /// The body: one JSON object.
    package let body: String

    static let done = SlackReply(status: 200, body: "{}")
    static let unsigned = SlackReply(status: 401, body: #"{"error":"invalid request"}"#)
    static let unreadable = SlackReply(status: 400, body: #"{"error":"not a JSON object"}"#)
    static let later = SlackReply(status: 503, body: #"{"error":"not stored"}"#)
}

extension SlackConnector {
    /// The most requests whose events are being written at a time.
    private static let requestLimit = 256
    /// The number of a repeat after which Slack gives an event up; others may be lost already.
    private static let lastRetry = 3
    /// The number of events that are read from the store at a time.
    private static let inboxSize = 100

    /// Takes a request of Slack's Events API: the event is in the store before the reply.
    ///
    /// Any node may get it; the leading one takes the event from the store. A repeated event is known by its id.
    ///
    /// - Parameter request: The request.
    /// - Returns: The reply, within ``SlackSettings/replyLimit`` whatever the store does.
    package func take(_ request: SlackRequest) async -> SlackReply {
        guard case .http(let secret) = settings.delivery, request.isSigned(with: secret, at: now()) else {
            return .unsigned
        }
        guard case .object(var payload)? = try? JSONParser.parse(request.body),
            let fields = JSONFields(object: .object(payload))
        else { return .unreadable }
        switch fields.text("type") {
        case "url_verification":
            let reply = JSONValue.object(["challenge": .string(fields.text("challenge") ?? "")])
            return SlackReply(status: 200, body: Self.text(reply))
        case "event_callback":
            // Slack's former proof of origin is a secret of the app.
            payload["token"] = nil
            let id = fields.text("event_id").map { String($0.prefix(100)) } ?? Self.digest(of: request.body)
            var events = [(id, Self.text(.object(payload)))]
            if let retry = request.retry, retry >= Self.lastRetry { events.append(("missed-\(id)", "")) }
            return await keep(events) ? .done : .later
        case "app_rate_limited":
            return await keep([("limited-\(fields.integer("minute_rate_limited") ?? 0)", "")]) ? .done : .later
        // What Slack sends besides is not asked for again.
        default: return .done
        }
    }

    /// Writes events to the store; returns whether that is done before the reply is due.
    private func keep(_ events: [(id: String, body: String)]) async -> Bool {
        let hasRoom = pendingRequests.withLock { count in
            guard count < Self.requestLimit else { return false }
            count += 1
            return true
        }
        guard hasRoom else { return false }
        let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
        // A write that has begun cannot be interrupted, and the reply does not wait for it.
        Task {
            do {
                for event in events {
                    _ = try await store.keepEvent(event.id, event.body, of: SlackSettings.source, at: now())
                }
                outcome.yield(true)
            } catch {
                logger.warning("An event of Slack is not stored", metadata: ["error.type": "\(type(of: error))"])
                outcome.yield(false)
            }
            pendingRequests.withLock { $0 -= 1 }
        }
        let limit = Task {
            try await Task.sleep(for: settings.replyLimit)
            outcome.yield(false)
        }
        defer { limit.cancel() }
        for await isKept in outcomes { return isKept }
        return false
    }

    /// Takes the events that wait in the store, in the order in which they came.
    ///
    /// - Returns: The time until it is to be called again; nil if nothing waits.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func takeWaiting() async throws -> Duration? {
        while true {
            let events = try await store.waitingEvents(of: SlackSettings.source, limit: Self.inboxSize)
            guard !events.isEmpty else { return nil }
            for event in events {
                do {
                    try await take(event)
                } catch ConnectorError.limited(let end) {
                    return max(.milliseconds(1), end - now())
                } catch is ConnectorError {
                    return settings.retryPause
                }
                try await store.settleEvent(event.number, at: now())
            }
        }
    }

    private func take(_ event: WaitingEvent) async throws {
        state.withLock { $0.heardAt = now() }
        guard let payload = JSONFields(object: try? JSONParser.parse(Array(event.body.utf8))),
            let inner = payload.object("event")
        else { return beginComparing() }
        do {
            if try await isOurs(payload) { try await take(inner) }
        } catch RepositoryError.invalid {
            // Slack's list says what the event could not.
            beginComparing()
        }
    }

    /// Compares everything: events were lost.
    private func beginComparing() {
        state.withLock { $0.hasGap = true }
        work.signal()
    }

    private static func text(_ value: JSONValue) -> String {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private static func digest(of body: [UInt8]) -> String {
        let digest = SHA256.hash(data: Data(body)).prefix(16)
        return "body-" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
