import ChatCore
import HTTPTypes
import Hummingbird
import UseCases

extension API {
    private static let messagesPath = "v1/conversations/:conversation/messages"

    private static let messagePath = messagesPath + "/:message"

    /// Messages of a conversation that the asker may see; a person sends, edits and deletes only his or her own.
    ///
    /// If callers are not identified, the chat application decides who may edit or delete messages; this server only
    /// checks that the asker may see the conversation.
    var messageRoutes: [Route] {
        [
            Route(
                .post, Self.messagesPath, .writer, id: "postMessages", "Stores one message, or several.",
                takesIdempotencyKey: true
            ) { try await postMessages($0, $1) },
            Route(.get, Self.messagesPath, .user, id: "listMessages", "Lists messages, newest first.") {
                try await listMessages($0, $1)
            },
            Route(.get, Self.messagePath, .user, id: "getMessage", "Shows a message.") { incoming, caller in
                let asker = try incoming.asker(caller)
                let message = try await incoming.useCases.message(try incoming.messageKey(), asker: asker)
                let position = try await incoming.useCases.positions(of: [message.key])[message.key]
                return try reply(MessageWire(message, seq: position?.seq, links: settings.messageLinks))
            },
            Route(.patch, Self.messagePath, .writer, id: "editMessage", "Edits a message.") {
                try await editMessage($0, $1)
            },
            Route(.delete, Self.messagePath, .writer, id: "deleteMessage", "Deletes a message.") {
                try await deleteMessage($0, $1)
            },
        ]
    }

    private func listMessages(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let before: MessageID? = try incoming.cursor("before")
        let page = try await incoming.useCases.messages(
            of: try incoming.conversationID(), asker: asker, before: before, limit: limit)
        let positions = try await incoming.useCases.positions(of: page.elements.map(\.key))
        return try reply(
            MessagePage(
                messages: page.elements.map {
                    MessageWire($0, seq: positions[$0.key]?.seq, links: settings.messageLinks)
                },
                next: page.hasMore ? page.elements.last?.key.messageID : nil))
    }

    private func editMessage(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let key = try incoming.messageKey()
        let writer = try incoming.writer(caller, body: body)
        let present = try await incoming.useCases.message(key, for: writer)
        let files: [FileID]? = try body["attachments"].optionalArray(atMost: FileLimits.perMessage)?.map {
            try $0.identifier()
        }
        let keepsFiles = files.map { !$0.isEmpty } ?? !present.fileIDs.isEmpty
        let hasAttachments = keepsFiles || present.attachments.contains { $0.id == nil }
        // Without a text, a change of the files keeps the present one.
        let text =
            files != nil && !body["text"].isPresent
            ? nil
            : try MessageFields.text(body["text"], mayBeEmpty: body["text"].isPresent && hasAttachments)
        let edited = try await incoming.useCases.edit(key, text: text, files: files, by: writer)
        guard !writer.isWriteOnly else { return try reply(OutcomeWire(editedMessage: key.messageID)) }
        return try reply(MessageWire(edited, links: settings.messageLinks))
    }

    /// Deleting a deleted message again is not an error.
    private func deleteMessage(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let key = try incoming.messageKey()
        try await incoming.useCases.delete(key, by: try incoming.writer(caller))
        return Response(status: .noContent)
    }
}
