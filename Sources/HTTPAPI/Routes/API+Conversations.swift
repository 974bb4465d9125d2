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
        case .person(let user), .trusted(let user):
            try await services.store.roster(of: id, asker: user, at: services.now())
        case .server: try await services.store.roster(of: id)
        }
    }

    /// 201 for a new one, 200 for one that was there already, the same.
    ///
    /// A person is in what he or she makes, and does not choose its id: an id that is taken would tell of a foreign
    /// conversation.
    private func createConversation(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        if case .person = caller {
            let user = try incoming.asker(caller, body: body)
            guard !body["id"].isPresent else { throw Failure.conversationIDForbidden }
            let members = try body["members"].optionalArray() ?? []
            guard members.contains(where: { $0["userId"].value == .string(user.rawValue) }) else {
                throw body["members"].error("must name the one who asks")
            }
        }
        let moment = services.now()
        let roster = try ConversationFields.roster(body, newID: services.makeID(), at: moment)
        let count = try await services.store.store([roster], source: Self.source, mode: .posting, at: moment)
        let wire = ConversationWire(roster.conversation, members: roster.members)
        return try reply(wire, status: count > 0 ? .created : .ok)
    }

    /// Says whether a conversation is embedded, `{"embedding": "default" | "included" | "excluded"}`.
    ///
    /// What is excluded has no vectors from the reply on and is found by its words only.
    private func changeConversation(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let choice: ConversationEmbedding.Choice? = try body["embedding"].optionalWord()
        guard let choice else { throw body["embedding"].missing }
        let writer = try incoming.writer(caller, body: body)
        let id = try await roster(incoming, for: writer).conversation.id
        let embedding = try await services.store.setEmbedding(choice, of: id, at: services.now())
        services.wake()
        let roster = try await roster(incoming, for: writer)
        return try reply(ConversationWire(roster.conversation, members: roster.members, embedding: embedding))
    }

    private func listConversations(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let after: ConversationID? = try incoming.cursor("after")
        let found = try await services.store.conversations(
            asker: asker, after: after, limit: limit + 1, at: services.now())
        let page = found.prefix(limit)
        return try reply(
            ConversationPage(
                conversations: page.map { ConversationWire($0) }, next: found.count > limit ? page.last?.id : nil))
    }
}
