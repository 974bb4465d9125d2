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
                let found = try await incoming.useCases.scheduledMessages(of: try incoming.asker(caller))
                return try reply(
                    ScheduledMessageList(
                        messages: found.map { ScheduledChatMessage($0) }, limit: ScheduledMessage.limit))
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
            "listScheduled": .json(.reply(ScheduledMessageList.self)),
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
