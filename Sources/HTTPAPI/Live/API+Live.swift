import ChatCore
import HTTPTypes
import Hummingbird
import LiveChat
import NIOCore
import ServiceLifecycle
import UseCases

/// A live chat: each person's list, receipts, and the feed that clients follow.
extension API {
    private static let conversation = "v1/conversations/:conversation"
    private static let reaction = conversation + "/messages/:message/reactions/:emoji"

    var liveRoutes: [Route] {
        [
            Route(
                .post, "v1/direct", .user, id: "openDirect",
                "Returns the direct conversation with a user, and makes it if there is none."
            ) { try await openDirect($0, $1) },
            Route(
                .get, "v1/sync", .user, id: "sync",
                "Returns everything that a client shows at its start, and the cursor of the feed after it."
            ) { incoming, caller in
                try reply(SyncWire(try await incoming.useCases.personalState(of: try incoming.asker(caller))))
            },
            Route(
                .get, "v1/feed", .user, id: "followFeed", "Streams what changes for the asker.", watchesClient: true
            ) { try await feed($0, $1) },
            Route(
                .post, "v1/feed/ticket", .user, id: "makeTicket",
                "Makes a ticket with which a browser opens GET /v1/socket, once and within 30 s."
            ) { incoming, caller in
                let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
                let asker = try incoming.asker(caller, body: body)
                guard let ticket = services.tickets.make(for: asker, at: incoming.receivedAt) else {
                    throw Failure.overloaded
                }
                return try reply(TicketWire(ticket: ticket, expiresIn: FeedTickets.lifetime))
            },
            Route(
                .post, "v1/feed/ack", .user, id: "acknowledgeFeed",
                "Says that a device of the asker has received everything up to a cursor."
            ) { try await acknowledge($0, $1) },
            Route(
                .post, Self.conversation + "/read", .user, id: "markRead",
                "Marks messages and all earlier ones as read."
            ) { try await markRead($0, $1) },
            Route(
                .post, Self.conversation + "/unread", .user, id: "markUnread",
                "Marks a message and all later ones as unread."
            ) { try await markUnread($0, $1) },
            Route(
                .get, Self.conversation + "/receipts", .user, id: "listReceipts",
                "Shows how far each member has read and received a conversation."
            ) { incoming, caller in
                let receipts = try await incoming.useCases.receipts(
                    in: try incoming.conversationID(), asker: try incoming.asker(caller))
                return try reply(ReceiptList(receipts: receipts.map { ReceiptWire($0) }))
            },
            Route(
                .put, Self.conversation + "/preferences", .user, id: "setPreferences",
                "Replaces the asker's own settings for a conversation."
            ) { try await setPreferences($0, $1) },
            Route(.put, Self.conversation + "/name", .writer, id: "renameConversation", "Renames a group.") {
                try await rename($0, $1)
            },
            Route(
                .put, Self.conversation + "/members/:user/role", .writer, id: "setRole", "Sets the role of a member."
            ) { try await setRole($0, $1) },
            Route(.put, Self.reaction, .user, id: "addReaction", "Adds the asker's reaction to a message.") {
                try await react($0, $1, isSet: true)
            },
            Route(.delete, Self.reaction, .user, id: "removeReaction", "Removes the asker's reaction.") {
                try await react($0, $1, isSet: false)
            },
        ]
    }

    private func openDirect(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let other: UserID = try body["with"].identifier()
        var person = IdentifiedPerson(id: asker)
        if case .person(let known) = caller { person = known }
        let (roster, isNew) = try await incoming.useCases.openDirect(with: other, by: person)
        return try reply(
            ConversationWire(roster.conversation, members: roster.members), status: isNew ? .created : .ok)
    }

    private func acknowledge(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        try await incoming.useCases.acknowledge(try cursor(in: body["cursor"]), by: asker)
        return Response(status: .noContent)
    }

    private func markRead(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        var ids: [MessageID] = []
        for item in try body["messageIds"].optionalArray(atMost: settings.batchLimit) ?? [] {
            ids.append(try item.identifier())
        }
        if let last: MessageID = try body["upTo"].optionalIdentifier() { ids.append(last) }
        guard !ids.isEmpty else { throw body["upTo"].missing }
        return try reply(
            ReceiptWire(try await incoming.useCases.markRead(ids, in: try incoming.conversationID(), by: asker)))
    }

    private func markUnread(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let receipt = try await incoming.useCases.markUnread(
            from: try body["from"].identifier(), in: try incoming.conversationID(), by: asker)
        return try reply(ReceiptWire(receipt))
    }

    private func setPreferences(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        try body.refuseOthers(than: ["muted", "archived", "pinned", "notifications", "userId"])
        let preferences = ConversationPreferences(
            isMuted: try body["muted"].optionalFlag() ?? false,
            isArchived: try body["archived"].optionalFlag() ?? false,
            isPinned: try body["pinned"].optionalFlag() ?? false,
            notifications: try body["notifications"].optionalWord())
        try await incoming.useCases.setPreferences(preferences, of: try incoming.conversationID(), for: asker)
        return try reply(preferences)
    }

    private func rename(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let name = try body["name"].string()
        if let fault = TextLimit.name.fault(of: name, mayBeEmpty: false) { throw body["name"].error(fault) }
        try await incoming.useCases.rename(
            try incoming.conversationID(), to: name, by: try incoming.writer(caller, body: body))
        return Response(status: .noContent)
    }

    private func setRole(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        guard let role: MemberRole = try body["role"].optionalWord() else { throw body["role"].missing }
        try await incoming.useCases.setRole(
            role, of: try incoming.userID(), in: try incoming.conversationID(),
            by: try incoming.writer(caller, body: body))
        return Response(status: .noContent)
    }

    private func react(_ incoming: IncomingRequest, _ caller: Caller, isSet: Bool) async throws -> Response {
        let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
        let asker = try incoming.asker(caller, body: body)
        let message = try await incoming.useCases.react(
            try incoming.parameter("emoji"), isSet: isSet, to: try incoming.messageKey(), by: asker)
        return try reply(try await wire(message, for: asker, incoming))
    }

    /// Reads a cursor of the feed.
    private func cursor(in field: JSONField) throws -> ChangeCursor {
        guard let cursor = ChangeCursor(try field.string()) else {
            throw field.error("must be the cursor of a frame, or of GET /v1/sync")
        }
        return cursor
    }

    /// Streams frames from the cursor in `Last-Event-ID` or the query; without one, from now on.
    ///
    /// A cursor that has expired gets the event `resync`, and the stream ends.
    private func feed(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let text = try incoming.request.headers.onlyValue(of: "last-event-id") ?? incoming.query("cursor")
        let given = try text.map { try cursor(in: JSONField(.string($0), at: FieldPath("cursor"))) }
        let start: ChangeCursor
        if let given { start = given } else { start = try await services.store.latestChange() }
        let subscription = services.feed.connect(asker, after: start)
        return .events(
            ResponseBody { writer in
                defer { subscription.close() }
                metrics.countStreams(1)
                defer { metrics.countStreams(-1) }
                var events = FeedEvents(subscription: subscription, sent: start, links: settings.messageLinks)
                // The head of the response and this line show that the server listens.
                try await writer.write(ByteBuffer(string: ":\n\n"))
                try await incoming.whileClientListens {
                    while let event = try await events.next() { try await writer.write(event) }
                }
                try await writer.finish(nil)
            })
    }
}

/// A subscription as events: `frame`, `heartbeat`, and `resync` at the end.
private struct FeedEvents {
    /// How often a client without changes hears something.
    private static let heartbeat = Duration.seconds(25)

    let subscription: FeedSubscription
    /// The cursor of the last event.
    var sent: ChangeCursor
    let links: MessageLinkTemplate?
    var isOver = false

    init(subscription: FeedSubscription, sent: ChangeCursor, links: MessageLinkTemplate?) {
        self.subscription = subscription
        self.sent = sent
        self.links = links
    }

    /// Waits for the next event; nil at the end, and when the server stops: the client resumes elsewhere.
    mutating func next() async throws -> ByteBuffer? {
        guard !isOver else { return nil }
        do {
            let page = try await cancelWhenGracefulShutdown { [subscription] in
                try await subscription.next(within: Self.heartbeat)
            }
            let start = sent
            sent = page?.end ?? subscription.cursor
            guard let page else { return try event("heartbeat", at: sent, HeartbeatWire(cursor: sent)) }
            return try event("frame", at: sent, FeedFrame(page, after: start, links: links))
        } catch RepositoryError.expiredCursor {
            isOver = true
            return try event("resync", at: nil, ResyncWire())
        } catch let error as CancellationError {
            guard !Task.isCancelled else { throw error }
            return nil
        }
    }

    private func event(_ name: String, at cursor: ChangeCursor?, _ data: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        if let cursor { buffer.writeString("id: \(cursor)\n") }
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeBytes(try WireEncoding.data(data))
        buffer.writeString("\n\n")
        return buffer
    }
}
