import ChatCore
import Connectors
import Crypto
import Foundation
import HTTPAPI
import Logging
import ServiceLifecycle
import Transport

/// Sends the assistant's messages to the chat system in which they were asked for: to a room of Matrix, Mattermost or Slack,
/// or by `POST` to an address.
///
/// The body is `{"type": "message.created" | "message.deleted", "message": {…}}`, the message in the form of `/v1`. It
/// is signed: `X-Nexus-Signature: t=<seconds since 1970>,v1=<hexadecimal HMAC-SHA256 of "<t>.<body>">`. Deliveries are
/// in the store, and are repeated until the system answers 2xx. The system may get a message twice, with the same
/// `X-Nexus-Delivery`.
struct MentionWebhook: Service {
    /// The address, and the secret that signs.
    ///
    /// The address may hold a secret too, so all of it is masked.
    struct Target: Sendable, MaskedDescription {
        let url: String
        let secret: SecretText
    }

    private static let lease = Duration.seconds(60)
    /// About a day, with pauses of up to an hour.
    private static let attemptLimit = 30
    private static let byteLimit = 1 << 16

    let store: any MentionRepository
    let transport: CurlTransport
    /// The receiver of answers that no connector sends; nil for none.
    let target: Target?
    /// The connectors to other chats.
    let connectors: [any Connector]
    /// Makes links to messages that came without one.
    var links: MessageLinkTemplate?
    let now: @Sendable () -> Timestamp
    let logger: Logger
    /// Signalled when there may be something to deliver.
    private let arrival = WorkSignal()

    /// Delivers until the service group shuts down.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            await arrival.repeating { error in
                logger.warning("The webhook's queue cannot be read", metadata: ["error.type": "\(type(of: error))"])
            } _: {
                while try await deliverNext() {}
                return try await store.nextDeliveryDue().map { $0 - now() }
            }
        }
    }

    /// Looks for deliveries if changes of the store may have brought some; see ``ChangeFollower/Listener``.
    func follow(_ changes: [Change]?) {
        if changes?.contains(where: { $0.messageKey != nil }) ?? true { arrival.signal() }
    }

    /// Sends the delivery that is due longest; returns whether there was one.
    func deliverNext() async throws -> Bool {
        guard let delivery = try await store.claimDelivery(until: now() + Self.lease, at: now()) else { return false }
        let sent = try await send(delivery.answer)
        let status = sent == nil ? await post(delivery) : nil
        try Task.checkCancellation()
        let isDone = sent ?? status.map { (200..<300).contains($0) || $0 == 410 } ?? false
        // What must go from a room is removed, however long that takes.
        let mustGo = sent != nil && (delivery.answer.editedAt != nil || delivery.answer.deletedAt != nil)
        let isGivenUp = delivery.attempts >= Self.attemptLimit && !mustGo
        if !isDone {
            logger.warning(
                "An answer was not delivered",
                metadata: ["status": "\(status ?? 0)", "attempt": "\(delivery.attempts)", "isGivenUp": "\(isGivenUp)"])
        }
        let pause = min(Duration.seconds(5) * (1 << min(delivery.attempts - 1, 10)), .seconds(3_600))
        try await store.settle(delivery, retryAt: isDone || isGivenUp ? nil : now() + pause)
        return true
    }

    /// Sends an answer to the room in which it was asked; returns whether it is done, nil if it is in no room.
    private func send(_ answer: Message) async throws -> Bool? {
        for connector in connectors {
            if let isDone = try await connector.deliver(answer) { return isDone }
        }
        return nil
    }

    /// Posts to the target; returns the status of the reply, nil for none.
    ///
    /// Without a target there is nothing to do.
    private func post(_ delivery: MentionDelivery) async -> Int? {
        guard let target else { return 204 }
        do {
            let answer = delivery.answer
            let type =
                answer.deletedAt != nil
                ? "message.deleted" : answer.editedAt != nil ? "message.updated" : "message.created"
            var body = Data(#"{"type":"\#(type)","message":"#.utf8)
            body += try messageDocument(delivery.answer, links: links)
            body += Data("}".utf8)
            let seconds = now().milliseconds / 1_000
            let reply = try await transport.send(
                HTTPExchangeRequest(
                    method: "POST", url: target.url,
                    headers: [
                        "Content-Type": "application/json",
                        "X-Nexus-Delivery": "\(delivery.answer.key.messageID.rawValue)/\(type)",
                        "X-Nexus-Signature":
                            "t=\(seconds),v1=\(Self.signature(of: body, at: seconds, target.secret.reveal()))",
                    ], body: body,
                    deadlines: HTTPDeadlines(connect: .seconds(5), idle: .seconds(10), total: .seconds(20)),
                    responseByteLimit: Self.byteLimit))
            return reply.status
        } catch {
            return nil
        }
    }

    /// Returns the signature of a body that is sent at a time.
    static func signature(of body: Data, at seconds: Int64, _ secret: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(seconds).".utf8) + body, using: SymmetricKey(data: Data(secret.utf8)))
        return code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
