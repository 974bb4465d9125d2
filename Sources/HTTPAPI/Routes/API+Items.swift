import Assistant
import ChatCore
import Hummingbird

extension API {
    /// One kind of items with its addresses.
    struct ItemRoutes {
        let kind: ExtractedItem.Kind
        /// The last segment of the addresses.
        let segment: String
        /// What operations are called: `list` with the plural, `change` with the singular.
        let plural: String
        let singular: String
        /// What people call them.
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

    /// What was taken out of conversations; the asker must be permitted to see them.
    var itemRoutes: [Route] {
        ItemRoutes.all.flatMap(routes) + [
            Route(
                .post, "v1/conversations/:conversation/priorities", .user, id: "judgePriorities",
                "Judges how urgent the asker's unread messages are.", watchesClient: true
            ) { try await priorities($0, $1) }
        ]
    }

    private func routes(of items: ItemRoutes) -> [Route] {
        let path = "v1/conversations/:conversation/" + items.segment
        return [
            Route(
                .post, path + "/extract", .user, id: "extract" + items.plural,
                "Reads a conversation's new messages and lists the \(items.words)s.", watchesClient: true
            ) { try await extract(items.kind, $0, $1) },
            Route(.get, path, .user, id: "list" + items.plural, "Lists a conversation's \(items.words)s.") {
                let asker = try $0.asker($1)
                let id = try await roster($0, $1).conversation.id
                return try await list(items.kind, SearchScope(asker: asker, conversations: .only([id])), $0)
            },
            Route(
                .get, path + "/changes", .user, id: "follow" + items.plural,
                "Says what became of a conversation's \(items.words)s since a change, as soon as something did."
            ) { try await follow(items.kind, $0, $1) },
            Route(
                .patch, path + "/:item", .writer, id: "change" + items.singular, "Changes \(items.article)."
            ) { try await change(items.kind, $0, $1) },
            Route(
                .delete, path + "/:item", .writer, id: "dismiss" + items.singular,
                "Takes \(items.article) away for good."
            ) { incoming, caller in
                let (_, scope) = try await writableItems(incoming, for: try incoming.writer(caller))
                try await services.store.dismiss(
                    try incoming.itemID(), kind: items.kind, in: scope, at: services.now())
                return Response(status: .noContent)
            },
            Route(
                .get, "v1/" + items.segment, .user, id: "listAll" + items.plural,
                "Lists the \(items.words)s of all conversations of the asker."
            ) { try await list(items.kind, SearchScope(asker: try $0.asker($1), conversations: .all), $0) },
        ]
    }

    /// The path's conversation; `conversation_forbidden` unless the asker may see it.
    private func itemScope(_ incoming: IncomingRequest, _ caller: Caller) async throws -> SearchScope {
        let id = try await roster(incoming, caller).conversation.id
        return SearchScope(asker: try incoming.asker(caller), conversations: .only([id]))
    }

    /// The path's conversation for somebody who changes its items; a key that writes has to say for whom.
    private func writableItems(
        _ incoming: IncomingRequest, for writer: Writer
    ) async throws -> (ConversationRoster, SearchScope) {
        let roster = try await roster(incoming, for: writer)
        guard let asker = writer.user else { throw Failure.userNotNamed }
        return (roster, SearchScope(asker: asker, conversations: .only([roster.conversation.id])))
    }

    private func extract(
        _ kind: ExtractedItem.Kind, _ incoming: IncomingRequest, _ caller: Caller
    ) async throws -> Response {
        let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
        let timeZone = try AskFields.timeZone(body)
        let scope = try await itemScope(incoming, caller)
        let id = try incoming.conversationID()
        let outcome = try await incoming.whileClientListens {
            try await gate.withPlace(for: scope.asker.rawValue) {
                try await services.extracting.extract(kind, in: id, asker: scope.asker, timeZone: timeZone)
            }
        }
        let items = try await services.store.items(of: kind, in: scope, at: services.now())
        return try reply(
            ExtractionWire(
                items: Self.sorted(items, of: kind).map { ItemWire($0) }, messageCount: outcome.messageCount,
                addedCount: outcome.addedCount, changedCount: outcome.changedCount,
                removedCount: outcome.removedCount, isComplete: outcome.isComplete, faults: outcome.faults))
    }

    private func list(
        _ kind: ExtractedItem.Kind, _ scope: SearchScope, _ incoming: IncomingRequest
    ) async throws -> Response {
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let filter = try ItemFilter(kind: kind, asker: scope.asker) { name in
            JSONField(incoming.query(name).map { .string($0) }, at: FieldPath(name))
        }
        return try reply(try await itemPage(of: kind, in: scope, filter: filter, limit: limit))
    }

    /// Returns a page of the items that a filter admits.
    func itemPage(
        of kind: ExtractedItem.Kind, in scope: SearchScope, filter: ItemFilter, limit: Int
    ) async throws -> ItemPage {
        let sorted = try await searchGate.withPlace(for: scope.asker.rawValue) {
            let found = try await services.store.items(of: kind, in: scope, at: services.now()).filter(filter.admits)
            return kind == .decision ? DecisionSearch.find(filter.question, in: found) : found
        }
        var rest = sorted[...]
        if let after = filter.after {
            guard let place = sorted.firstIndex(where: { $0.id == after }) else {
                throw RepositoryError.noSuchItem(after)
            }
            rest = sorted[(place + 1)...]
        }
        let page = rest.prefix(limit)
        return ItemPage(items: page.map { ItemWire($0) }, next: rest.count > limit ? page.last?.id : nil)
    }

    /// Decisions are listed valid ones first, the newest first; all else as the store lists it, without what a later
    /// item took the place of.
    private static func sorted(_ items: [ExtractedItem], of kind: ExtractedItem.Kind) -> [ExtractedItem] {
        kind == .decision ? DecisionSearch.find(nil, in: items) : items.filter { $0.supersededByID == nil }
    }

    private func change(
        _ kind: ExtractedItem.Kind, _ incoming: IncomingRequest, _ caller: Caller
    ) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let writer = try incoming.writer(caller)
        let (roster, scope) = try await writableItems(incoming, for: writer)
        let edit = try ItemFields.edit(
            body, kind: kind, members: roster.members, zone: roster.conversation.timeZone ?? "UTC")
        let item = try await services.store.edit(
            try incoming.itemID(), edit, kind: kind, in: scope, at: services.now())
        guard !writer.isWriteOnly else { return Response(status: .noContent) }
        return try reply(ItemWire(item))
    }

    private func priorities(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let start = try ItemFields.unreadStart(body)
        let timeZone = try AskFields.timeZone(body)
        let scope = try await itemScope(incoming, caller)
        let id = try incoming.conversationID()
        let found = try await incoming.whileClientListens {
            try await gate.withPlace(for: scope.asker.rawValue) {
                try await services.extracting.priorities(
                    in: id, asker: scope.asker, from: start, timeZone: timeZone)
            }
        }
        return try reply(PriorityList(messages: found.map { PriorityWire($0) }))
    }
}

extension API.ItemRoutes {
    fileprivate var article: String { (kind == .actionItem ? "an " : "a ") + words }
}

extension IncomingRequest {
    /// Returns the item that the path names.
    fileprivate func itemID() throws(Failure) -> ItemID { ItemID(rawValue: try parameter("item")) }

    /// Returns the body as JSON; an empty one is an empty object.
    func optionalJSON(limit: Int) async throws -> JSONField {
        let bytes = Array(buffer: try await body(limit: limit))
        guard !bytes.isEmpty else { return JSONField(.object([:])) }
        guard hasJSONContent else { throw Failure.wrongContentType }
        return try JSONField(try JSONParser.parse(bytes)).object()
    }
}
