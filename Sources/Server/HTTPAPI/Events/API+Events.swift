import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import UseCases

extension API {
    /// The route for events from a chat application.
    var eventRoutes: [Route] {
        [
            Route(
                .post, "v1/events/firestore", .source, id: "takeFirestoreEvent",
                "Handles an event of Firestore; its bearer token is the configured secret."
            ) { incoming, _ in try await takeFirestoreEvent(incoming) }
        ]
    }

    /// The callable that takes one new message as plain data, under both forms of its address.
    var embeddingCallables: [Route] {
        ["", ":project/:region/"].map { prefix in
            Route(
                .post, prefix + "embedNewMessage", .writer,
                id: "embedNewMessage" + (prefix.isEmpty ? "" : "OfProject"),
                "Stores a message, for Firebase clients.", errors: .callable,
                takesIdempotencyKey: true
            ) { try await embedNewMessage($0, $1) }
        }
    }

    /// Handles one event; 200 tells the source not to send it again.
    ///
    /// A message of an unknown conversation is refused with 503, and the source sends it again. The conversation's own
    /// document decides who may see the message, and its event is still to come.
    private func takeFirestoreEvent(_ incoming: IncomingRequest) async throws -> Response {
        try requireSecret(of: incoming)
        let event = try await CloudEvent(incoming, limit: settings.messagesByteLimit)
        let moment = incoming.receivedAt
        let reader = FirestoreEvent(settings: settings.firestore, moment: moment)
        guard let told = try reader.sourceEvent(event) else { return try reply(EventReply(outcome: "ignored")) }
        let outcome = try await services.store.take(told, authorSource: UseCases.source, at: moment)
        switch outcome {
        case .stored: return try reply(EventReply(outcome: "stored"))
        case .deleted: return try reply(EventReply(outcome: "deleted"))
        case .duplicate: return try reply(EventReply(outcome: "duplicate"))
        case .outdated: return try reply(EventReply(outcome: "outdated"))
        case .deletedBefore: return try reply(EventReply(outcome: "deleted_before"))
        case .noSuchConversation: throw Failure.conversationUnknown
        case .invalid(let field, let reason): throw Failure.invalid(field: field, reason)
        }
    }

    /// Without a configured secret this path does not exist.
    private func requireSecret(of incoming: IncomingRequest) throws(Failure) {
        guard let secret = settings.firestore.secret else { throw .noSuchPath }
        let header = incoming.request.headers[.authorization] ?? ""
        guard isSameSecret(header.utf8, "Bearer \(secret.reveal())".utf8) else { throw .wrongSecret }
    }

    /// Stores a message: `conversationId`, `messageId`, and the fields of documents under their configured names.
    private func embedNewMessage(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let data = try await callableData(incoming)
        let names = settings.firestore.fields
        let sender: UserID = try data.at(names.senderID).identifier()
        let id: ConversationID = try data["conversationId"].identifier()
        let writer = try incoming.writer(caller, body: data, sender: sender)
        guard writer.mayWrite(for: sender) else { throw Failure.senderForbidden }
        let fields = [
            "id": data["messageId"].isPresent ? data["messageId"] : data["id"], "senderId": data.at(names.senderID),
            "senderName": data.at(names.senderName), "text": data.at(names.text),
            "timestamp": data.at(names.timestamp).readingFirestoreTime(),
        ]
        guard fields["id"]?.isPresent == true else { throw data["messageId"].missing }
        let item = JSONField(.object(fields.compactMapValues(\.value)))
        return try reply(CallableResult(result: try await accepted(item, in: id, by: writer, incoming)))
    }
}

/// The outcome of an event.
struct EventReply: Encodable {
    let outcome: String
}

extension Failure {
    /// Asks the source to try again.
    static let conversationUnknown = Failure(
        503, "conversation_unknown", "the conversation is not known yet; send the event again later", .unavailable,
        retryAfter: 30)
    static let wrongSecret = Failure(
        401, "unauthorized", "the Authorization header must be Bearer with the configured secret", .unauthenticated)
}

extension JSONField {
    /// Returns a field of an object; a dot leads into an object within.
    func at(_ name: String) -> JSONField {
        name.split(separator: ".").reduce(self) { $0[String($1)] }
    }

    /// Reads `{"_seconds", "_nanoseconds"}`, as clients of callable functions send a timestamp, as milliseconds.
    func readingFirestoreTime() -> JSONField {
        guard case .object(let fields) = value,
            case .integer(let seconds)? = fields["_seconds"] ?? fields["seconds"],
            let whole = seconds.multiplied(by: 1_000)
        else { return self }
        switch fields["_nanoseconds"] ?? fields["nanoseconds"] {
        case nil, .null: return JSONField(.integer(whole), at: path)
        case .integer(let nanoseconds) where (0..<1_000_000_000).contains(nanoseconds):
            // Microseconds are the finest that is stored.
            return JSONField(.double(Double(whole) + Double(nanoseconds / 1_000) / 1_000), at: path)
        default: return self
        }
    }
}
