import Assistant
import ChatCore
import Hummingbird
import NexusModel
import UseCases

extension API {
    /// One kind of items with its addresses.
    struct ItemRoutes {
        let kind: ExtractedItem.Kind
        /// The last segment of the addresses.
        let segment: String
        /// The names in operation ids: `list` with the plural, `change` with the singular.
        let plural: String
        let singular: String
        /// The name in texts, in the singular.
        let words: String

        static let all = [
            ItemRoutes(
                kind: .actionItem, segment: "action-items", plural: "ActionItems", singular: "ActionItem",
                words: "action item"),
            ItemRoutes(
                kind: .decision, segment: "decisions", plural: "Decisions", singular: "Decision", words: "decision"),
            ItemRoutes(
                kind: .deadline, segment: "deadlines", plural: "Deadlines", singular: "Deadline", words: "deadline"),
        ]
    }

    /// Extracted items; the asker must be permitted to see the conversation.
    var itemRoutes: [Route] {
        ItemRoutes.all.flatMap(routes) + [
            Route(
                .post, "v1/conversations/:conversation/priorities", .user, id: "judgePriorities",
                "Judges how urgent the asker's unread messages are."
            ) { try await priorities($0, $1) }
        ]
    }

    private func routes(of items: ItemRoutes) -> [Route] {
        let path = "v1/conversations/:conversation/" + items.segment
        return [
            Route(
                .post, path + "/extract", .user, id: "extract" + items.plural,
                "Reads a conversation's new messages and lists the \(items.words)s."
            ) { try await extract(items.kind, $0, $1) },
            Route(.get, path, .user, id: "list" + items.plural, "Lists a conversation's \(items.words)s.") {
                try await list(items.kind, of: try $0.asker($1), in: try $0.conversationID(), $0)
            },
            Route(
                .get, path + "/changes", .user, id: "follow" + items.plural,
                "Lists changes of a conversation's \(items.words)s since a cursor, and can wait for them."
            ) { try await follow(items.kind, $0, $1) },
            Route(
                .patch, path + "/:item", .writer, id: "change" + items.singular, "Changes \(items.article)."
            ) { try await change(items.kind, $0, $1) },
            Route(
                .delete, path + "/:item", .writer, id: "dismiss" + items.singular,
                "Deletes \(items.article) permanently."
            ) { incoming, caller in
                let (roster, asker) = try await writableItems(incoming, for: try incoming.writer(caller))
                try await incoming.useCases.dismissItem(
                    try incoming.itemID(), kind: items.kind, asker: asker, in: roster.conversation.id)
                return Response(status: .noContent)
            },
            Route(
                .get, "v1/" + items.segment, .user, id: "listAll" + items.plural,
                "Lists the \(items.words)s of all conversations of the asker."
            ) { try await list(items.kind, of: try $0.asker($1), in: nil, $0) },
        ]
    }

    /// Returns the path's conversation for a change of its items; a key with the role ingest must name its user.
    private func writableItems(
        _ incoming: IncomingRequest, for writer: Writer
    ) async throws -> (ConversationRoster, UserID) {
        let roster = try await roster(incoming, for: writer)
        guard let asker = writer.user else { throw Failure.userNotNamed }
        return (roster, asker)
    }

    private func extract(
        _ kind: ExtractedItem.Kind, _ incoming: IncomingRequest, _ caller: Caller
    ) async throws -> Response {
        let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
        let timeZone = try AskFields.timeZone(body)
        let (asker, id) = (try incoming.asker(caller), try incoming.conversationID())
        let (outcome, items) = try await incoming.whileClientListens {
            try await incoming.useCases.extractItems(kind, in: id, asker: asker, timeZone: timeZone)
        }
        return try reply(
            ChatExtraction(
                items: items.map { ChatItem($0) }, messageCount: outcome.messageCount,
                addedCount: outcome.addedCount, changedCount: outcome.changedCount,
                removedCount: outcome.removedCount, isComplete: outcome.isComplete, faults: outcome.faults))
    }

    private func list(
        _ kind: ExtractedItem.Kind, of asker: UserID, in conversation: ConversationID?, _ incoming: IncomingRequest
    ) async throws -> Response {
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let filter = try ItemFilter(kind: kind, asker: asker) { name in
            JSONField(incoming.query(name).map { .string($0) }, at: FieldPath(name))
        }
        return try reply(
            ChatItemPage(
                try await incoming.useCases.items(
                    of: kind, asker: asker, in: conversation, filter: filter, limit: limit)))
    }

    private func change(
        _ kind: ExtractedItem.Kind, _ incoming: IncomingRequest, _ caller: Caller
    ) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let writer = try incoming.writer(caller)
        let (roster, asker) = try await writableItems(incoming, for: writer)
        let edit = try ItemFields.edit(
            body, kind: kind, members: roster.members, zone: roster.conversation.timeZone ?? "UTC")
        let item = try await incoming.useCases.editItem(
            try incoming.itemID(), edit, kind: kind, asker: asker, in: roster.conversation.id)
        guard !writer.isWriteOnly else { return Response(status: .noContent) }
        return try reply(ChatItem(item))
    }

    private func priorities(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let start = try ItemFields.unreadStart(body)
        let timeZone = try AskFields.timeZone(body)
        let (asker, id) = (try incoming.asker(caller), try incoming.conversationID())
        let found = try await incoming.whileClientListens {
            try await incoming.useCases.priorities(in: id, asker: asker, from: start, timeZone: timeZone)
        }
        return try reply(MessagePriorityList(messages: found.map { MessagePriority($0) }))
    }
}

extension API.ItemRoutes {
    fileprivate var article: String { (kind == .actionItem ? "an " : "a ") + words }
}

extension IncomingRequest {
    /// Returns the item that the path names.
    fileprivate func itemID() throws(Failure) -> ItemID { ItemID(rawValue: try parameter("item")) }
}
