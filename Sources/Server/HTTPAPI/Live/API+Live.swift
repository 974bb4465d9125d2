import ChatCore
import HTTPTypes
import Hummingbird
import NexusModel
import UseCases

/// A live chat: each person's list, receipts, and the feed that clients follow.
extension API {
    private static let conversation = "v1/conversations/:conversation"
    private static let reaction = conversation + "/messages/:message/reactions/:emoji"

    var liveRoutes: [Route] {
        feedRoutes + [
            Route(
                .post, "v1/direct", .person, id: "openDirect",
                "Returns the direct conversation with a user, and makes it if there is none."
            ) { try await openDirect($0, $1) },
            Route(
                .get, "v1/sync", .user, id: "sync",
                "Returns everything that a client shows at its start, and the cursor of the feed after it."
            ) { incoming, caller in
                try reply(ChatSnapshot(try await incoming.useCases.personalState(of: try incoming.asker(caller))))
            },
            Route(
                .post, "v1/feed/ack", .person, id: "acknowledgeFeed",
                "Says that a device of the asker has received everything up to a cursor."
            ) { try await acknowledge($0, $1) },
            Route(
                .post, Self.conversation + "/read", .person, id: "markRead",
                "Marks messages and all earlier ones as read."
            ) { try await markRead($0, $1) },
            Route(
                .post, Self.conversation + "/unread", .person, id: "markUnread",
                "Marks a message and all later ones as unread."
            ) { try await markUnread($0, $1) },
            Route(
                .get, Self.conversation + "/receipts", .user, id: "listReceipts",
                "Shows how far each member has read and received a conversation."
            ) { incoming, caller in
                let receipts = try await incoming.useCases.receipts(
                    in: try incoming.conversationID(), asker: try incoming.asker(caller))
                return try reply(ReceiptList(receipts: receipts.map { ChatReceipt($0) }))
            },
            Route(
                .put, Self.conversation + "/preferences", .person, id: "setPreferences",
                "Changes the asker's own settings for a conversation: those that it names, and nothing else."
            ) { try await setPreferences($0, $1) },
            Route(
                .patch, Self.conversation + "/preferences", .person, id: "changePreferences", "The same as PUT."
            ) { try await setPreferences($0, $1) },
            Route(.put, Self.conversation + "/name", .writer, id: "renameConversation", "Renames a group.") {
                try await rename($0, $1)
            },
            Route(
                .put, Self.conversation + "/history", .writer, id: "setHistory",
                "Sets the part of a group's history that people who join later may read."
            ) { try await setHistory($0, $1) },
            Route(
                .put, Self.conversation + "/members/:user/role", .writer, id: "setRole", "Sets the role of a member."
            ) { try await setRole($0, $1) },
            Route(.put, Self.reaction, .person, id: "addReaction", "Adds the asker's reaction to a message.") {
                try await react($0, $1, isSet: true)
            },
            Route(.delete, Self.reaction, .person, id: "removeReaction", "Removes the asker's reaction.") {
                try await react($0, $1, isSet: false)
            },
        ]
    }

    private func openDirect(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let other: UserID = try body["with"].identifier()
        var person = IdentifiedPerson(id: asker)
        if case .person(let known, _) = caller { person = known }
        try await refuseUnknown([other], of: caller, field: "with")
        let (roster, isNew) = try await incoming.useCases.openDirect(with: other, by: person)
        return try reply(
            ConversationDetails(roster.conversation, members: roster.members), status: isNew ? .created : .ok)
    }

    private func acknowledge(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        try await incoming.useCases.acknowledge(try ChangeCursor(of: body["cursor"]), by: asker)
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
        guard !ids.isEmpty else {
            throw body["messageIds"].isPresent
                ? body["messageIds"].error("must name a message") : body["upTo"].missing
        }
        return try reply(
            ChatReceipt(try await incoming.useCases.markRead(ids, in: try incoming.conversationID(), by: asker)))
    }

    private func markUnread(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let receipt = try await incoming.useCases.markUnread(
            from: try body["from"].identifier(), in: try incoming.conversationID(), by: asker)
        return try reply(ChatReceipt(receipt))
    }

    private func setPreferences(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let changed = try await incoming.useCases.changePreferences(
            of: try incoming.conversationID(), for: asker, try PreferencesFields.change(body))
        return try reply(ChatPreferences(changed))
    }

    private func rename(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let name = try body["name"].string()
        if let fault = TextLimit.name.fault(of: name, mayBeEmpty: false) { throw body["name"].error(fault) }
        try await incoming.useCases.rename(
            try incoming.conversationID(), to: name, by: try incoming.writer(caller, body: body))
        return Response(status: .noContent)
    }

    private func setHistory(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        guard let history: Conversation.History = try body["history"].optionalWord() else {
            throw body["history"].missing
        }
        try await incoming.useCases.setHistory(
            history, of: try incoming.conversationID(), by: try incoming.writer(caller, body: body))
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
}
