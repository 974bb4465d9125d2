import ChatCore
import HTTPTypes
import Hummingbird

extension API {
    private static let messagesPath = "v1/conversations/:conversation/messages"

    /// Messages of a conversation that the asker may see.
    ///
    /// The chat application decides who may edit or delete what; here it is only asked whether the asker sees the
    /// conversation.
    var messageRoutes: [Route] {
        [
            Route(.post, Self.messagesPath) { try await postMessages($0) },
            Route(.get, Self.messagesPath) { try await listMessages($0) },
            Route(.get, Self.messagesPath + "/:message") { incoming in
                let asker = try incoming.asker(default: defaultUser)
                return try reply(MessageWire(try await message(try incoming.messageKey(), asker: asker)))
            },
            Route(.patch, Self.messagesPath + "/:message") { try await editMessage($0) },
            Route(.delete, Self.messagesPath + "/:message") { try await deleteMessage($0) },
        ]
    }

    private func listMessages(_ incoming: IncomingRequest) async throws -> Response {
        let asker = try incoming.asker(default: defaultUser)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let before = try incoming.query("before").map { text -> MessageID in
            try JSONField(.string(text), at: FieldPath("before")).identifier()
        }
        let found = try await services.store.page(
            of: try incoming.conversationID(), asker: asker, before: before, limit: limit + 1, at: services.now())
        let page = found.prefix(limit)
        return try reply(
            MessagePage(
                messages: page.map { MessageWire($0) },
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

    private func editMessage(_ incoming: IncomingRequest) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let key = try incoming.messageKey()
        let present = try await message(key, asker: try incoming.asker(body: body, default: defaultUser))
        let text = try MessageFields.text(
            body["text"], mayBeEmpty: body["text"].isPresent && !present.attachments.isEmpty)
        let edited = try await services.store.edit(key, text: text, at: services.now())
        services.wake()
        return try reply(MessageWire(edited))
    }

    /// Deleting what was deleted before is no error.
    private func deleteMessage(_ incoming: IncomingRequest) async throws -> Response {
        let key = try incoming.messageKey()
        try await requireAccess(to: key.conversationID, asker: try incoming.asker(default: defaultUser))
        try await services.store.delete(key, at: services.now())
        return Response(status: .noContent)
    }
}
