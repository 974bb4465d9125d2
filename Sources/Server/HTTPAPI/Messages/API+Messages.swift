import ChatCore
import HTTPTypes
import Hummingbird
import NexusModel
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
                return try reply(try await wire(message, for: asker, incoming))
            },
            Route(.get, Self.messagePath + "/replies", .user, id: "listReplies", "Lists the replies to a message.") {
                try await listReplies($0, $1)
            },
            Route(
                .get, Self.messagePath + "/reactions", .user, id: "listReactions",
                "Lists everybody who reacted to a message."
            ) { incoming, caller in
                let (reactions, names) = try await incoming.useCases.reactions(
                    to: try incoming.messageKey(), asker: try incoming.asker(caller))
                return try reply(ReactionList(reactions, names: names))
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
        let place = try historyPlace(incoming)
        let page = try await incoming.useCases.history(
            of: try incoming.conversationID(), asker: asker, at: place, limit: limit)
        let next: Message? =
            switch place {
            case .newest, .before: page.hasOlder ? page.messages.last : nil
            case .after: page.hasNewer ? page.messages.first : nil
            case .around, .unread, .from: nil
            }
        return try reply(
            MessagePage(
                messages: try await wires(page.messages, for: asker, incoming), next: next?.key.messageID.rawValue,
                hasOlder: page.hasOlder, hasNewer: page.hasNewer, firstUnreadId: page.firstUnreadID?.rawValue,
                firstId: page.firstID?.rawValue))
    }

    /// Reads where a page begins: `before`, `after` or `around` a message, or `at` a time; the word `unread` is the first
    /// unread message.
    private func historyPlace(_ incoming: IncomingRequest) throws -> HistoryPlace {
        let before: MessageID? = try incoming.cursor("before")
        let after: MessageID? = try incoming.cursor("after")
        let around: MessageID? = try incoming.cursor("around")
        let time = try incoming.time("at")
        guard [before, after, around].compactMap(\.self).count + (time == nil ? 0 : 1) < 2 else {
            let field = time == nil ? "around" : "at"
            throw FieldError(FieldPath(field), "cannot be given together with another of at, around, before and after")
        }
        if let time { return .from(time) }
        if let before { return .before(before) }
        if let after { return .after(after) }
        if let around { return around.rawValue == "unread" ? .unread : .around(around) }
        return .newest
    }

    private func listReplies(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let page = try await incoming.useCases.replies(
            to: try incoming.messageKey(), asker: asker, after: try incoming.cursor("after"), limit: limit)
        return try reply(
            ReplyPage(
                messages: try await wires(page.elements, for: asker, incoming),
                next: page.hasMore ? page.elements.last?.key.messageID.rawValue : nil))
    }

    /// Returns the JSON form of messages that the asker was shown, with their positions and replies.
    func wires(_ messages: [Message], for asker: UserID, _ incoming: IncomingRequest) async throws -> [ChatMessage] {
        let details = try await incoming.useCases.details(of: messages.map(\.key), asker: asker)
        return messages.map { message in
            ChatMessage(
                message.shown(to: asker), at: details[message.key]?.position, status: details[message.key]?.status,
                links: settings.messageLinks)
        }
    }

    func wire(_ message: Message, for asker: UserID, _ incoming: IncomingRequest) async throws -> ChatMessage {
        let details = try await incoming.useCases.details(of: [message.key], asker: asker)[message.key]
        return ChatMessage(
            message.shown(to: asker), at: details?.position, status: details?.status, links: settings.messageLinks)
    }

    private func editMessage(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let key = try incoming.messageKey()
        let writer = try incoming.writer(caller, body: body)
        let files: [FileID]? = try body["attachments"].optionalArray(atMost: FileLimits.perMessage)?.map {
            try $0.identifier()
        }
        // Without a text, a change of the files keeps the present one; whether it may be empty depends on the files.
        let keepsText = files != nil && !body["text"].isPresent
        let text = keepsText ? nil : try MessageFields.text(body["text"], mayBeEmpty: body["text"].isPresent)
        let edited = try await incoming.useCases.edit(key, text: text, files: files, by: writer)
        guard !writer.isWriteOnly else { return try reply(MessageOutcome(editedMessage: key.messageID)) }
        guard let user = writer.user else { return try reply(MessageOutcome(editedMessage: key.messageID)) }
        return try reply(try await wire(edited, for: user, incoming))
    }

    /// Deleting a deleted message again is not an error.
    private func deleteMessage(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let key = try incoming.messageKey()
        try await incoming.useCases.delete(key, by: try incoming.writer(caller))
        return Response(status: .noContent)
    }
}
