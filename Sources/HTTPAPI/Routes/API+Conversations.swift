import ChatCore
import Hummingbird

extension API {
    /// How many rows a page has.
    static let pageRange = 1...200
    /// How many rows a page has when the request does not say.
    static let pageSize = 50
    /// Where ids that come over HTTP are from; see ``Identity``.
    static let source = "api"

    /// Conversations; the asker must be permitted to see one, but anybody may make one.
    var conversationRoutes: [Route] {
        [
            Route(.post, "v1/conversations") { try await createConversation($0) },
            Route(.get, "v1/conversations") { try await listConversations($0) },
            Route(.get, "v1/conversations/:conversation") { incoming in
                let roster = try await roster(incoming)
                let embedding = try await services.store.embedding(of: roster.conversation.id)
                return try reply(
                    ConversationWire(roster.conversation, members: roster.members, embedding: embedding))
            },
            Route(.patch, "v1/conversations/:conversation") { try await changeConversation($0) },
        ]
    }

    /// Returns the path's conversation; `conversation_forbidden` unless the asker may see it.
    func roster(_ incoming: IncomingRequest, body: JSONField? = nil) async throws -> ConversationRoster {
        try await services.store.roster(
            of: try incoming.conversationID(), asker: try incoming.asker(body: body, default: defaultUser),
            at: services.now())
    }

    /// 201 for a new one, 200 for one that was there already, the same.
    private func createConversation(_ incoming: IncomingRequest) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let moment = services.now()
        let roster = try ConversationFields.roster(body, newID: services.makeID(), at: moment)
        let count = try await services.store.store([roster], source: Self.source, mode: .posting, at: moment)
        let wire = ConversationWire(roster.conversation, members: roster.members)
        return try reply(wire, status: count > 0 ? .created : .ok)
    }

    /// Says whether a conversation is embedded, `{"embedding": "default" | "included" | "excluded"}`.
    ///
    /// What is excluded has no vectors from the reply on and is found by its words only.
    private func changeConversation(_ incoming: IncomingRequest) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let choice: ConversationEmbedding.Choice? = try body["embedding"].optionalWord()
        guard let choice else { throw body["embedding"].missing }
        let id = try await roster(incoming, body: body).conversation.id
        let embedding = try await services.store.setEmbedding(choice, of: id, at: services.now())
        services.wake()
        let roster = try await roster(incoming, body: body)
        return try reply(ConversationWire(roster.conversation, members: roster.members, embedding: embedding))
    }

    private func listConversations(_ incoming: IncomingRequest) async throws -> Response {
        let asker = try incoming.asker(default: defaultUser)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let after = try incoming.query("after").map { text -> ConversationID in
            try JSONField(.string(text), at: FieldPath("after")).identifier()
        }
        let found = try await services.store.conversations(
            asker: asker, after: after, limit: limit + 1, at: services.now())
        let page = found.prefix(limit)
        return try reply(
            ConversationPage(
                conversations: page.map { ConversationWire($0) }, next: found.count > limit ? page.last?.id : nil))
    }
}
