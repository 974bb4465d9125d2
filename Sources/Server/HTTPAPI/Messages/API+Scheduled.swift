import ChatCore
import HTTPTypes
import Hummingbird
import NexusModel
import UseCases

/// Messages that people write to be sent later.
extension API {
    var scheduledRoutes: [Route] {
        [
            Route(
                .get, "v1/scheduled", .person, id: "listScheduled",
                "Lists the messages that the asker wrote to be sent later, the next one first."
            ) { incoming, caller in
                // Without a limit all of them, because earlier clients ask for no page.
                let limit = try incoming.limit(in: Self.scheduledRange, default: ScheduledMessage.limit)
                let found = try await incoming.useCases.scheduledMessages(
                    of: try incoming.asker(caller), after: try incoming.scheduledPlace(), limit: limit + 1)
                let page = found.prefix(limit)
                return try reply(
                    ScheduledMessageList(
                        messages: page.map { ScheduledChatMessage($0) }, limit: ScheduledMessage.limit,
                        next: found.count > limit ? page.last?.place.cursor : nil))
            },
            Route(
                .post, "v1/conversations/:conversation/scheduled", .person, id: "scheduleMessage",
                "Schedules a message of the asker; nobody else sees it before it is sent."
            ) { try await scheduleMessage($0, $1) },
            Route(
                .patch, Self.scheduledPath, .person, id: "changeScheduled",
                "Changes a scheduled message of the asker; another time lets one that was refused wait again."
            ) { try await changeScheduled($0, $1) },
            Route(
                .post, Self.scheduledPath + "/send", .person, id: "sendScheduled",
                "Sends a scheduled message of the asker now."
            ) { try await sendScheduled($0, $1) },
            Route(
                .delete, Self.scheduledPath, .person, id: "deleteScheduled", "Deletes a scheduled message of the asker."
            ) { incoming, caller in
                try await incoming.useCases.deleteScheduled(
                    try incoming.scheduledID(), of: try incoming.asker(caller))
                return Response(status: .noContent)
            },
        ]
    }

    private static let scheduledRange = 1...ScheduledMessage.limit
    private static let scheduledPath = "v1/scheduled/:scheduled"

    private func scheduleMessage(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let author = try incoming.asker(caller, body: body)
        guard let time = try body["sendAt"].optionalTimestamp() else { throw body["sendAt"].missing }
        let message = ScheduledMessage(
            id: try body["id"].optionalIdentifier() ?? MessageID(rawValue: services.makeID()), authorID: author,
            authorName: caller.person?.name, conversationID: try incoming.conversationID(),
            text: try MessageFields.text(body["text"]), replyToID: try body["replyTo"].optionalIdentifier(),
            threadRootID: try body["threadRoot"].optionalIdentifier(), sendAt: time, createdAt: incoming.receivedAt)
        let isNew = try await incoming.useCases.schedule(message)
        return try reply(ScheduledChatMessage(message), status: isNew ? .created : .ok)
    }

    private func changeScheduled(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let author = try incoming.asker(caller, body: body)
        let changed = try await incoming.useCases.changeScheduled(
            try incoming.scheduledID(), of: author,
            text: body["text"].isPresent ? try MessageFields.text(body["text"]) : nil,
            sendAt: try body["sendAt"].optionalTimestamp())
        return try reply(ScheduledChatMessage(changed))
    }

    private func sendScheduled(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
        let author = try incoming.asker(caller, body: body)
        let sent = try await incoming.useCases.sendScheduled(try incoming.scheduledID(), of: author)
        return try reply(try outcome(of: sent.posted, sent.message), status: .created)
    }
}

extension IncomingRequest {
    /// Returns the scheduled message that the path names.
    fileprivate func scheduledID() throws(Failure) -> MessageID { MessageID(rawValue: try parameter("scheduled")) }
}

extension IncomingRequest {
    /// Returns the place after which a page begins; nil for the first page.
    fileprivate func scheduledPlace() throws(FieldError) -> ScheduledMessage.Place? {
        guard let text = query("after") else { return nil }
        guard let place = ScheduledMessage.Place(cursor: text) else {
            throw FieldError(FieldPath("after"), "must be the next of a page; leave it out to begin again")
        }
        return place
    }
}

extension ScheduledMessage.Place {
    /// The place as clients pass it on: its times in microseconds and its id.
    fileprivate var cursor: String {
        Base64URL.encode(Array("\(sendAt.microseconds) \(createdAt.microseconds) \(id)".utf8))
    }

    fileprivate init?(cursor: String) {
        guard let bytes = Base64URL.decode(cursor.utf8), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let sendAt = Int64(parts[0]), let createdAt = Int64(parts[1]),
            let id = MessageID(validating: String(parts[2]))
        else { return nil }
        self.init(sendAt: Timestamp(microseconds: sendAt), createdAt: Timestamp(microseconds: createdAt), id: id)
    }
}

extension ScheduledChatMessage {
    init(_ message: ScheduledMessage) {
        self.init(
            id: message.id.rawValue, conversationId: message.conversationID.rawValue, text: message.text,
            replyTo: message.replyToID?.rawValue, threadRoot: message.threadRootID?.rawValue,
            sendAt: message.sendAt.wireDate, refusedReason: message.refusal.map { .init($0) },
            createdAt: message.createdAt.wireDate)
    }
}

/// Requests and responses about scheduled messages.
extension JSONSchema {
    private static let asker = identifier.described("The asker, if the caller may name one.")
    private static let sendAt = time.described(
        "When it is sent: in the future, at most \(ScheduledMessage.dayLimit) days ahead.")

    fileprivate static let newScheduledMessage = closed(
        .always("text", text(1...Message.textByteLimit)), .always("sendAt", sendAt),
        .maybe("id", identifier.described("The id of the message; the same request again changes nothing.")),
        .maybe("replyTo", identifier), .maybe("threadRoot", identifier), .maybe("userId", asker)
    ).named("NewScheduledMessage")

    fileprivate static let scheduledMessageChange = closed(
        .maybe("text", text(1...Message.textByteLimit)), .maybe("sendAt", sendAt), .maybe("userId", asker)
    ).named("ScheduledMessageChange")
}

extension ScheduledChatMessage: NotedReply {
    static let replyNotes = ReplyNotes(
        "ScheduledMessage",
        [
            "id": .identifier.described("The message keeps it."), "conversationId": .identifier,
            "replyTo": .identifier, "threadRoot": .identifier,
            "refusedReason": .openWord(ScheduledMessage.Refusal.allCases.map(\.rawValue))
                .described("Why it was not sent; missing while it waits."),
        ])
}

extension ScheduledMessageList: NotedReply {
    static let replyNotes = ReplyNotes("ScheduledMessageList")
}

extension API {
    /// The requests and responses of ``scheduledRoutes``.
    var scheduledDocuments: [String: RouteDocument] {
        [
            "listScheduled": .json(
                .reply(ScheduledMessageList.self),
                query: [
                    .init(
                        name: "limit",
                        schema: .integer(Self.scheduledRange).standard(.integer(Int64(ScheduledMessage.limit)))),
                    .init(name: "after", schema: .string.described("`next` of the page before.")),
                ]),
            "scheduleMessage": RouteDocument.json(
                .reply(ScheduledChatMessage.self), request: .newScheduledMessage, failures: [409, 507]
            ).or(201),
            "changeScheduled": .json(
                .reply(ScheduledChatMessage.self), request: .scheduledMessageChange, failures: [507]),
            "sendScheduled": RouteDocument(
                request: .askerOnly, isRequestOptional: true, replies: [201: ["application/json": .outcome]],
                failures: [409, 507]),
            "deleteScheduled": .empty(failures: [507]),
        ]
    }
}
