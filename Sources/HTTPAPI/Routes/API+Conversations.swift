import ChatCore
import Hummingbird

extension API {
    /// How many rows a page has.
    static let pageRange = 1...200
    /// How many rows a page has when the request does not say.
    static let pageSize = 50
    /// Where ids that come over HTTP are from; see ``Identity``.
    static let source = "api"

    private static let conversationPath = "v1/conversations/:conversation"

    /// Conversations; the asker must be permitted to see one.
    var conversationRoutes: [Route] {
        [
            Route(
                .post, "v1/conversations", .writer, id: "createConversation", "Makes a conversation.",
                takesIdempotencyKey: true
            ) { try await createConversation($0, $1) },
            Route(.get, "v1/conversations", .user, id: "listConversations", "Lists the asker's conversations.") {
                try await listConversations($0, $1)
            },
            Route(.get, Self.conversationPath, .user, id: "getConversation", "Shows a conversation and its members.") {
                let roster = try await roster($0, $1)
                let embedding = try await services.store.embedding(of: roster.conversation.id)
                return try reply(
                    ConversationWire(roster.conversation, members: roster.members, embedding: embedding))
            },
            Route(
                .patch, Self.conversationPath, .ingest, id: "changeConversation",
                "Says whether a conversation is embedded."
            ) { try await changeConversation($0, $1) },
        ]
    }

    /// Returns the path's conversation; `conversation_forbidden` unless the asker may see it.
    func roster(_ incoming: IncomingRequest, _ caller: Caller) async throws -> ConversationRoster {
        try await services.store.roster(
            of: try incoming.conversationID(), asker: try incoming.asker(caller), at: services.now())
    }

    /// Returns the path's conversation; `conversation_forbidden` unless it is there for the writer.
    func roster(_ incoming: IncomingRequest, for writer: Writer) async throws -> ConversationRoster {
        try await roster(of: try incoming.conversationID(), for: writer)
    }

    /// Returns a conversation; `conversation_forbidden` unless it is there for the writer.
    func roster(of id: ConversationID, for writer: Writer) async throws -> ConversationRoster {
        switch writer {
        case .person(let person): try await services.store.roster(of: id, asker: person.id, at: services.now())
        case .trusted(let user): try await services.store.roster(of: id, asker: user, at: services.now())
        case .server: try await services.store.roster(of: id)
        }
    }

    /// 201 for a new one, 200 for one that was there already, the same.
    ///
    /// A person is in what he or she makes, and does not choose its id: an id that is taken would tell of a foreign
    /// conversation.
    private func createConversation(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let moment = services.now()
        var roster = try ConversationFields.roster(body, newID: services.makeID(), at: moment)
        if case .person(let person) = caller {
            _ = try incoming.asker(caller, body: body)
            roster = try await checked(roster, body, madeBy: person, at: moment)
        }
        let count = try await services.store.store([roster], source: Self.source, mode: .posting, at: moment)
        let wire = ConversationWire(roster.conversation, members: roster.members)
        return try reply(wire, status: count > 0 ? .created : .ok)
    }

    /// Returns a conversation as far as the person who makes it may say what it is.
    private func checked(
        _ roster: ConversationRoster, _ body: JSONField, madeBy person: TokenUser, at moment: Timestamp
    ) async throws -> ConversationRoster {
        guard !body["id"].isPresent else { throw Failure.conversationIDForbidden }
        let ids = Set(roster.members.map(\.userID))
        guard ids.contains(person.id) else { throw body["members"].error("must name the one who asks") }
        guard settings.permissions.adding != .nobody || ids == [person.id] else { throw Failure.addingForbidden }
        guard settings.permissions.opening == .everyone || roster.conversation.visibility == .members else {
            throw Failure.fieldForbidden(body["visibility"])
        }
        var roster = roster
        roster.conversation.createdAt = moment
        let names = try await knownNames(of: ids, to: person, at: moment)
        let items = try body["members"].optionalArray() ?? []
        roster.members = try zip(roster.members, items).map { member, item in
            let known = names[member.userID] ?? []
            let name = try PersonFields.name(ofMember: item, names: known)
            return Member(
                userID: member.userID, displayName: name ?? known.first ?? member.userID.rawValue, joinedAt: moment)
        }
        return roster
    }

    /// Returns what people are called, best first: by the person's own token, where the person may see them, and by id.
    func knownNames(of users: Set<UserID>, to person: TokenUser, at moment: Timestamp) async throws
        -> [UserID: [String]]
    {
        var names: [UserID: [String]] = [:]
        if users.contains(person.id), let name = person.name { names[person.id] = [name] }
        let scope = SearchScope(asker: person.id, conversations: .all)
        for found in try await services.store.people(in: scope, at: moment) where users.contains(found.userID) {
            names[found.userID, default: []] += found.names.filter { !$0.isEmpty }
        }
        for user in users { names[user, default: []].append(user.rawValue) }
        return names
    }

    /// Says whether a conversation is embedded, `{"embedding": "default" | "included" | "excluded"}`.
    ///
    /// What is excluded has no vectors from the reply on and is found by its words only.
    private func changeConversation(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        try body.refuseOthers(than: ["embedding", "userId"])
        let choice: ConversationEmbedding.Choice? = try body["embedding"].optionalWord()
        guard let choice else { throw body["embedding"].missing }
        let writer = try incoming.writer(caller, body: body)
        let id = try await roster(incoming, for: writer).conversation.id
        let embedding = try await services.store.setEmbedding(choice, of: id, at: services.now())
        guard !writer.isWriteOnly else { return try reply(EmbeddingChoiceWire(id: id, embedding)) }
        let roster = try await roster(incoming, for: writer)
        return try reply(ConversationWire(roster.conversation, members: roster.members, embedding: embedding))
    }

    private func listConversations(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let after: ConversationID? = try incoming.cursor("after")
        return try reply(try await conversationPage(of: asker, after: after, limit: limit))
    }

    /// Returns a page of the conversations that somebody may see.
    func conversationPage(of asker: UserID, after: ConversationID?, limit: Int) async throws -> ConversationPage {
        let found = try await services.store.conversations(
            asker: asker, after: after, limit: limit + 1, at: services.now())
        let page = found.prefix(limit)
        return ConversationPage(
            conversations: page.map { ConversationWire($0) }, next: found.count > limit ? page.last?.id : nil)
    }
}
