import ChatCore
import HTTPTypes
import Hummingbird

extension API {
    private static let messagesPath = "v1/conversations/:conversation/messages"

    private static let messagePath = messagesPath + "/:message"

    /// Messages of a conversation that the asker may see; a person sends, edits and deletes only his or her own.
    ///
    /// Where nothing tells callers apart the chat application decides who may edit or delete what; here it is only
    /// asked whether the asker sees the conversation.
    var messageRoutes: [Route] {
        [
            Route(
                .post, Self.messagesPath, .writer, id: "postMessages", "Takes in one message, or several.",
                takesIdempotencyKey: true
            ) { try await postMessages($0, $1) },
            Route(.get, Self.messagesPath, .user, id: "listMessages", "Lists messages, newest first.") {
                try await listMessages($0, $1)
            },
            Route(.get, Self.messagePath, .user, id: "getMessage", "Shows a message.") { incoming, caller in
                let asker = try incoming.asker(caller)
                return try reply(
                    MessageWire(
                        try await message(try incoming.messageKey(), asker: asker), links: settings.messageLinks))
            },
            Route(.patch, Self.messagePath, .writer, id: "editMessage", "Gives a message a new text.") {
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
        let found = try await services.store.page(
            of: try incoming.conversationID(), asker: asker, before: before, limit: limit + 1, at: services.now())
        let page = found.prefix(limit)
        return try reply(
            MessagePage(
                messages: page.map { MessageWire($0, links: settings.messageLinks) },
                next: found.count > limit ? page.last?.key.messageID : nil))
    }

    private func message(_ key: MessageKey, asker: UserID) async throws -> Message {
        try await requireAccess(to: key.conversationID, asker: asker)
        let scope = SearchScope(asker: asker, conversations: .only([key.conversationID]))
        guard let message = try await services.store.messages([key], in: scope, at: services.now())[key] else {
            throw RepositoryError.noSuchMessage(key)
        }
        return message
    }

    private func requireAccess(to id: ConversationID, asker: UserID) async throws {
        let scope = SearchScope(asker: asker, conversations: .only([id]))
        guard try await !services.store.permitted(scope, at: services.now()).isEmpty else {
            throw Failure.conversationForbidden
        }
    }

    /// Returns the message that the writer wants to change, deleted or not; `not_own` when that is not for the writer.
    private func message(_ key: MessageKey, for writer: Writer) async throws -> Message {
        _ = try await roster(of: key.conversationID, for: writer)
        guard let message = try await services.store.stored([key])[key] else {
            throw RepositoryError.noSuchMessage(key)
        }
        guard writer.mayWrite(for: message.senderID) else { throw Failure.notOwn }
        // What the application or a program wrote in a person's name is not the person's.
        if case .person = writer, message.kind != .text { throw Failure.notOwn }
        return message
    }

    private func editMessage(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let key = try incoming.messageKey()
        let writer = try incoming.writer(caller, body: body)
        let present = try await message(key, for: writer)
        let text = try MessageFields.text(
            body["text"], mayBeEmpty: body["text"].isPresent && !present.attachments.isEmpty)
        let edited = try await services.store.edit(key, text: text, at: services.now())
        guard !writer.isWriteOnly else { return try reply(OutcomeWire(editedMessage: key.messageID)) }
        return try reply(MessageWire(edited, links: settings.messageLinks))
    }

    /// Deleting what was deleted before is no error.
    private func deleteMessage(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let key = try incoming.messageKey()
        _ = try await message(key, for: try incoming.writer(caller))
        try await services.store.delete(key, at: services.now())
        return Response(status: .noContent)
    }
}
